package chart

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// testRelease is what a test renders.
type testRelease struct {
	chart   string // a folder or an archive
	values  []byte
	options Options
}

// ours renders a release.
func (r testRelease) ours() ([]any, error) {
	files, err := readChart(r.chart)
	if err != nil {
		return nil, err
	}
	c, err := Load(files)
	if err != nil {
		return nil, err
	}
	if r.options.Values, err = ParseValues("values.yaml", r.values); err != nil {
		return nil, err
	}
	manifests, err := c.Render(r.options)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	for _, m := range manifests {
		fmt.Fprintf(&text, "---\n# Source: %s\n%s\n", m.File, m.Content)
	}
	return documents(text.String())
}

// helms lets the real Helm render it.
func (r testRelease) helms(t *testing.T) ([]any, error) {
	program, err := testenv.HelmProgram()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	values := filepath.Join(dir, "values.yaml")
	if err := os.WriteFile(values, r.values, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"template"}
	if r.options.Release != "" {
		args = append(args, r.options.Release)
	}
	args = append(args, r.chart, "--values", values)
	if o := r.options; o.Namespace != "" {
		args = append(args, "--namespace", o.Namespace)
	}
	if o := r.options; o.KubeVersion != "" {
		args = append(args, "--kube-version", o.KubeVersion)
	}
	for _, v := range r.options.APIVersions {
		args = append(args, "--api-versions", v)
	}
	for flag, on := range map[string]bool{"--include-crds": r.options.IncludeCRDs, "--skip-tests": r.options.SkipTests, "--no-hooks": r.options.SkipHooks} {
		if on {
			args = append(args, flag)
		}
	}
	cmd := exec.CommandContext(t.Context(), program, args...) // #nosec G204 -- Helm
	cmd.Env = append(os.Environ(), "HOME="+dir)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return nil, errors.New(said.String())
	}
	return documents(out.String())
}

// documents are those of a stream, parsed, in order.
func documents(stream string) (all []any, err error) {
	for _, text := range separator.Split(stream, -1) {
		var one any
		if err := yaml.Unmarshal([]byte(text), &one); err != nil {
			return nil, err
		}
		if one != nil {
			all = append(all, one)
		}
	}
	return all, nil
}

// readChart reads a folder or an archive.
func readChart(at string) ([]File, error) {
	info, err := os.Stat(at)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		data, err := os.ReadFile(at)
		if err != nil {
			return nil, err
		}
		return Archive(data)
	}
	var files []File
	err = filepath.WalkDir(at, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(at, path)
		files = append(files, File{filepath.ToSlash(name), data})
		return err
	})
	if err != nil {
		return nil, err
	}
	return Folder(files)
}

// compare holds our rendering to that of the real Helm. Where Helm refuses a chart, we must, too.
func (r testRelease) compare(t *testing.T) (rendered bool) {
	t.Helper()
	want, helmErr := r.helms(t)
	got, err := r.ours()
	if (err == nil) != (helmErr == nil) {
		t.Errorf("our error: %v\nHelm's error: %v", err, helmErr)
		return false
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-Helm +ours):\n%s", d)
	}
	return err == nil && len(got) > 0
}

// readCase reads a chart in a txtar file, writes it to a folder, and reads the options of its release.
func readCase(t testing.TB, file string) (r testRelease) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(bytes.TrimSpace(archive.Comment)) == 0 {
		t.Errorf("%s does not say why it exists", file)
	}
	dir := t.TempDir()
	r.chart = filepath.Join(dir, "chart")
	for _, f := range archive.Files {
		switch {
		case f.Name == "options":
			if err := yaml.UnmarshalStrict(f.Data, &r.options); err != nil {
				t.Fatal(err)
			}
		case f.Name == "values.yaml":
			r.values = f.Data
		default:
			at := filepath.Join(dir, filepath.FromSlash(f.Name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, f.Data, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return r
}

// TestHelm renders charts of our own with the real Helm and with us.
func TestHelm(t *testing.T) {
	testenv.Need(t, testenv.Helm)
	cases, err := filepath.Glob("testdata/charts/*.txtar")
	if err != nil || len(cases) < 20 {
		t.Fatalf("too few charts: %d (%v)", len(cases), err)
	}
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			readCase(t, file).compare(t)
		})
	}
}

// refused are charts of Helm's tests that we refuse on purpose: the error says why.
var refused = map[string]string{
	"mariadb":                            "randAlphaNum",
	"chart-with-compressed-dependencies": "randAlphaNum",
	"chart-with-compressed-dependencies-2.1.8.tgz":   "randAlphaNum",
	"chart-with-uncompressed-dependencies":           "randAlphaNum",
	"chart-with-uncompressed-dependencies-2.1.8.tgz": "randAlphaNum",
}

// TestHelmsOwnCharts renders the charts that come with Helm's module for its tests, the one that "helm create" writes, and
// that of this repository, with both.
func TestHelmsOwnCharts(t *testing.T) {
	testenv.Need(t, testenv.Helm)
	charts := append(helmsOwn(t), created(t), filepath.Join("..", "..", "..", "controllers", "chart"))
	var rendered sync.Map
	t.Run("each", func(t *testing.T) {
		for i, chart := range charts {
			name := filepath.Base(chart)
			t.Run(strconv.Itoa(i)+"-"+name, func(t *testing.T) {
				t.Parallel()
				r := testRelease{chart: chart, options: Options{IncludeCRDs: true}}
				if why := refused[name]; why != "" {
					if _, err := r.ours(); err == nil || !strings.Contains(err.Error(), why) {
						t.Errorf("error %v, want one with %s", err, why)
					}
				} else if r.compare(t) {
					rendered.Store(name, true)
				}
			})
		}
	})
	n := 0
	rendered.Range(func(any, any) bool { n++; return true })
	if t.Logf("%d charts of different names render", n); n < 30 {
		t.Error("that are too few")
	}
}

// helmsOwn are the charts in Helm's module, which is there when Helm is built.
func helmsOwn(t *testing.T) (charts []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-modfile=.ci/helm/go.mod", "-m", "-f", "{{.Dir}}", "helm.sh/helm/v4")
	cmd.Dir, cmd.Env = filepath.Join("..", "..", ".."), append(os.Environ(), "GOFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "pkg")
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "Chart.yaml" && !d.IsDir() {
			charts = append(charts, filepath.Dir(path))
		}
		if err == nil && filepath.Ext(path) == ".tgz" && filepath.Base(filepath.Dir(path)) != "charts" {
			charts = append(charts, path)
		}
		return err
	})
	if err != nil || len(charts) < 80 {
		t.Fatalf("%d charts in %s (%v)", len(charts), root, err)
	}
	return charts
}

// created is the chart that "helm create" writes.
func created(t *testing.T) string {
	t.Helper()
	program, err := testenv.HelmProgram()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), program, "create", filepath.Join(dir, "starter")) // #nosec G204 -- Helm
	cmd.Env = append(os.Environ(), "HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return filepath.Join(dir, "starter")
}

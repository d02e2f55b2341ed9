package status_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status"
)

var update = flag.Bool("update", false, "rewrite the wanted results in testdata")

// head is what every StatusCollector of a test begins with.
const head = "apiVersion: control.kubestellar.io/v1alpha1\nkind: StatusCollector\nmetadata: {name: c}\n"

func read(t testing.TB, text string) *krm.Object {
	t.Helper()
	objects, err := krm.Read("test.yaml", []byte(text), krm.Limits{})
	if err != nil || len(objects) != 1 {
		t.Fatalf("want one object, got %d, %v", len(objects), err)
	}
	return objects[0]
}

func data(t testing.TB, text string) map[string]any {
	t.Helper()
	v, err := krm.Value(read(t, text).Node())
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)
}

// collector reads the spec of a StatusCollector.
func collector(t testing.TB, spec string) *control.StatusCollector {
	t.Helper()
	c, errs := control.DecodeStatusCollector(read(t, head+spec))
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	return c
}

// reports reads what clusters report: null for no report at all, or a map with status, updated, manifest and
// failure.
func reports(t testing.TB, text string) (out []status.Report) {
	t.Helper()
	if strings.TrimSpace(text) == "" {
		return nil
	}
	for cluster, v := range data(t, text) {
		r := status.Report{Cluster: cluster}
		if m, known := v.(map[string]any); known {
			r.Known = true
			r.Status, _ = m["status"].(map[string]any)
			r.Manifest, _ = m["manifest"].(map[string]any)
			r.Failure, _ = m["failure"].(string)
			if at, is := m["updated"].(string); is {
				var err error
				if r.Updated, err = time.Parse(time.RFC3339, at); err != nil {
					t.Fatal(err)
				}
			}
		}
		out = append(out, r)
	}
	return out
}

// golden is one case: a file whose comment says why it exists.
type golden struct {
	archive *txtar.Archive
	files   map[string]string
}

func open(t testing.TB, path string) golden {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	g := golden{archive, map[string]string{}}
	for _, f := range archive.Files {
		g.files[f.Name] = string(f.Data)
	}
	return g
}

// run is what the files of a case give: a result and warnings, or errors.
func (g golden) run(t testing.TB) (out map[string]string) {
	p, errs := status.Compile(collector(t, g.files["collector.yaml"]))
	if p == nil {
		return map[string]string{"errors.txt": strings.Join(errs, "\n--\n") + "\n"}
	}
	var obj map[string]any
	if text, is := g.files["object.yaml"]; is {
		obj = data(t, text)
	}
	o := status.Options{NullAsNull: strings.Contains(string(g.archive.Comment), "nullAsNull")}
	all := reports(t, g.files["reports.yaml"])
	checkLaws(t, p, obj, all, o)
	result, warnings := p.Evaluate(context.Background(), obj, all, o)
	out = map[string]string{"want.yaml": yamlOf(t, result)}
	for _, w := range warnings {
		out["warnings.txt"] += w.String() + "\n"
	}
	return out
}

func yamlOf(t testing.TB, v any) string {
	t.Helper()
	o, err := krm.FromTyped(v)
	if err != nil {
		t.Fatal(err)
	}
	text, err := krm.WriteRaw(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func goldens(t testing.TB) []string {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases, %v", err)
	}
	return paths
}

func TestGolden(t *testing.T) {
	for _, path := range goldens(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			g := open(t, path)
			got := g.run(t)
			if *update {
				g.rewrite(t, path, got)
				return
			}
			want := map[string]string{}
			for _, name := range outputs {
				if text, is := g.files[name]; is {
					want[name] = text
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", g.archive.Comment, d)
			}
		})
	}
}

// outputs are the files of a case that are results.
var outputs = []string{"want.yaml", "warnings.txt", "errors.txt"}

func (g golden) rewrite(t *testing.T, path string, got map[string]string) {
	g.archive.Files = slices.DeleteFunc(g.archive.Files, func(f txtar.File) bool { return slices.Contains(outputs, f.Name) })
	for _, name := range outputs {
		if text, is := got[name]; is {
			g.archive.Files = append(g.archive.Files, txtar.File{Name: name, Data: []byte(text)})
		}
	}
	if err := os.WriteFile(path, txtar.Format(g.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkLaws holds for every program, object and list of reports.
func checkLaws(t testing.TB, p *status.Program, obj map[string]any, all []status.Report, o status.Options) {
	t.Helper()
	ctx := context.Background()
	before := fmt.Sprint(obj, all)
	result, warnings := p.Evaluate(ctx, obj, all, o)
	if d := cmp.Diff(before, fmt.Sprint(obj, all)); d != "" {
		t.Errorf("the input is left as it was (-want +got):\n%s", d)
	}
	law := func(reason string, r control.NamedStatusCombination, w []status.Warning) {
		t.Helper()
		if d := cmp.Diff(result, r) + cmp.Diff(warnings, w); d != "" {
			t.Errorf("%s (-want +got):\n%s", reason, d)
		}
	}
	again, w := p.Evaluate(ctx, obj, all, o)
	law("the same input gives the same result", again, w)
	backwards := slices.Clone(all)
	slices.Reverse(backwards)
	again, w = p.Evaluate(ctx, obj, backwards, o)
	law("the order of reports does not matter", again, w)
	rows := p.NewRows(obj, o)
	for i, r := range all { // in the place of another report, and one that does not stay
		other := status.Report{Cluster: r.Cluster, Known: true, Status: all[(i+1)%len(all)].Status}
		if err := rows.Set(ctx, other, status.Report{Cluster: r.Cluster + "-gone"}); err != nil {
			t.Error(err)
		}
	}
	for _, r := range all {
		if err := rows.Set(ctx, r); err != nil {
			t.Error(err)
		}
		if !rows.Delete(r.Cluster + "-gone") {
			t.Errorf("%s-gone was a cluster", r.Cluster)
		}
	}
	again, w = rows.Combine()
	law("rows that changed one by one give what new ones do", again, w)
	checkReadable(t, result)
	for _, row := range result.Rows {
		if len(row.Columns) != len(result.ColumnNames) || row.Columns == nil {
			t.Errorf("a row is as long as the names of its columns: %d, %d", len(row.Columns), len(result.ColumnNames))
		}
	}
}

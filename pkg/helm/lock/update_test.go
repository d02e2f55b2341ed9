package lock_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/helm/chart"
	"github.com/waybill-dev/waybill/pkg/helm/fetch"
	"github.com/waybill-dev/waybill/pkg/helm/helmtest"
	"github.com/waybill-dev/waybill/pkg/helm/lock"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// config is a RenderHelmChart with charts NAME, VERSION, REPO.
func config(name string, charts ...[3]string) string {
	text := "apiVersion: fn.kpt.dev/v1alpha1\nkind: RenderHelmChart\nmetadata:\n  name: " + name + "\nhelmCharts:\n"
	for _, c := range charts {
		text += "- chartArgs:\n    name: " + c[0] + "\n"
		if c[1] != "" {
			text += "    version: \"" + c[1] + "\"\n"
		}
		if c[2] != "" {
			text += "    repo: " + c[2] + "\n"
		}
	}
	return text
}

func tree(t testing.TB, files map[string]string) pkgtree.Tree {
	t.Helper()
	all := map[string][]byte{"Kptfile": []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: app\n")}
	for p, text := range files {
		all[p] = []byte(text)
	}
	out, err := pkgtree.New(all)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// edited is a package with some files replaced; "" removes one.
func edited(t testing.TB, in pkgtree.Tree, files ...string) pkgtree.Tree {
	t.Helper()
	changes := map[string][]byte{}
	for i := 0; i+1 < len(files); i += 2 {
		if changes[files[i]] = []byte(files[i+1]); files[i+1] == "" {
			changes[files[i]] = nil
		}
	}
	out, err := in.Apply(changes)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func update(t testing.TB, in pkgtree.Tree, o lock.Options) *lock.Result {
	t.Helper()
	res, err := lock.Update(t.Context(), in, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// online fetches.
func online() lock.Options { return lock.Options{Fetch: fetch.New(fetch.Options{}).Fetch} }

func rows(res *lock.Result) (out []string) {
	for _, r := range res.Rows {
		line := r.Config + " " + r.Name + " " + r.Version + " " + string(r.Status)
		if r.From != "" {
			line += " from " + r.From
		}
		out = append(out, line)
	}
	return out
}

func text(t testing.TB, in pkgtree.Tree, p string) string {
	t.Helper()
	data, ok := in.Get(p)
	if !ok {
		t.Fatalf("there is no %s in %v", p, in.Paths())
	}
	return string(data)
}

func repository(t testing.TB) *helmtest.Repository {
	repo := helmtest.NewRepository(t)
	repo.Add("web", "1.0.0")
	repo.Add("web", "1.1.0")
	repo.Add("db", "2.0.0")
	return repo
}

// TestUpdate locks a package, again, and after edits of its configs: archives and locks follow the configs.
func TestUpdate(t *testing.T) {
	repo := repository(t)
	in := tree(t, map[string]string{
		"apps/web.yaml": config("web", [3]string{"web", "1.0.0", repo.URL}, [3]string{"db", "^2", repo.URL}),
		"sub/Kptfile":   "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sub\n",
		"sub/web.yaml":  strings.Replace(config("web", [3]string{"web", "", repo.URL}), "helmCharts:", "helmGlobals:\n  chartHome: vendor\nhelmCharts:", 1),
	})
	res := update(t, in, online())
	want := []string{"apps/web.yaml web 1.0.0 fetched", "apps/web.yaml db 2.0.0 fetched", "sub/web.yaml web 1.1.0 fetched"}
	if diff := cmp.Diff(want, rows(res)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	digest := chart.Digest([]byte(text(t, res.Tree, "apps/charts/web-1.0.0.tgz")))
	wantLock := `apiVersion: fn.waybill.dev/v1alpha1
kind: HelmChartLock
metadata:
  annotations:
    config.kubernetes.io/local-config: "true"
  name: web
charts:
- name: web
  repo: ` + repo.URL + `
  version: 1.0.0
  digest: ` + digest + `
  path: charts/web-1.0.0.tgz
- name: db
  repo: ` + repo.URL + `
  version: 2.0.0
  constraint: ^2
  digest: ` + chart.Digest([]byte(text(t, res.Tree, "apps/charts/db-2.0.0.tgz"))) + `
  path: charts/db-2.0.0.tgz
`
	if diff := cmp.Diff(wantLock, text(t, res.Tree, "apps/web.lock.yaml")); diff != "" {
		t.Errorf("the lock (-want +got):\n%s", diff)
	}
	if !strings.Contains(text(t, res.Tree, "sub/web.lock.yaml"), "constraint: '*'") || !strings.Contains(text(t, res.Tree, "sub/web.lock.yaml"), "path: vendor/web-1.1.0.tgz") {
		t.Errorf("the lock of the subpackage:\n%s", text(t, res.Tree, "sub/web.lock.yaml"))
	}
	repo.Asked()
	again := update(t, res.Tree, online())
	if !again.Tree.Equal(res.Tree) || len(repo.Asked()) > 0 {
		t.Errorf("a second run changes %v", res.Tree.Diff(again.Tree))
	}

	spaced := edited(t, res.Tree, "apps/web.lock.yaml", "# ours\n"+strings.ReplaceAll(text(t, res.Tree, "apps/web.lock.yaml"), "  repo: ", "  repo:    "))
	if again := update(t, spaced, online()); !again.Tree.Equal(spaced) {
		t.Errorf("a lock that is written in another way changes: %v", spaced.Diff(again.Tree))
	}
	repo.Add("db", "2.1.0")
	if again := update(t, res.Tree, online()); !again.Tree.Equal(res.Tree) {
		t.Errorf("a newer version in the repository changes %v without Upgrade", res.Tree.Diff(again.Tree))
	}
	o := online()
	o.Upgrade = true
	up := update(t, edited(t, res.Tree, "apps/web.yaml", strings.Replace(text(t, res.Tree, "apps/web.yaml"), "1.0.0", "1.1.0", 1)), o)
	want = []string{"apps/web.yaml web 1.1.0 fetched from 1.0.0", "apps/web.yaml db 2.1.0 fetched from 2.0.0", "sub/web.yaml web 1.1.0 fetched"}
	if diff := cmp.Diff(want, rows(up)); diff != "" {
		t.Errorf("rows of the upgrade (-want +got):\n%s", diff)
	}
	wantFiles := []string{"Kptfile", "apps/charts/db-2.1.0.tgz", "apps/charts/web-1.1.0.tgz", "apps/web.lock.yaml", "apps/web.yaml",
		"sub/Kptfile", "sub/vendor/web-1.1.0.tgz", "sub/web.lock.yaml", "sub/web.yaml"}
	if diff := cmp.Diff(wantFiles, up.Tree.Paths()); diff != "" {
		t.Errorf("files after the upgrade (-want +got):\n%s", diff)
	}
	none := update(t, edited(t, up.Tree, "apps/web.yaml", "apiVersion: fn.kpt.dev/v1alpha1\nkind: RenderHelmChart\nmetadata:\n  name: web\n"), online())
	if got := none.Tree.Sub("apps").Paths(); len(got) != 1 {
		t.Errorf("a config without charts leaves %v", got)
	}
}

// TestOffline says which charts are missing, and fetches none.
func TestOffline(t *testing.T) {
	repo := repository(t)
	in := tree(t, map[string]string{"web.yaml": config("web", [3]string{"web", "1.0.0", repo.URL}, [3]string{"db", "", repo.URL})})
	if res := update(t, in, lock.Options{}); len(res.Missing()) != 2 || !res.Tree.Equal(in) || len(repo.Asked()) > 0 {
		t.Errorf("before the lock: %v", rows(res))
	}
	locked := update(t, in, online()).Tree
	if res := update(t, locked, lock.Options{}); len(res.Missing()) != 0 || !res.Tree.Equal(locked) {
		t.Errorf("after the lock: %v", rows(res))
	}
	newer := edited(t, locked, "web.yaml", strings.Replace(text(t, locked, "web.yaml"), "1.0.0", "1.1.0", 1))
	if res := update(t, newer, lock.Options{}); len(res.Missing()) != 1 || !res.Tree.Equal(newer) {
		t.Errorf("another version in the config changes %v: %v", newer.Diff(res.Tree), rows(res))
	}
	lost := edited(t, locked, "charts/web-1.0.0.tgz", "")
	if res := update(t, lost, lock.Options{}); len(res.Missing()) != 1 || !res.Tree.Equal(lost) {
		t.Errorf("without an archive: %v", rows(res))
	}
	repo.Asked()
	if res := update(t, lost, lock.Options{From: locked}); !res.Tree.Equal(locked) || len(repo.Asked()) > 0 {
		t.Errorf("with the archive of another version of the package: %v", rows(res))
	}
	repo.Add("web", "1.0.0", "more", "another build")
	if res := update(t, lost, online()); !res.Tree.Equal(locked) {
		t.Errorf("fetched again: %v", rows(res))
	}
}

// TestDigests refuses content that is not what the lock says, from the repository and from the package.
func TestDigests(t *testing.T) {
	repo := repository(t)
	in := tree(t, map[string]string{"web.yaml": config("web", [3]string{"web", "^1", repo.URL})})
	locked := update(t, in, online()).Tree
	const archive = "charts/web-1.1.0.tgz"
	other := helmtest.NewRepository(t)
	other.Add("web", "1.1.0", "templates/evil.yaml", "kind: Secret")
	stolen := edited(t, locked, archive, "", "web.lock.yaml", strings.ReplaceAll(text(t, locked, "web.lock.yaml"), repo.URL, other.URL),
		"web.yaml", strings.ReplaceAll(text(t, locked, "web.yaml"), repo.URL, other.URL))
	failing := errors.New("no network")
	for name, tc := range map[string]struct {
		in   pkgtree.Tree
		o    lock.Options
		want string
	}{
		"the archive was changed":         {edited(t, locked, archive, "x"), online(), archive + " has the digest sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881, and the lock says"},
		"the repository serves another":   {stolen, online(), "the repository replaced it"},
		"the same with Upgrade":           {stolen, lock.Options{Fetch: fetch.New(fetch.Options{}).Fetch, Upgrade: true}, "the repository replaced it"},
		"the range changed, not the rest": {edited(t, stolen, "web.yaml", strings.Replace(text(t, stolen, "web.yaml"), "^1", "^1.1", 1)), online(), "the repository replaced it"},
		"another file is in the way":      {edited(t, in, archive, "x"), online(), archive + " is not what"},
		"fetching fails": {in, lock.Options{Fetch: func(context.Context, fetch.Request) (*fetch.Archive, error) { return nil, failing }},
			`web.yaml: RenderHelmChart "web": chart "web": no network`},
		"the lock is no lock": {edited(t, locked, "web.lock.yaml", strings.Replace(text(t, locked, "web.lock.yaml"), "version: 1.1.0", "version: [1]", 1)), online(), "charts[0].version"},
		"a path out of it":    {edited(t, locked, "web.lock.yaml", strings.Replace(text(t, locked, "web.lock.yaml"), "charts/web", "../../web", 1)), online(), "want a path in the package"},
		"the whole package":   {edited(t, locked, "web.lock.yaml", strings.Replace(text(t, locked, "web.lock.yaml"), "charts/web-1.1.0.tgz", ".", 1)), online(), "want an archive or"},
		"no sha256":           {edited(t, locked, "web.lock.yaml", strings.Replace(text(t, locked, "web.lock.yaml"), "sha256:", "md5:", 1)), online(), "charts[0].digest"},
		"an unknown field":    {edited(t, locked, "web.lock.yaml", text(t, locked, "web.lock.yaml")+"chart: []\n"), online(), "chart: Forbidden: unknown field; entries belong under charts; remove"},
		"chartHome out of it": {edited(t, in, "web.yaml", text(t, in, "web.yaml")+"helmGlobals:\n  chartHome: ../x\n"), online(), "helmGlobals.chartHome"},
		"chartHome out of its subpackage": {edited(t, in, "web.yaml", "", "sub/Kptfile", text(t, in, "Kptfile"), "sub/web.yaml",
			text(t, in, "web.yaml")+"helmGlobals:\n  chartHome: ../charts\n"), online(), "charts is not in the subpackage sub"},
		"a name with a slash": {tree(t, map[string]string{"web.yaml": config("web", [3]string{"../web", "1", repo.URL})}), online(), "helmCharts[0].chartArgs.name"},
		"a password in the repo": {tree(t, map[string]string{"web.yaml": config("web", [3]string{"web", "1", "https://me:hunter2@charts.example"})}), lock.Options{},
			"helmCharts[0].chartArgs: repo: holds a user or password"},
		"no name":                  {tree(t, map[string]string{"web.yaml": config(`""`, [3]string{"web", "1", repo.URL})}), online(), "metadata.name"},
		"a chart that is not here": {tree(t, map[string]string{"web.yaml": config("web", [3]string{"web", "1.0.0", ""})}), online(), "there is no folder charts/web with a Chart.yaml, and no charts/web-1.0.0.tgz"},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := lock.Update(t.Context(), tc.in, tc.o)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("result %v, error %v, want one that contains %q", res, err, tc.want)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error shows a password: %v", err)
			}
		})
	}
}

// TestLocalCharts locks charts that lie in the package: by their digest.
func TestLocalCharts(t *testing.T) {
	in := tree(t, map[string]string{
		"web.yaml":                 config("web", [3]string{"web", "", ""}, [3]string{"db", "2.0.0", ""}),
		"charts/web/Chart.yaml":    "apiVersion: v2\nname: web\nversion: 0.1.0\n",
		"charts/web/templates/a":   "kind: RenderHelmChart {{ }}",
		"charts/web/x.yaml":        "kind: RenderHelmChart\n{{ if }}\n",
		"charts/db-2.0.0.tgz":      string(helmtest.Archive("db", "2.0.0", nil)),
		"unrelated/of-charts.yaml": "a: 1\n",
	})
	res := update(t, in, lock.Options{})
	if diff := cmp.Diff([]string{"web.yaml web 0.1.0 locked", "web.yaml db 2.0.0 locked"}, rows(res)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if again := update(t, res.Tree, lock.Options{}); !again.Tree.Equal(res.Tree) || again.Rows[0].Status != lock.Unchanged {
		t.Errorf("again: %v", rows(again))
	}
	changed := update(t, edited(t, res.Tree, "charts/web/templates/a", "kind: Other"), lock.Options{})
	if changed.Rows[0].Status != lock.Locked || changed.Rows[0].Digest == res.Rows[0].Digest {
		t.Errorf("after an edit of the folder: %v", rows(changed))
	}
	_, err := lock.Update(t.Context(), edited(t, res.Tree, "charts/db-2.0.0.tgz", string(helmtest.Archive("db", "2.0.0", map[string]string{"x": "y"}))), lock.Options{})
	if err == nil || !strings.Contains(err.Error(), "for the same version") {
		t.Errorf("another archive of the same version: %v", err)
	}
	_, err = lock.Update(t.Context(), edited(t, res.Tree, "web.yaml", config("web", [3]string{"web", "9.9.9", ""})), lock.Options{})
	if err == nil || !strings.Contains(err.Error(), `holds chart "web" 0.1.0, and the config wants web 9.9.9`) {
		t.Errorf("another version than the config wants: %v", err)
	}
}

// TestEmbed writes the files that a config reads into an object, and keeps it up to date.
func TestEmbed(t *testing.T) {
	repo := repository(t)
	in := tree(t, map[string]string{
		"sub/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sub\n", "sub/apps/values.yaml": "a: 1\n",
		"sub/apps/web.yaml": config("web", [3]string{"web", "1.0.0", repo.URL}) + "  templateOptions:\n    values:\n      valuesFiles:\n      - values.yaml\n",
	})
	o := online()
	o.Embed = true
	res := update(t, in, o)
	got := text(t, res.Tree, "sub/apps/web.files.yaml")
	for _, want := range []string{"kind: PackageFiles\n", "- path: apps/charts/web-1.0.0.tgz\n  base64: H4s", "- path: apps/values.yaml\n  content: |\n    a: 1\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in:\n%s", want, got)
		}
	}
	if again := update(t, res.Tree, lock.Options{}); !again.Tree.Equal(res.Tree) {
		t.Errorf("a second run changes %v", res.Tree.Diff(again.Tree))
	}
	values := update(t, edited(t, res.Tree, "sub/apps/values.yaml", "a: 2\n"), lock.Options{})
	if !strings.Contains(text(t, values.Tree, "sub/apps/web.files.yaml"), "a: 2") {
		t.Error("the object does not follow the values")
	}
}

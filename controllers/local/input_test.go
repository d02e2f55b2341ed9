package local_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// TestWhereObjectsComeFrom gives the same objects in every way there is.
func TestWhereObjectsComeFrom(t *testing.T) {
	for name, tc := range map[string]struct {
		reason  string
		arrange func(f *fleet) (paths []string, stdin string)
	}{
		"folder": {"all files below", func(f *fleet) ([]string, string) { return []string{f.path("fleet")}, "" }},
		"files": {"one by one", func(f *fleet) ([]string, string) {
			return []string{f.path("fleet/repositories.yaml"), f.path("fleet/context.yaml"), f.path("fleet/eu.yaml")}, ""
		}},
		"stdin": {"from a pipe; relative paths in it count from the working directory", func(f *fleet) ([]string, string) {
			f.Chdir(f.path("fleet"))
			return []string{"-"}, f.read("repositories.yaml") + "---\n" + f.read("context.yaml") + "---\n" + f.read("eu.yaml")
		}},
		"link to the folder": {"as it is deployed by some", func(f *fleet) ([]string, string) {
			link(f.path("fleet"), "../current")(f)
			return []string{f.path("current")}, ""
		}},
		"mounted ConfigMap": {"files that are links into a hidden folder beside them", func(f *fleet) ([]string, string) {
			if err := os.Mkdir(f.path("fleet/..1"), 0o755); err != nil {
				f.Fatal(err)
			}
			for _, file := range []string{"repositories.yaml", "context.yaml", "eu.yaml"} {
				if err := os.Rename(f.path("fleet/"+file), f.path("fleet/..1/"+file)); err != nil {
					f.Fatal(err)
				}
				link("..data/"+file, file)(f)
			}
			link("..1", "..data")(f)
			return []string{f.path("fleet")}, ""
		}},
		"mounted with folders": {"links to folders in a hidden one beside them, as a ConfigMap's items with paths", func(f *fleet) ([]string, string) {
			f.write("..1/deep/er/empty.yml", "# nothing\n")
			for _, file := range []string{"repositories.yaml", "context.yaml", "eu.yaml"} {
				f.write("..1/deep/er/"+file, f.read(file))
				f.remove(file)
			}
			f.edit("..1/deep/er/repositories.yaml", "../", "../../../")
			link("..1", "..data")(f)
			link("..data/deep", "deep")(f)
			return []string{f.path("fleet")}, ""
		}},
		"links in circles": {"links to folders that are read where they lie, or are read already", func(f *fleet) ([]string, string) {
			f.write(".x/empty.yaml", "# nothing\n")
			f.write(".y/empty.yaml", "# nothing\n")
			f.write("z/empty.yaml", "# nothing\n")
			link(".", "self")(f)
			link("z", "again")(f)
			link("..", "z/up")(f)
			link(".x", "x")(f)
			link("../.y", ".x/y")(f)
			link("../.x", ".y/x")(f)
			return []string{f.path("fleet")}, ""
		}},
		"kinds of others": {"their fields labels and items are theirs", func(f *fleet) ([]string, string) {
			f.write("more.yaml", "apiVersion: fn.kpt.dev/v1alpha1\nkind: SetLabels\nmetadata: {name: s}\nlabels: {a: b}\n---\n"+
				"apiVersion: x.io/v1\nkind: PriceList\nmetadata: {name: p}\nitems: [{kind: Price}]\n")
			return []string{f.path("fleet")}, ""
		}},
		"byte order mark": {"at the start of a file, as some editors write it", func(f *fleet) ([]string, string) {
			f.write("context.yaml", "\ufeff"+f.read("context.yaml"))
			return []string{f.path("fleet")}, ""
		}},
		"what does not count": {"other files, and hidden ones", func(f *fleet) ([]string, string) {
			f.write("notes.txt", "not: [yaml")
			link("/etc/hostname", "hostname")(f)
			f.write(".eu.yaml.swp.yaml", "not: [yaml")
			f.write(".git/x.yaml", "not: [yaml")
			f.write("deeper/empty.yml", "# nothing\n---\n")
			return []string{f.path("fleet")}, ""
		}},
		"no namespace": {"is namespace default", func(f *fleet) ([]string, string) {
			f.edit("repositories.yaml", "  namespace: fleet\n", "")
			f.edit("eu.yaml", "  namespace: fleet\n", "")
			f.edit("context.yaml", "  namespace: fleet\n", "")
			return []string{f.path("fleet")}, ""
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			paths, stdin := tc.arrange(f)
			in, err := local.Read(paths, strings.NewReader(stdin))
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			got := lines(all(in, &reconciler.Reconciler{Repositories: in.Repositories(nil), Functions: functions, Context: in.Lister}))
			if diff := cmp.Diff([]string{"eu created: " + first + ": cloned from blueprints.shop.v1"}, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if got := f.show(firstDraft, "eu/shop/site.yaml"); !strings.Contains(got, "10.2.0.0/16") {
				t.Errorf("%s: the context object is injected; got\n%s", tc.reason, got)
			}
		})
	}
}

// Chdir is that of the test, which a testing.TB lacks in name only.
func (f *fleet) Chdir(dir string) {
	f.Helper()
	f.TB.(*testing.T).Chdir(dir)
}

// TestUnreachableIsTriedOnce has many variants share a repository that does not answer.
func TestUnreachableIsTriedOnce(t *testing.T) {
	f := newFleet(t)
	for i := range 5 {
		name := fmt.Sprintf("v%d", i)
		f.write(name+".yaml", replace(t, f.read("eu.yaml"), "name: eu\n", "name: "+name+"\n", "eu/shop", name+"/shop"))
	}
	var asked atomic.Int32
	f.edit("repositories.yaml", "../blueprints.git", gittest.NewHTTP(t, f.path("blueprints.git"), func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			http.Error(w, "down for maintenance", http.StatusServiceUnavailable)
		})
	}))
	reports := f.reconcile()
	for _, rep := range reports {
		if rep.Err == nil || rep.Err.Error() != reports[0].Err.Error() || !strings.HasPrefix(rep.Err.Error(), "upstream: repository fleet/blueprints: ") {
			t.Errorf("%s: the same trouble is the same error, got %v", rep.Name, rep.Err)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the server was asked %d times", n)
	}
}

// FuzzRead reads whatever comes. It is an error of one line that names where it comes from, or
// objects that can be read again with the same result.
func FuzzRead(f *testing.F) {
	ar, err := txtar.ParseFile("testdata/fleet.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range ar.Files {
		f.Add(string(file.Data))
	}
	f.Add(bomb())
	f.Add(secret("data:\n  password: " + token))
	f.Fuzz(func(t *testing.T, text string) {
		in, err := local.Read([]string{"-"}, strings.NewReader(text))
		again, err2 := local.Read([]string{"-"}, strings.NewReader(text))
		if fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Fatalf("twice the same gives %v and %v", err, err2)
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), "stdin: ") || strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("want one line that begins with the source, got %q", err)
			}
			return
		}
		if diff := cmp.Diff(in.Variants, again.Variants); diff != "" || len(in.Context) != len(again.Context) {
			t.Fatalf("twice the same gives:\n%s", diff)
		}
		for _, pv := range in.Variants {
			if pv.Namespace == "" || pv.Name == "" {
				t.Fatalf("a variant without name: %+v", pv)
			}
		}
	})
}

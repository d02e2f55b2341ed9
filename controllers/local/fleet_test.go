package local_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

var ctx = context.Background()

// fleet is two real repositories and a folder of objects, side by side below root.
type fleet struct {
	testing.TB
	root    string
	through string              // a link to root by which the files are read, if not by root: copies then have the same paths
	repos   *local.Repositories // of the last open
}

// newFleet lays out testdata/fleet.txtar: the blueprint is published as shop/v1.
func newFleet(t testing.TB) *fleet {
	t.Helper()
	f := &fleet{TB: t, root: t.TempDir()}
	for _, name := range []string{"blueprints.git", "deployments.git"} {
		if err := os.Rename(gittest.NewBare(t), f.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	ar, err := txtar.ParseFile("testdata/fleet.txtar")
	if err != nil {
		t.Fatal(err)
	}
	blueprint := map[string]string{}
	for _, file := range ar.Files {
		if name, ok := strings.CutPrefix(file.Name, "fleet/"); ok {
			f.write(name, string(file.Data))
		} else {
			blueprint[file.Name] = string(file.Data)
		}
	}
	f.release(1, gittest.Files(blueprint))
	gittest.Commit(t, f.path("deployments.git"), gittest.Change{Message: "The fleet begins\n"})
	return f
}

func (f *fleet) path(name string) string { return filepath.Join(f.root, name) }

// folder is where the files are read.
func (f *fleet) folder() string { return filepath.Join(cmp.Or(f.through, f.root), "fleet") }

// link has the files read by a link.
func (f *fleet) link(through string) {
	f.Helper()
	if err := os.Remove(through); err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.Fatal(err)
	}
	if err := os.Symlink(f.root, through); err != nil {
		f.Fatal(err)
	}
	f.through = through
}

// write puts one file of objects into the folder.
func (f *fleet) write(name, text string) {
	f.Helper()
	file := f.path("fleet/" + name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		f.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		f.Fatal(err)
	}
}

// edit replaces pairs of text, each of which must be there, in one file of objects.
func (f *fleet) edit(name string, oldnew ...string) {
	f.Helper()
	f.write(name, replace(f, f.read(name), oldnew...))
}

func (f *fleet) remove(name string) {
	f.Helper()
	if err := os.Remove(f.path("fleet/" + name)); err != nil {
		f.Fatal(err)
	}
}

// variantFile is the variant of the fleet as it begins.
func (f *fleet) variantFile() string {
	f.Helper()
	ar, err := txtar.ParseFile("testdata/fleet.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range ar.Files {
		if file.Name == "fleet/eu.yaml" {
			return string(file.Data)
		}
	}
	f.Fatal("there is no fleet/eu.yaml")
	return ""
}

func (f *fleet) read(name string) string {
	f.Helper()
	data, err := os.ReadFile(f.path("fleet/" + name))
	if err != nil {
		f.Fatal(err)
	}
	return string(data)
}

func replace(t testing.TB, text string, oldnew ...string) string {
	t.Helper()
	for i := 0; i < len(oldnew); i += 2 {
		if !strings.Contains(text, oldnew[i]) {
			t.Fatalf("there is no %q in:\n%s", oldnew[i], text)
		}
		text = strings.ReplaceAll(text, oldnew[i], oldnew[i+1])
	}
	return text
}

// release commits files to the blueprints, a minute after the release before, and tags shop/v<n>.
func (f *fleet) release(n int, files map[string]*string) {
	f.Helper()
	dir := f.path("blueprints.git")
	gittest.Commit(f, dir, gittest.Change{Files: files, When: gittest.Epoch.Add(time.Duration(n) * time.Minute), Tag: fmt.Sprintf("shop/v%d", n)})
}

// upstream is a file of the blueprint as it is on main, with pairs of text replaced.
func (f *fleet) upstream(file string, oldnew ...string) *string {
	f.Helper()
	text := replace(f, gittest.Git(f, f.path("blueprints.git"), "show", "main:"+file)+"\n", oldnew...)
	return &text
}

// open reads the folder and opens what it names; onStep may be nil.
func (f *fleet) open(onStep func(gitrepo.Step)) (*local.Input, *reconciler.Reconciler) {
	f.Helper()
	in, err := local.Read([]string{f.folder()}, strings.NewReader(""))
	if err != nil {
		f.Fatal(err)
	}
	f.repos = in.Repositories(onStep)
	return in, &reconciler.Reconciler{Repositories: f.repos, Functions: functions, Context: in.Lister, Unexpanded: in.Unexpanded, Budgets: in}
}

// reconcile reconciles every variant in the folder, as a new process would.
func (f *fleet) reconcile() []reconciler.Report {
	f.Helper()
	in, r := f.open(nil)
	return all(in, r)
}

func (f *fleet) dryRun() []reconciler.Report {
	f.Helper()
	in, r := f.open(nil)
	r.DryRun = true
	return all(in, r)
}

func all(in *local.Input, r *reconciler.Reconciler) []reconciler.Report {
	return r.ReconcileAll(ctx, in.Variants, nil)
}

// expect reconciles and compares what came of it, a line per variant: name, action, draft, message.
func (f *fleet) expect(reason string, want ...string) []reconciler.Report {
	f.Helper()
	reports := f.reconcile()
	if diff := gocmp.Diff(want, lines(reports)); diff != "" {
		f.Fatalf("%s (-want +got):\n%s", reason, diff)
	}
	gittest.Fsck(f, f.path("deployments.git"))
	return reports
}

func lines(reports []reconciler.Report) (out []string) {
	for _, r := range reports {
		line := fmt.Sprintf("%s %s", r.Name, r.Action)
		for _, s := range []string{r.Draft, r.Message} {
			if s != "" {
				line += ": " + s
			}
		}
		out = append(out, line)
	}
	return out
}

// expectQuiet is expect of something that must leave every ref where it was.
func (f *fleet) expectQuiet(reason string, want ...string) []reconciler.Report {
	f.Helper()
	var out []reconciler.Report
	f.unmoved(reason, func() { out = f.expect(reason, want...) })
	return out
}

// unmoved fails unless do leaves every ref of both repositories where it was.
func (f *fleet) unmoved(reason string, do func()) {
	f.Helper()
	before := f.refs()
	do()
	if diff := gocmp.Diff(before, f.refs()); diff != "" {
		f.Fatalf("%s: refs moved (-before +after):\n%s", reason, diff)
	}
}

func (f *fleet) refs() string {
	f.Helper()
	return gittest.Refs(f, f.path("blueprints.git")) + "\n\n" + gittest.Refs(f, f.path("deployments.git"))
}

// moveTo releases a blueprint and points the variant at it.
func (f *fleet) moveTo(n int, files map[string]*string) {
	f.Helper()
	f.release(n, files)
	f.edit("eu.yaml", fmt.Sprintf("revision: %d", n-1), fmt.Sprintf("revision: %d", n))
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

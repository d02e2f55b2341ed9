package upstream_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// pair is one package, got, updated and edited by kpt in one folder and by waybill in another.
type pair struct {
	*repositories
	kpt, ours *kptEnv
	strategy  merge.Strategy // of the last command
	before    folderContent  // kpt's, before the last command
	after     folderContent  // ours, after it, if kpt refused it
	bytes     []string       // files of which the last command made different bytes
}

// packageName is what the package is called in both folders.
const packageName = "here"

func newPair(t testing.TB, s *repositories) *pair {
	return &pair{repositories: s, kpt: newKptEnv(t), ours: newKptEnv(t)}
}

func (d *pair) dirs() []string {
	return []string{filepath.Join(d.kpt.dir, packageName), filepath.Join(d.ours.dir, packageName)}
}

// get gets what is at target, which is NAME.git/dir@ref, or one of those words with which kpt's command
// begins.
func (d *pair) get(t testing.TB, args ...string) (kpt, ours error) {
	t.Helper()
	target, o := "", upstream.GetOptions{Name: packageName, Strategy: merge.ResourceMerge}
	for _, arg := range args {
		if s, ok := strings.CutPrefix(arg, "--strategy="); ok {
			o.Strategy = merge.Strategy(s)
		} else if arg == "--for-deployment" {
			o.Deployment = true
		} else {
			target = d.text(arg)
		}
	}
	d.before, d.strategy = folderContent{}, o.Strategy
	from, err := upstream.ParseTarget(d.base + "/" + target)
	if err != nil {
		t.Fatal(err)
	}
	flags := slices.DeleteFunc(slices.Clone(args), func(a string) bool { return !strings.HasPrefix(a, "--") })
	kpt = d.kpt.kpt(append([]string{"pkg", "get", d.base + "/" + target, packageName}, flags...)...)
	got, ours := upstream.Get(t.Context(), upstream.Git{}, from, o)
	if ours == nil {
		putTree(t, d.dirs()[1], pkgtree.Tree{}, got.Tree)
		runnable(t, d.dirs()[1], got.Executable)
	}
	return kpt, ours
}

// update updates the package in sub, "." for the root.
func (d *pair) update(t testing.TB, sub, ref string, s merge.Strategy) (kpt, ours error) {
	t.Helper()
	dirs := d.dirs()
	d.before, d.strategy = readFolder(t, dirs[0]), s
	args := []string{"pkg", "update", filepath.Join(packageName, sub)}
	if ref = d.text(ref); ref != "" {
		args[2] += "@" + ref
	}
	if s != "" {
		args = append(args, "--strategy="+string(s))
	}
	return d.kpt.kpt(args...), d.updateOurs(t, sub, ref, s)
}

// updateOurs updates ours alone.
func (d *pair) updateOurs(t testing.TB, sub, ref string, s merge.Strategy) error {
	t.Helper()
	dir := filepath.Join(d.dirs()[1], sub)
	tree := readTree(t, dir)
	got, err := upstream.Update(t.Context(), upstream.Git{}, tree, upstream.UpdateOptions{Ref: ref, Strategy: s})
	if err == nil {
		putTree(t, dir, tree, got.Tree)
		runnable(t, dir, slices.DeleteFunc(got.Executable, func(p string) bool { return tree.Blob(p) != nil })) // as they were here
	}
	return err
}

// runnable makes files executable, if they exist.
func runnable(t testing.TB, dir string, files []string) {
	t.Helper()
	for _, p := range files {
		if err := os.Chmod(filepath.Join(dir, p), 0o755); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

// compare returns the differences between the two that the page does not list, and
// the rows of the page for the others.
func (d *pair) compare(t testing.TB) (diff string, rows []string) {
	t.Helper()
	dirs := d.dirs()
	c := &comparison{kpt: readFolder(t, dirs[0]), ours: readFolder(t, dirs[1]), before: d.before, strategy: d.strategy, repositories: d.repositories}
	d.bytes = nil
	for _, p := range c.ours.paths() {
		a, errA := os.ReadFile(filepath.Join(dirs[0], p))
		b, errB := os.ReadFile(filepath.Join(dirs[1], p))
		if errA == nil && errB == nil && string(a) != string(b) {
			d.bytes = append(d.bytes, p)
		}
	}
	diff = c.diff()
	for _, row := range differences {
		if diff == "" {
			break
		}
		before := diff
		row.normalise(c)
		if diff = c.diff(); diff != before {
			rows = append(rows, row.row)
		}
	}
	return diff, rows
}

package upstream_test

import (
	"cmp"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/merge"
)

// locked is the repository, the commit and the directory to which the Kptfile k was updated.
func (s *repositories) locked(k content) (name, commit, dir string) {
	git := func(name string) string { s, _ := fieldAt(k.Data, "upstreamLock", "git", name).(string); return s }
	return path.Base(git("repo")), cmp.Or(s.tags[git("commit")], git("commit")), strings.Trim(git("directory"), "/")
}

// upstreamText is a file of what the Kptfile k was updated to, "" if there is none.
func (c *comparison) upstreamText(k content, file string) string {
	name, commit, dir := c.repositories.locked(k)
	return c.repositories.show(name, commit, path.Join(dir, file))
}

// neverFetched: kpt takes that Kptfile, and nothing else.
func neverFetched(c *comparison) {
	c.eachKptfile(func(p string, kpt, ours *content) {
		theirs := c.upstreamText(*ours, "Kptfile")
		if !strings.Contains(theirs, "\nupstream:") || strings.Contains(theirs, "\nupstreamLock:") {
			return
		}
		dir := path.Dir(p)
		for _, f := range c.before.paths() {
			if c.before.packageOf(f) == dir && f != p && !reflect.DeepEqual(c.before[f], c.kpt[f]) {
				return
			}
		}
		*kpt = *ours
		for _, f := range slices.Concat(c.kpt.paths(), c.ours.paths()) {
			if f == p || c.kpt.packageOf(f) != dir {
				continue
			}
			if c.kpt[f] = c.ours[f]; c.ours[f] == nil {
				delete(c.kpt, f)
			}
		}
	})
}

// lostKptfiles: kpt writes an empty one for a subpackage that has none here.
func lostKptfiles(c *comparison) {
	for _, p := range c.kpt.paths() {
		if o := c.kpt.objects(p); path.Base(p) == "Kptfile" && len(o) == 1 && withoutEmpty(o[0].Data) == nil && c.ours[p] == nil && c.before[p] == nil {
			delete(c.kpt, p)
		}
	}
}

// droppedKptfile: kpt treats it as an empty one.
func droppedKptfile(c *comparison) {
	c.eachKptfile(func(p string, kpt, ours *content) {
		if b := c.before.objects(p); len(b) == 1 && c.upstreamText(*ours, "Kptfile") == "" && reflect.DeepEqual(own(b[0]), own(*ours)) {
			kpt.Data = withOwn(kpt.Data, ours.Data)
		}
	})
}

// own is the content of a Kptfile without its upstream.
func own(k content) any { return with(with(k.Data, nil, "upstream"), nil, "upstreamLock") }

// withOwn is the Kptfile k with the content of other without its upstream.
func withOwn(k, other any) any {
	for _, name := range []string{"upstream", "upstreamLock"} {
		other = with(other, fieldAt(k, name), name)
	}
	return other
}

// kptfileUnder: kpt leaves it as it was here.
func kptfileUnder(s merge.Strategy) func(c *comparison) {
	return func(c *comparison) {
		c.eachKptfile(func(p string, kpt, ours *content) {
			b := c.before.objects(p)
			if len(b) == 0 { // it came with this very update
				dir := path.Dir(path.Dir(p))
				b, _ = readFile("Kptfile", []byte(c.upstreamText(c.ours.root(dir), rel(c.ours.rootDir(dir), p)))).([]content)
			}
			if fieldAt(kpt.Data, "upstream", "updateStrategy") == string(s) && len(b) == 1 && reflect.DeepEqual(own(b[0]), own(*kpt)) {
				kpt.Data = withOwn(kpt.Data, ours.Data)
			}
		})
	}
}

// refusals are why kpt alone refuses an update, by rows of the page.
var refusals = map[string]func(d *pair, kpt error) bool{
	"A subpackage that has no Kptfile here": func(d *pair, kpt error) bool {
		return strings.Contains(kpt.Error(), "missing Resource metadata") && (d.lostKptfile(d.before) || d.lostKptfile(d.after))
	},
	"A Kptfile that upstream dropped": func(d *pair, kpt error) bool {
		name, commit, in := d.locked(d.before.root("."))
		return strings.Contains(kpt.Error(), "have been modified: [Kptfile]") && !slices.Contains(d.list(name, commit, in), "Kptfile")
	},
}

// lostKptfile reports whether upstream says, at the lock that the root has in r, that a folder is a subpackage,
// and we do not.
func (d *pair) lostKptfile(r folderContent) bool {
	name, commit, in := d.locked(r.root("."))
	return slices.ContainsFunc(d.list(name, commit, in), func(p string) bool {
		dir := path.Dir(p)
		return path.Base(p) == "Kptfile" && dir != "." && d.before[p] == nil && len(d.before.in(dir)) > 0
	})
}

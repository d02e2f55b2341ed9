package upstream_test

import (
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
)

// remoteOfLocal: an update passes them over in kpt.
func remoteOfLocal(c *comparison) {
	for _, r := range []folderContent{c.kpt, c.ours, c.before} {
		for _, p := range r.paths() {
			dir := path.Dir(p)
			around := r.packageOf(dir)
			if dir == "." || around == "." || r.isRemote(around) || len(c.before) == 0 || !reflect.DeepEqual(c.kpt.in(dir), c.before.in(dir)) {
				continue
			}
			if r.isRemote(dir) || c.wasRemote(dir) {
				c.takeOurs(dir)
			}
		}
	}
}

// isRemote reports whether the package in dir has an upstream of its own.
func (r folderContent) isRemote(dir string) bool {
	k := r.objects(path.Join(dir, "Kptfile"))
	return len(k) == 1 && fieldAt(k[0].Data, "upstream") != nil
}

// in is what is in a folder.
func (r folderContent) in(dir string) folderContent {
	out := maps.Clone(r)
	maps.DeleteFunc(out, func(p string, _ any) bool { return !strings.HasPrefix(p, dir+"/") })
	return out
}

// takeOurs copies our content of dir to that of kpt.
func (c *comparison) takeOurs(dir string) {
	for _, p := range slices.Concat(c.kpt.paths(), c.ours.paths()) {
		if p != dir && !strings.HasPrefix(p, dir+"/") {
			continue
		}
		if c.kpt[p] = c.ours[p]; c.ours[p] == nil {
			delete(c.kpt, p)
		}
	}
}

// droppedRemote: kpt deletes the folder, although upstream has it still; or it comes back when it was deleted
// here, although the user did not ask for it.
func droppedRemote(c *comparison) {
	for _, p := range slices.Concat(c.before.paths(), c.kpt.paths()) {
		dir := path.Dir(p)
		if dir == "." || c.kpt[path.Join(dir, "Kptfile")] != nil {
			continue
		}
		name, commit, in := c.repositories.locked(c.ours.root(path.Dir(dir)))
		there := c.repositories.list(name, commit, path.Join(in, rel(c.ours.rootDir(path.Dir(dir)), dir)))
		deletes := c.before.isRemote(dir) && len(c.kpt.in(dir)) == 0
		restores := len(c.before.in(dir)) == 0 && len(c.ours.in(dir)) == 0
		if len(there) > 0 && !slices.Contains(there, "Kptfile") && (deletes || restores && c.wasRemote(dir)) {
			c.takeOurs(dir)
		}
	}
}

// wasRemote reports whether the folder was a remote subpackage in what the package was last updated to.
func (c *comparison) wasRemote(dir string) bool {
	name, commit, in := c.repositories.locked(c.before.root(path.Dir(dir)))
	text := c.repositories.show(name, commit, path.Join(in, rel(c.before.rootDir(path.Dir(dir)), dir), "Kptfile"))
	return strings.Contains(text, "\nupstream:")
}

// rootDir is the nearest package around dir that has an upstream of its own.
func (r folderContent) rootDir(dir string) string {
	for dir != "." {
		if k := r.objects(path.Join(dir, "Kptfile")); len(k) == 1 && fieldAt(k[0].Data, "upstream") != nil {
			return dir
		}
		dir = path.Dir(dir)
	}
	return dir
}

// root is the Kptfile there.
func (r folderContent) root(dir string) content {
	if k := r.objects(path.Join(r.rootDir(dir), "Kptfile")); len(k) == 1 {
		return k[0]
	}
	return content{}
}

// rel is p as seen from dir.
func rel(dir, p string) string { return strings.TrimPrefix(p, strings.TrimSuffix(dir, ".")+"/") }

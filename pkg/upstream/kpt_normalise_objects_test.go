package upstream_test

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
)

// orderOfObjects: kpt makes it of all three trees.
func orderOfObjects(c *comparison) {
	for _, r := range []folderContent{c.kpt, c.ours, c.before} {
		for _, p := range r.paths() {
			if objects := slices.Clone(r.objects(p)); len(objects) > 1 {
				slices.SortStableFunc(objects, func(a, b content) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
				r[p] = objects
			}
		}
	}
}

// lastObject: kpt forgets to delete the file when the package has no other object.
func lastObject(c *comparison) {
	for _, p := range c.kpt.paths() {
		if len(c.kpt.objects(p)) == 0 || c.ours[p] != nil || path.Base(p) == "Kptfile" || !reflect.DeepEqual(c.kpt[p], c.before[p]) {
			continue
		}
		if dir := c.ours.packageOf(p); !c.ours.hasObjects(dir) && (c.goneFrom(dir, p) || c.goneFrom(path.Dir(dir), p)) {
			delete(c.kpt, p)
		}
	}
}

// hasObjects reports whether the package in dir has any, apart from its Kptfile.
func (r folderContent) hasObjects(dir string) bool {
	return slices.ContainsFunc(r.paths(), func(p string) bool {
		return path.Base(p) != "Kptfile" && len(r.objects(p)) > 0 && r.packageOf(p) == dir
	})
}

// goneFrom reports whether the upstream of what is in dir, or around it, has none of the objects that kpt has
// in the file p.
func (c *comparison) goneFrom(dir, p string) bool {
	there, _ := readFile(p, []byte(c.upstreamText(c.ours.root(dir), rel(c.ours.rootDir(dir), p)))).([]content)
	return !slices.ContainsFunc(c.kpt.objects(p), func(k content) bool {
		return slices.ContainsFunc(there, func(u content) bool { return k.name() == u.name() })
	})
}

// name is what an object is called, with its kind.
func (o content) name() string {
	return fmt.Sprint(fieldAt(o.Data, "kind"), " ", fieldAt(o.Data, "metadata", "name"))
}

// emptied: kpt keeps or drops maps and lists that became empty by rules of its own.
func emptied(c *comparison) {
	for _, r := range []folderContent{c.kpt, c.ours, c.before} {
		r.each(func(_ string, o content) content { return content{withoutEmpty(o.Data), o.Comments} })
	}
}

// withoutEmpty is v without empty maps and lists, nil for one of them.
func withoutEmpty(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			if e = withoutEmpty(e); e != nil {
				out[k] = e
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case []any:
		out := []any{}
		for _, e := range v {
			if m, _ := withoutEmpty(e).(map[string]any); len(m) == 1 && m["name"] != nil {
				continue // an item that comes back without what was in it
			}
			if e = withoutEmpty(e); e != nil {
				out = append(out, e)
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	}
	return v
}

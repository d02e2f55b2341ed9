package upstream_test

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// reading is what a folder says, by path: a list of objects, or the text of a file, or "folder" for one
// with nothing in it, or "link". A file that may be run is there twice, once as "(program)".
type reading map[string]any

// spoken is one object: its data and its comments, the latter in no order.
type spoken struct {
	Data     any
	Comments []string
}

// readFolder reads a folder as it stands on disk.
func readFolder(t testing.TB, dir string) reading {
	t.Helper()
	out := reading{}
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || file == dir {
			return err
		}
		p, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		switch {
		case e.IsDir():
			inside, err := os.ReadDir(file)
			if len(inside) == 0 {
				out[p] = "folder"
			}
			return err
		case !e.Type().IsRegular():
			out[p] = "link"
			return nil
		}
		data, err := os.ReadFile(file)
		if err == nil {
			out[p] = saysFile(p, data)
		}
		if info, err := e.Info(); err == nil && info.Mode()&0o100 != 0 {
			out[p+" (program)"] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// saysFile is what one file says.
func saysFile(p string, data []byte) any {
	if ext := path.Ext(p); path.Base(p) != "Kptfile" && ext != ".yaml" && ext != ".yml" {
		return string(data)
	}
	objects, err := krm.Read(p, data, krm.Limits{})
	if err != nil {
		return string(data)
	}
	out := []spoken{}
	for _, o := range objects {
		v, err := krm.Value(o.Node())
		if err != nil {
			return string(data)
		}
		var comments []string
		for _, line := range o.Comments() {
			if line = strings.TrimSpace(line); line != "" {
				comments = append(comments, line)
			}
		}
		slices.Sort(comments)
		out = append(out, spoken{v, comments})
	}
	return out
}

// objects are those of the file p.
func (r reading) objects(p string) []spoken {
	o, _ := r[p].([]spoken)
	return o
}

// paths are those of all files, sorted.
func (r reading) paths() []string { return slices.Sorted(maps.Keys(r)) }

// each replaces every object by what f makes of it.
func (r reading) each(f func(p string, o spoken) spoken) {
	for p, v := range r {
		objects, ok := v.([]spoken)
		if !ok {
			continue
		}
		objects = slices.Clone(objects)
		for i := range objects {
			objects[i] = f(p, objects[i])
		}
		r[p] = objects
	}
}

// fieldAt is the value at a path of names, nil when there is none.
func fieldAt(v any, names ...string) any {
	for _, name := range names {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// packageOf is the folder of the package that p is in.
func (r reading) packageOf(p string) string {
	dir := path.Dir(p)
	for dir != "." && r[path.Join(dir, "Kptfile")] == nil {
		dir = path.Dir(dir)
	}
	return dir
}

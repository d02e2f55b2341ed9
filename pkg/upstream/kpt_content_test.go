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

// folderContent is the content of a folder, by path: a list of objects, or the text of a file, or "folder" for one
// with nothing in it, or "link". A file that may be run is there twice, once as "(program)".
type folderContent map[string]any

// content is one object: its data and its comments, the latter in no order.
type content struct {
	Data     any
	Comments []string
}

// readFolder reads a folder as it stands on disk.
func readFolder(t testing.TB, dir string) folderContent {
	t.Helper()
	out := folderContent{}
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
			out[p] = readFile(p, data)
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

// readFile is the content of one file.
func readFile(p string, data []byte) any {
	if ext := path.Ext(p); path.Base(p) != "Kptfile" && ext != ".yaml" && ext != ".yml" {
		return string(data)
	}
	objects, err := krm.Read(p, data, krm.Limits{})
	if err != nil {
		return string(data)
	}
	out := []content{}
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
		out = append(out, content{v, comments})
	}
	return out
}

// objects are those of the file p.
func (r folderContent) objects(p string) []content {
	o, _ := r[p].([]content)
	return o
}

// paths are those of all files, sorted.
func (r folderContent) paths() []string { return slices.Sorted(maps.Keys(r)) }

// each replaces every object by what f makes of it.
func (r folderContent) each(f func(p string, o content) content) {
	for p, v := range r {
		objects, ok := v.([]content)
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
func (r folderContent) packageOf(p string) string {
	dir := path.Dir(p)
	for dir != "." && r[path.Join(dir, "Kptfile")] == nil {
		dir = path.Dir(dir)
	}
	return dir
}

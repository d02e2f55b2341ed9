package variant

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// IsResource reports whether a file can hold objects, by its name, as kpt does.
func IsResource(file string) bool {
	switch path.Ext(file) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return path.Base(file) == kptfile.Name
}

// resourceFile is a file that was parsed.
type resourceFile struct {
	path    string
	objects []*krm.Object
}

// readFiles parses the files that in accepts, in path order.
func readFiles(tree pkgtree.Tree, parsed *krm.Parsed, in func(file string) bool) (files []resourceFile, err error) {
	for file, blob := range tree.All() {
		if !in(file) {
			continue
		}
		objects, err := parsed.Read(file, blob.GitID(), blob.Size(), func() ([]*krm.Object, error) {
			return krm.Read(file, blob.Data(), krm.Limits{})
		})
		if err != nil {
			return nil, err
		}
		files = append(files, resourceFile{file, objects})
	}
	return files, nil
}

// replace returns tree with changed objects in place of those of files. Files without a change stay.
func replace(tree pkgtree.Tree, files []resourceFile, changed map[*krm.Object]*krm.Object) (pkgtree.Tree, error) {
	changes := map[string][]byte{}
	for _, f := range files {
		if !slices.ContainsFunc(f.objects, func(o *krm.Object) bool { return changed[o] != nil }) {
			continue
		}
		for i, o := range f.objects {
			f.objects[i] = cmp.Or(changed[o], o)
		}
		data, err := encode(f.path, f.objects)
		if err != nil {
			return tree, fmt.Errorf("%s: %w", f.path, err)
		}
		changes[f.path] = data
	}
	if len(changes) == 0 {
		return tree, nil
	}
	return tree.Apply(changes)
}

// encode writes objects as the content of a file.
func encode(file string, objects []*krm.Object) ([]byte, error) {
	if path.Ext(file) != ".json" || len(objects) != 1 {
		return krm.Write(objects)
	}
	v, err := krm.Value(objects[0].Node())
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err = enc.Encode(v)
	return buf.Bytes(), err
}

// EditKptfile returns tree with the root Kptfile as edit leaves it.
func EditKptfile(tree pkgtree.Tree, edit func(*kptfile.File)) (pkgtree.Tree, error) {
	f, err := RootKptfile(tree)
	if err != nil {
		return tree, err
	}
	edit(f)
	data, err := f.Bytes()
	if err != nil {
		return tree, fmt.Errorf("%s: %w", kptfile.Name, err)
	}
	if before, _ := tree.Get(kptfile.Name); bytes.Equal(before, data) {
		return tree, nil
	}
	return tree.Apply(map[string][]byte{kptfile.Name: data})
}

// RootKptfile parses the Kptfile of a package.
func RootKptfile(tree pkgtree.Tree) (*kptfile.File, error) {
	data, ok := tree.Get(kptfile.Name)
	if !ok {
		return nil, fmt.Errorf("not a package: no %s at its root", kptfile.Name)
	}
	return kptfile.Parse(kptfile.Name, data)
}

package render

import (
	"bytes"
	"fmt"
	"path"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render/load"
)

// checkOverwrite refuses to write data, which is objs, to file where that would lose the file's content, or make a
// package that cannot be rendered again.
func (f origins) checkOverwrite(tree pkgtree.Tree, file string, objs []*krm.Object, data []byte) error {
	moved := f.moved(file, objs)
	isKptfile := path.Base(file) == kptfile.Name
	switch {
	case isKptfile && moved != nil && (len(objs) != 1 || !objs[0].Is("kpt.dev", "Kptfile")):
		return fmt.Errorf("%s would be written to it; a Kptfile holds one object, of kind Kptfile", moved.Title())
	case isKptfile:
		return checkKptfile(tree, file, data)
	case moved == nil:
		return nil
	}
	there, exists := tree.Get(file)
	if !exists || len(f[file]) > 0 || bytes.Equal(there, data) || load.IsResourceFile(file) && holdsNoYAML(there) {
		return nil
	}
	return fmt.Errorf("%s would replace it, and it was not read: it is not a resource file, or %s hides it; "+
		"configure the function to write the object to another file, or remove the file", moved.Title(), load.IgnoreFile)
}

// checkKptfile refuses to make a valid Kptfile invalid.
func checkKptfile(tree pkgtree.Tree, file string, data []byte) error {
	err := validKptfile(file, data)
	if err == nil {
		return nil
	}
	if before, _ := tree.Get(file); validKptfile(file, before) != nil { // Eval accepts an invalid Kptfile
		return nil
	}
	return fmt.Errorf("the Kptfile that a function returned is not valid: %w", err)
}

func validKptfile(file string, data []byte) error {
	k, err := kptfile.Parse(file, data)
	if err != nil {
		return err
	}
	return k.ValidatePipeline()
}

// moved is the first of objs that was not read from file, nil when all were.
func (f origins) moved(file string, objs []*krm.Object) *krm.Object {
	read := sets.New(f[file]...)
	for _, o := range objs {
		if !read.Has(o.Origin()) {
			return o
		}
	}
	return nil
}

// holdsNoYAML reports whether text holds only comments and separators.
func holdsNoYAML(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && string(line) != "---" {
			return false
		}
	}
	return true
}

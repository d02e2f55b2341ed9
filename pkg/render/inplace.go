package render

import (
	"bytes"
	"fmt"
	"path"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// mayWrite refuses to write data, which is objs, to file where that would lose something, or make a
// package that cannot be rendered again.
func (f origins) mayWrite(tree pkgtree.Tree, file string, objs []*krm.Object, data []byte) error {
	moved := f.moved(file, objs)
	isKptfile := path.Base(file) == kptfileName
	switch {
	case isKptfile && moved != nil && (len(objs) != 1 || !objs[0].Is("kpt.dev", "Kptfile")):
		return fmt.Errorf("%s would be put into it; a Kptfile holds one object, of kind Kptfile", moved.Title())
	case isKptfile:
		return staysKptfile(tree, file, data)
	case moved == nil:
		return nil
	}
	there, exists := tree.Get(file)
	if !exists || len(f[file]) > 0 || bytes.Equal(there, data) || isResourceFile(file) && saysNothing(there) {
		return nil
	}
	return fmt.Errorf("%s would replace it, a file that was not read: no resource file, or hidden by a %s; "+
		"have the function put the object elsewhere, or remove the file", moved.Title(), ignoreFile)
}

// staysKptfile refuses to make of a Kptfile that can be read one that cannot.
func staysKptfile(tree pkgtree.Tree, file string, data []byte) error {
	err := readableKptfile(file, data)
	if err == nil {
		return nil
	}
	if before, _ := tree.Get(file); readableKptfile(file, before) != nil { // as it may be in an evaluation
		return nil
	}
	return fmt.Errorf("a function made it a Kptfile that cannot be rendered: %w", err)
}

func readableKptfile(file string, data []byte) error {
	k, err := kptfile.Parse(file, data)
	if err != nil {
		return err
	}
	return k.ValidatePipeline()
}

// moved is the first of objs that was not read from file, nil when all were.
func (f origins) moved(file string, objs []*krm.Object) *krm.Object {
	read := f.setOf(file)
	for _, o := range objs {
		if !read[o.Origin()] {
			return o
		}
	}
	return nil
}

// saysNothing reports whether text holds no YAML but comments and separators.
func saysNothing(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && string(line) != "---" {
			return false
		}
	}
	return true
}

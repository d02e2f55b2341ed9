package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// place is what the output is.
func (m *pkgMerge) place() (outputPlace, error) {
	out, err := os.Stat(m.output)
	if errors.Is(err, fs.ErrNotExist) {
		return newPlace, mustNotExist(m.output) // a link that leads nowhere is there
	}
	if err != nil {
		return 0, err
	}
	if ours, err := os.Stat(m.ours); err == nil && os.SameFile(out, ours) {
		return oursPlace, nil
	}
	if !out.IsDir() {
		return 0, fmt.Errorf("--output %q is not a folder", m.output)
	}
	entries, err := os.ReadDir(m.output)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("--output %q is not empty, and is not the folder in --ours", m.output)
	}
	return emptyPlace, err
}

// outputPlace is what the output is before it is written.
type outputPlace int

const (
	newPlace   outputPlace = iota // not there
	emptyPlace                    // an empty folder
	oursPlace                     // the folder in --ours
)

// write writes the result. A file may be run if it may be run here, or there and is new.
func (m *pkgMerge) write(place outputPlace, in [3]pkgtree.Tree, tree pkgtree.Tree) error {
	ours := in[2]
	programs, err := executables(m.ours, ours)
	if err != nil {
		return err
	}
	theirs, err := executables(m.theirs, in[1])
	if err != nil {
		return err
	}
	for _, file := range theirs {
		if ours.Blob(file) == nil {
			programs = append(programs, file)
		}
	}
	programs = slices.DeleteFunc(programs, func(file string) bool { return tree.Blob(file) == nil })
	switch place {
	case newPlace:
		return placePackage(m.output, tree, programs)
	case emptyPlace:
		ours = pkgtree.Tree{}
	}
	return pkgtree.WriteDir(m.output, ours, tree, programs...)
}

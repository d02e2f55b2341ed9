package pkg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

func (m *mergeCommand) place() (outputPlace, error) {
	out, err := os.Stat(m.output)
	if errors.Is(err, fs.ErrNotExist) {
		return newPlace, cli.CheckAbsent(m.output) // a dangling link counts as existing
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

// outputPlace is the state of the output folder before it is written.
type outputPlace int

const (
	newPlace   outputPlace = iota // does not exist
	emptyPlace                    // an empty folder
	oursPlace                     // the folder in --ours
)

// write writes the result. A file is executable if it is in --ours, or if it is new and is in --theirs.
func (m *mergeCommand) write(place outputPlace, in [3]pkgtree.Tree, tree pkgtree.Tree) error {
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
		return cli.MakePackage(m.output, tree, programs)
	case emptyPlace:
		ours = pkgtree.Tree{}
	}
	return pkgtree.WriteDir(m.output, ours, tree, programs...)
}

// executables returns the executable files of tree, which was read from dir.
func executables(dir string, tree pkgtree.Tree) ([]string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var out []string
	for _, file := range tree.Paths() {
		st, err := root.Lstat(filepath.FromSlash(file))
		if err != nil {
			return nil, err
		}
		if st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			out = append(out, file)
		}
	}
	return out, nil
}

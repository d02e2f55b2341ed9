package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

// PrintableItems returns copies of items with paths from the root package, without annotations that only an orchestrator
// needs. As in kpt, the style of sequences stays: `kpt fn sink` reads it.
func PrintableItems(items []*krm.Object) []*krm.Object {
	out := make([]*krm.Object, len(items))
	for i, o := range items {
		c := o.DeepCopy()
		c.RemoveAnnotations(func(key string) bool { return krm.IsOrchestration(key) && !printed(key) })
		c.SetAnnotation(krm.LegacyPathAnnotation, render.FileOf(o))
		c.SetAnnotation(krm.PathAnnotation, render.FileOf(o))
		out[i] = c
	}
	return out
}

func printed(key string) bool {
	return slices.ContainsFunc([]string{"/path", "/index", "/seqindent"}, func(suffix string) bool { return strings.HasSuffix(key, suffix) })
}

// CheckAbsent returns an error if dir exists.
func CheckAbsent(dir string) error {
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("directory %q already exists, please delete the directory and retry", dir)
	}
	return nil
}

// FinishWrites completes writes to dir, or to folders in or around it, that a killed process left unfinished.
func FinishWrites(stderr io.Writer, dir string) error {
	did, err := pkgtree.Recover(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the next read reports that there is no such folder
	}
	if did && err == nil {
		reportFinished(stderr, dir)
	}
	return err
}

func reportFinished(stderr io.Writer, dir string) {
	fmt.Fprintf(stderr, "An earlier write to %q was interrupted; waybill finished it.\n", dir)
}

// ReadFinished is FinishWrites, and then reads what a render reads. Of a folder without interrupted writes, that takes half of the time.
func ReadFinished(stderr io.Writer, dir string) (pkgtree.Tree, error) {
	return render.ReadWith(func(limits pkgtree.Limits) (pkgtree.Tree, error) {
		tree, did, err := pkgtree.ReadRecovered(dir, limits)
		if did {
			reportFinished(stderr, dir)
		}
		return tree, err
	})
}

// Destination returns the folder for a package of that name: dest, or a new folder in dest if dest exists.
func Destination(dest, name string) (string, error) {
	switch st, err := os.Stat(dest); {
	case err == nil && !st.IsDir():
		return "", fmt.Errorf("destination %q must be a directory", dest)
	case err == nil:
		dest = filepath.Join(dest, name)
	}
	dest = filepath.Clean(dest)
	if _, err := os.Lstat(dest); err == nil {
		return "", fmt.Errorf("destination directory %q already exists", dest)
	}
	switch st, err := os.Stat(filepath.Dir(dest)); {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("parent directory %q does not exist", filepath.Dir(dest))
	case err != nil:
		return "", fmt.Errorf("destination %q: %w", dest, err)
	case !st.IsDir():
		return "", fmt.Errorf("parent %q is not a directory", filepath.Dir(dest))
	}
	return dest, nil
}

// MakePackage writes tree to dir, which must not exist: completely or not at all.
func MakePackage(dir string, tree pkgtree.Tree, programs []string) error {
	err := pkgtree.MakeDir(dir, tree, programs...)
	if errors.Is(err, fs.ErrExist) { // another process made it
		return fmt.Errorf("destination directory %q already exists", dir)
	}
	return err
}

// WriteList prints a list as a ResourceList, or with format "unwrap" as plain documents.
func WriteList(stdout io.Writer, format string, list *fn.List) error {
	write := list.Write
	if format == "unwrap" {
		write = func() ([]byte, error) { return krm.Write(list.Items) }
	}
	data, err := write()
	if err == nil {
		_, err = stdout.Write(data)
	}
	return err
}

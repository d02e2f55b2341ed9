package image

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeFile makes path hold what fill writes, or leaves it as it was: the content goes to a
// temporary neighbour that is renamed when it is complete.
func writeFile(path string, fill func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // the first error is the one that matters
		}
	}()
	if err := fillAndClose(f, fill); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// fillAndClose makes the file readable by all (temporary files are not) and durable before it is
// renamed, or a crash could leave a whole name with half a content.
func fillAndClose(f *os.File, fill func(io.Writer) error) error {
	w := bufio.NewWriter(f)
	err := fill(w)
	for _, step := range []func() error{w.Flush, func() error { return f.Chmod(0o644) }, f.Sync} {
		if err == nil {
			err = step()
		}
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// maxManifest is how large a manifest may be. Registries need not take larger ones.
const maxManifest = 4 << 20

// readManifest reads a manifest or another small file of a layout.
func readManifest(path string) ([]byte, error) {
	if err := checkSmall(path); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return os.ReadFile(path) // #nosec G304 -- of the layout that the user named
}

// checkSmall wants a file that ends soon. The layout may come from elsewhere, and a pipe or a device has no end.
func checkSmall(path string) error {
	info, err := os.Stat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxManifest) {
		err = fmt.Errorf("%s: want a file of at most %d bytes, as manifests are", path, maxManifest)
	}
	return err
}

// writeBytes is writeFile for content at hand. A file that already holds it is left alone.
func writeBytes(path string, content []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return nil
	}
	return writeFile(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

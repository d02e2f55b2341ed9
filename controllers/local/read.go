package local

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func readPath(path string, stdin io.Reader) ([]*krm.Object, error) {
	if path == "-" {
		return readAll("stdin", stdin)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return readFile(path)
	}
	return readFolder(path)
}

// readFolder reads the YAML and JSON files below a folder, in path order. What begins with a dot is
// not looked at. A link to a file is followed as long as it stays in the folder, which is how
// Kubernetes mounts ConfigMaps; one that leads elsewhere could bring in what nobody meant to show.
func readFolder(path string) (out []*krm.Object, err error) {
	root, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		hidden := file != root && strings.HasPrefix(d.Name(), ".")
		switch {
		case err != nil:
			return err
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir() || hidden || !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(file)):
			return nil
		}
		name := filepath.Join(path, strings.TrimPrefix(file, root))
		if err := checkFile(root, file); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		objs, err := readFile(name)
		out = append(out, objs...)
		return err
	})
	return out, err
}

// checkFile refuses what is no regular file of the folder root, links resolved.
func checkFile(root, file string) error {
	at, err := filepath.EvalSymlinks(file)
	if err != nil {
		return errors.New("a symbolic link that leads nowhere")
	}
	if inside, err := filepath.Rel(root, at); err != nil || !filepath.IsLocal(inside) {
		return errors.New("a symbolic link out of the folder; name what it leads to by itself")
	}
	if info, err := os.Stat(at); err != nil || !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	return nil
}

func readFile(path string) ([]*krm.Object, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(path, f)
}

func readAll(name string, r io.Reader) ([]*krm.Object, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(krm.DefaultLimits.Bytes)+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	objs, err := krm.Read(name, data, krm.Limits{})
	if err != nil {
		return nil, err
	}
	for _, o := range objs {
		if o.Kind() == "" || o.APIVersion() == "" || o.Name() == "" {
			return nil, fmt.Errorf("%s: %w", o.Source, errors.New("an object needs apiVersion, kind and metadata.name"))
		}
	}
	return objs, nil
}

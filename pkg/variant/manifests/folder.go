package manifests

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// folder finds the files of objects in a folder.
type folder struct {
	root   string          // without symbolic links
	linked map[string]bool // hidden folders that links lead to and that are read
	files  []string        // as the user knows them
}

// Files names the files of objects that Read reads at a path: itself, or those below a folder, in path order.
func Files(path string) ([]string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}, err
	}
	root, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	f := &folder{root: root, linked: map[string]bool{}}
	err = f.walk(root, path)
	return f.files, err
}

// readFolder reads the YAML and JSON files below a folder, in path order. Names that begin with a dot are
// skipped. A link is followed if it stays in the folder, which is how Kubernetes mounts
// ConfigMaps; one that leads out of it could add files that the user did not name.
func readFolder(path string) (objects []*krm.Object, err error) {
	files, err := Files(path)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		objs, err := readFile(file)
		if err != nil {
			return nil, err
		}
		objects = append(objects, objs...)
	}
	return objects, nil
}

// walk adds what is below dir, a folder without symbolic links that the user knows as path.
func (f *folder) walk(dir, path string) error {
	return filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		name, hidden := filepath.Join(path, strings.TrimPrefix(file, dir)), file != dir && strings.HasPrefix(d.Name(), ".")
		switch {
		case err != nil:
			return err
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir() || hidden:
			return nil
		}
		if d.Type()&fs.ModeSymlink == 0 {
			return f.add(file, d.Type(), name)
		}
		return f.follow(file, name)
	})
}

// follow adds what a link leads to, unless that is a folder whose files are read anyway.
func (f *folder) follow(link, name string) error {
	at, err := filepath.EvalSymlinks(link)
	if err != nil {
		return fmt.Errorf("%s: a symbolic link whose target does not exist", name)
	}
	info, err := os.Stat(at)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return f.add(at, info.Mode(), name)
	}
	inside, err := f.inside(at)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if hidden := strings.Contains("/"+inside, "/."); inside == "." || !hidden || f.linked[at] {
		return nil
	}
	f.linked[at] = true
	return f.walk(at, name)
}

// add adds a file at a path without symbolic links, if its name is that of a file of objects.
func (f *folder) add(at string, mode fs.FileMode, name string) error {
	if objects, err := isOfObjects(name); err != nil || !objects {
		return err
	}
	if _, err := f.inside(at); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if !mode.IsRegular() {
		return fmt.Errorf("%s: not a regular file", name)
	}
	f.files = append(f.files, name)
	return nil
}

// inside returns where in the folder a path without symbolic links is; an error when it is outside.
func (f *folder) inside(at string) (string, error) {
	inside, err := filepath.Rel(f.root, at)
	if err != nil || !filepath.IsLocal(inside) {
		return "", errors.New("a symbolic link to a file outside the folder; name that file itself")
	}
	return filepath.ToSlash(inside), nil
}

// isOfObjects reports whether a file holds objects, by the ending of its name. It refuses an ending in another letter
// case, which other programs do not read: the objects in the file would be missing there.
func isOfObjects(name string) (bool, error) {
	ext := filepath.Ext(name)
	lower := strings.ToLower(ext)
	if !slices.Contains([]string{".yaml", ".yml", ".json"}, lower) {
		return false, nil
	}
	if lower != ext {
		to := strings.TrimSuffix(filepath.Base(name), ext) + lower
		return false, fmt.Errorf("%s: the ending %q is not read; rename the file to %s", name, ext, to)
	}
	return true, nil
}

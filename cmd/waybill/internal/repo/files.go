package repo

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// addToFile appends an object to a file, writes it to a new file in a folder, or prints it for "-". Other bytes of the file
// stay as they are.
func addToFile(cmd *cobra.Command, file string, obj *porchconfig.Repository) error {
	text, err := manifest(obj)
	if err != nil {
		return err
	}
	if file == "-" {
		_, err = cmd.OutOrStdout().Write(text)
		return err
	}
	if err := checkNew(file, obj); err != nil {
		return err
	}
	if cli.IsDir(file) {
		file = filepath.Join(file, obj.Name+".yaml")
		if err := cli.CheckAbsent(file); err != nil {
			return fmt.Errorf("there is a file %q: name a file by --filename", file)
		}
	}
	old, err := os.ReadFile(file) // #nosec G304 -- the file that the user names
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(old) > 0:
		if old[len(old)-1] != '\n' {
			old = append(old, '\n')
		}
		text = append(append(old, "---\n"...), text...)
	}
	if err := writeFile(file, text); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s registered in %s\n", obj.Name, cli.SafeText(file))
	return err
}

// checkNew refuses an object that the file or folder has already.
func checkNew(file string, obj *porchconfig.Repository) error {
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	in, err := local.Read([]string{file}, nil)
	if err != nil {
		return err
	}
	if _, there := in.RepositoryObjects[types.NamespacedName{Namespace: obj.Namespace, Name: obj.Name}]; there {
		return fmt.Errorf("there is a Repository %q in namespace %q of %q already: choose another --name", obj.Name, obj.Namespace, file)
	}
	return nil
}

// manifest is an object as YAML, without its status.
func manifest(obj *porchconfig.Repository) ([]byte, error) {
	return yaml.Marshal(struct {
		APIVersion string                     `json:"apiVersion"`
		Kind       string                     `json:"kind"`
		Metadata   map[string]string          `json:"metadata"`
		Spec       porchconfig.RepositorySpec `json:"spec"`
	}{obj.APIVersion, obj.Kind, map[string]string{"name": obj.Name, "namespace": obj.Namespace}, obj.Spec})
}

// removeFromFile removes an object from the files and folders that have it, and returns the file. A file with nothing else in
// it is deleted.
func removeFromFile(paths []string, key types.NamespacedName) (string, error) {
	for _, at := range paths {
		files, err := yamlFiles(at)
		if err != nil {
			return "", err
		}
		for _, file := range files {
			if found, err := removeFrom(file, key); found || err != nil {
				return file, err
			}
		}
	}
	return "", fmt.Errorf("there is no Repository %q in namespace %q", key.Name, key.Namespace)
}

// yamlFiles are the YAML files at a path.
func yamlFiles(at string) (files []string, err error) {
	if !cli.IsDir(at) {
		return []string{at}, nil
	}
	err = filepath.WalkDir(at, func(file string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(file); err == nil && d.Type().IsRegular() && (ext == ".yaml" || ext == ".yml") {
			files = append(files, file)
		}
		return err
	})
	return files, err
}

func removeFrom(file string, key types.NamespacedName) (found bool, err error) {
	data, err := os.ReadFile(file) // #nosec G304 -- a file that the user names
	if err != nil {
		return false, err
	}
	objects, err := krm.Read(file, data, krm.Limits{})
	if err != nil {
		return false, err
	}
	var rest []*krm.Object
	for _, o := range objects {
		if isRepository(o, key) {
			found = true
		} else {
			rest = append(rest, o)
		}
	}
	if !found {
		return false, nil
	}
	if len(rest) == 0 {
		return true, os.Remove(file)
	}
	text, err := krm.Write(rest)
	if err == nil {
		err = writeFile(file, text)
	}
	return true, err
}

// isRepository reports whether an object of a file is the Repository of that name. Without a namespace it is in "default".
func isRepository(o *krm.Object, key types.NamespacedName) bool {
	return o.Is(porchconfig.Group, porchconfig.KindRepository) && o.Name() == key.Name &&
		cmp.Or(o.Namespace(), corev1.NamespaceDefault) == key.Namespace
}

// writeFile replaces a file in one step, and keeps its mode.
func writeFile(file string, text []byte) error {
	mode := fs.FileMode(0o644)
	if was, err := os.Stat(file); err == nil {
		mode = was.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".waybill-repo-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error is the one to report
	}
	return err
}

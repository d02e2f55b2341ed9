package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/variant/manifests"
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
	if err := cli.WriteFile(file, text); err != nil {
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
	key := types.NamespacedName{Namespace: obj.Namespace, Name: obj.Name}
	files, err := manifests.Files(file)
	for i := 0; i < len(files) && err == nil; i++ {
		var objects []*krm.Object
		objects, err = readFile(files[i])
		if slices.ContainsFunc(objects, func(o *krm.Object) bool { return isRepository(o, key) }) {
			return fmt.Errorf("there is a Repository %q in namespace %q of %q already: choose another --name", obj.Name, obj.Namespace, file)
		}
	}
	return err
}

// manifest is an object as YAML, without its status.
func manifest(obj *porchconfig.Repository) ([]byte, error) {
	metadata := map[string]any{"name": obj.Name, "namespace": obj.Namespace}
	if len(obj.Annotations) > 0 {
		metadata["annotations"] = obj.Annotations
	}
	return yaml.Marshal(struct {
		APIVersion string                     `json:"apiVersion"`
		Kind       string                     `json:"kind"`
		Metadata   map[string]any             `json:"metadata"`
		Spec       porchconfig.RepositorySpec `json:"spec"`
	}{obj.APIVersion, obj.Kind, metadata, obj.Spec})
}

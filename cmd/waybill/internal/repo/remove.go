package repo

import (
	"cmp"
	"fmt"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/variant/manifests"
)

// removeFromFile removes an object from the files and folders that have it, and returns the file. A file with nothing else in
// it is deleted.
func removeFromFile(paths []string, key types.NamespacedName) (string, error) {
	for _, at := range paths {
		files, err := manifests.Files(at)
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

// readFile reads the objects of a file.
func readFile(file string) ([]*krm.Object, error) {
	data, err := os.ReadFile(file) // #nosec G304 -- a file that the user names
	if err != nil {
		return nil, err
	}
	return krm.Read(file, data, krm.Limits{})
}

func removeFrom(file string, key types.NamespacedName) (found bool, err error) {
	objects, err := readFile(file)
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
		err = cli.WriteFile(file, text)
	}
	return true, err
}

// isRepository reports whether an object of a file is the Repository of that name. Without a namespace it is in "default".
func isRepository(o *krm.Object, key types.NamespacedName) bool {
	return o.Is(porchconfig.Group, porchconfig.KindRepository) && o.Name() == key.Name &&
		cmp.Or(o.Namespace(), metav1.NamespaceDefault) == key.Namespace
}

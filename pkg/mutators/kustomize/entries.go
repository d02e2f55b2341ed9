package kustomize

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// userAt begins what kustomize takes for a repository.
var userAt = lazyregexp.New(`^[a-zA-Z][a-zA-Z0-9-]*@`)

// isRemote reports whether kustomize would fetch p: at least all that it would.
func isRemote(p string) bool {
	if u, err := url.Parse(p); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		return true
	}
	lower := strings.ToLower(p)
	lower = strings.TrimPrefix(lower, "git::")
	for _, prefix := range []string{"ssh://", "http://", "https://", "file://", "github.com/", "github.com:"} {
		if strings.HasPrefix(lower, prefix) {
			return true
		}
	}
	return userAt.MatchString(lower)
}

// local is the path of an entry in the package.
func (k *kustomization) local(at *field.Path, entry string) (string, error) {
	switch full := path.Join(k.dir, entry); {
	case isRemote(entry):
		return "", k.at(at, withoutUser(entry),
			"it is remote, and a pipeline fetches nothing; copy it into the package, and name it by its path there")
	case entry == "" || path.IsAbs(entry) || strings.Contains(entry, "\\"):
		return "", k.at(at, entry, "want a path from the folder of this kustomization, with slashes")
	case full == ".." || strings.HasPrefix(full, "../"):
		return "", k.at(at, entry, "it is outside of the package")
	default:
		return full, nil
	}
}

// withoutUser is an address without the user and password that it may have.
func withoutUser(address string) string {
	if i := strings.LastIndex(address, "@"); i >= 0 && strings.Contains(address, "://") {
		return "…" + address[i:]
	}
	return address
}

// load reads a file that is not parsed.
func (k *kustomization) load(at *field.Path, entry string) (data []byte, file string, err error) {
	if file, err = k.local(at, entry); err != nil {
		return nil, "", err
	}
	data, ok, err := k.inputs.get(file)
	switch {
	case err != nil:
		return nil, "", err
	case !ok && k.inputs.folders[file]:
		return nil, "", k.at(at, entry, "it is a folder, want a file")
	case !ok:
		return nil, "", k.at(at, entry, fmt.Sprintf("the package has no file %q%s", file, missing))
	}
	k.count(len(data))
	return data, file, k.check(file)
}

// document reads a file of YAML or JSON.
func (k *kustomization) document(at *field.Path, entry string) error {
	data, file, err := k.load(at, entry)
	if err != nil {
		return err
	}
	return k.yaml(file, data)
}

// resource reads a file of objects, or a base.
func (k *kustomization) resource(at *field.Path, entry string) error {
	file, err := k.local(at, entry)
	if err != nil {
		return err
	}
	if _, ok, err := k.inputs.get(file); err != nil {
		return err
	} else if !ok && k.inputs.folders[file] {
		return k.base(at, entry)
	}
	return k.document(at, entry)
}

// base reads the kustomization of another folder.
func (k *kustomization) base(at *field.Path, entry string) error {
	dir, err := k.local(at, entry)
	if err != nil {
		return err
	}
	if _, ok := k.inputs.files[dir]; ok {
		return k.at(at, entry, "it is a file, want a folder with a kustomization")
	}
	if !k.inputs.folders[dir] {
		return k.at(at, entry, fmt.Sprintf("the package has no folder %q%s", dir, missing))
	}
	return k.folder(dir, k.within)
}

package kustomize

import (
	"fmt"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// place files each object below folder, named after its namespace, kind and name; kinds of one name are told apart by their group.
func place(objects []*krm.Object, folder string) error {
	taken := map[string]*krm.Object{}
	for _, o := range objects {
		if o.Name() == "" || o.Kind() == "" || o.APIVersion() == "" {
			return fmt.Errorf("the kustomization gives an object without apiVersion, kind or metadata.name: %s", o.Describe())
		}
		kind := strings.ToLower(o.Kind())
		file := path.Join(folder, fileName(o.Namespace()), fileName(kind+"_"+o.Name())+".yaml")
		if taken[strings.ToLower(file)] != nil {
			file = path.Join(folder, fileName(o.Namespace()), fileName(kind+"."+o.Group()+"_"+o.Name())+".yaml")
		}
		if other := taken[strings.ToLower(file)]; other != nil {
			return fmt.Errorf("the kustomization gives %s and %s, whose files would both be %q; rename one of them", other.Title(), o.Title(), file)
		}
		taken[strings.ToLower(file)] = o
		o.SetPath(file, 0)
	}
	return nil
}

// fileName is a name that every file system can have: names of roles have colons.
func fileName(name string) string {
	if name != "" && strings.Trim(name, ".") == "" {
		return "_"
	}
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

package publish

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Type is the type of the objects of one side, in the version that its API server stores.
type Type struct {
	Group, Version, Kind, Plural string
	Namespaced                   bool
	// Status and Scale say which subresources the version has.
	Status, Scale bool
	// Original is the name of the version at the destination, before any renaming.
	Original string
}

// Types are the types of the objects on both sides: local, at the destination, is that of the definition, whatever versions
// are selected; remote, at the source, that of the projected definition. API servers convert between versions; for files
// CheckSameVersion says whether that is needed.
func Types(crd *krm.Object, pr *waybill.PublishedResource) (local, remote Type, err error) {
	there, err := project(crd, pr)
	if err != nil {
		return Type{}, Type{}, err
	}
	here, err := readDefinition(crd)
	if err != nil {
		return Type{}, Type{}, err
	}
	return here.typeOf(), there.typeOf(), nil
}

func (d *definition) typeOf() Type {
	v := d.stored()
	subresources, _ := v.fields["subresources"].(map[string]any)
	return Type{
		Group: d.group, Version: v.name, Kind: d.name("kind"), Plural: d.name("plural"),
		Namespaced: d.spec["scope"] == scopeNamespaced,
		Status:     subresources["status"] != nil, Scale: subresources["scale"] != nil,
		Original: v.original,
	}
}

// CheckSameVersion returns an error if the versions of the two sides differ in more than their names: files are not
// converted.
func CheckSameVersion(local, remote Type) error {
	if remote.Original == local.Original {
		return nil
	}
	return fmt.Errorf("%s %s is stored as %s at the destination, and what is offered as %s is its version %s: files are not converted; "+
		"select %s in spec.resource.versions, too",
		local.Kind, local.Group, local.Version, remote.Version, remote.Original, local.Version)
}

// Package catalog lists the functions that are linked into the binary.
//
// Shape: a slice, our own in the order of a usual pipeline, then those that kpt's catalogue has,
// too; ByImage says which of them an image names.
// Cost: none worth naming. Errors: none.
package catalog

import (
	"slices"

	"github.com/distribution/reference"

	"github.com/waybill-dev/waybill/pkg/apisync/syncfn"
	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/bundling"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/mutators/deleteannotations"
	"github.com/waybill-dev/waybill/pkg/mutators/enforcement"
	"github.com/waybill-dev/waybill/pkg/mutators/folders"
	"github.com/waybill-dev/waybill/pkg/mutators/helmchart"
	"github.com/waybill-dev/waybill/pkg/mutators/kustomize"
	"github.com/waybill-dev/waybill/pkg/mutators/localconfig"
	"github.com/waybill-dev/waybill/pkg/mutators/namesubstring"
	"github.com/waybill-dev/waybill/pkg/mutators/replacements"
	"github.com/waybill-dev/waybill/pkg/mutators/schema"
	"github.com/waybill-dev/waybill/pkg/mutators/searchreplace"
	"github.com/waybill-dev/waybill/pkg/mutators/setannotations"
	"github.com/waybill-dev/waybill/pkg/mutators/setimage"
	"github.com/waybill-dev/waybill/pkg/mutators/setlabels"
	"github.com/waybill-dev/waybill/pkg/mutators/setnamespace"
	"github.com/waybill-dev/waybill/pkg/mutators/setters"
	"github.com/waybill-dev/waybill/pkg/mutators/starlark"
	"github.com/waybill-dev/waybill/pkg/mutators/upsert"
	"github.com/waybill-dev/waybill/pkg/status/combine"
	"github.com/waybill-dev/waybill/pkg/transform"
	"github.com/waybill-dev/waybill/pkg/translation"
)

// Version is the release that the linked functions are, and the tag of their images.
const Version = "v0.1.0"

// Registry is where the images of the linked functions are published.
const Registry = "ghcr.io/waybill-dev"

// Functions are all linked functions, in the order of a usual pipeline. Hooks of map may name the others.
var Functions = slices.Insert(slices.Clone(others), slices.Index(others, translation.Function)+1, mapcontroller.Function(others...))

// others are all of them but map.
var others = []*fn.Function{
	kustomize.Function,
	injection.Function,
	binding.Function,
	transform.Function,
	bundling.Function,
	translation.Function,
	syncfn.Function,
	combine.Function,
	setnamespace.Function,
	setlabels.Function,
	setannotations.Function,
	deleteannotations.Function,
	setimage.Function,
	namesubstring.Function,
	setters.Function,
	setters.Create,
	setters.List,
	searchreplace.Function,
	replacements.Function,
	upsert.Function,
	enforcement.Function,
	folders.Function,
	helmchart.Function,
	localconfig.Function,
	starlark.Function,
	schema.Function,
}

// ByName returns the linked function of that name, nil when there is none.
func ByName(name string) *fn.Function {
	if i := slices.IndexFunc(Functions, func(f *fn.Function) bool { return f.Name == name }); i >= 0 {
		return Functions[i]
	}
	return nil
}

// Image is the reference of a function's image in this release.
func Image(name string) string { return Registry + "/" + name + ":" + Version }

// ByImage returns the linked function that an image stands for: ours of this release, or one of
// kpt's catalogue in a version that standIns lists. No tag and "latest" are any release's. An image
// pinned by digest is never replaced: the user wants that very image.
func ByImage(image string) *fn.Function {
	ref, err := reference.ParseNormalizedNamed(image)
	if err != nil {
		return nil
	}
	if _, pinned := ref.(reference.Digested); pinned {
		return nil
	}
	tag := "latest"
	if tagged, ok := ref.(reference.Tagged); ok {
		tag = tagged.Tag()
	}
	switch registry, name := splitName(ref); {
	case registry == Registry && (tag == Version || tag == "latest"):
		return ByName(name)
	case slices.Contains(catalogues, registry):
		return standIn(name, tag)
	}
	return nil
}

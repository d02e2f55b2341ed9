// Package catalog lists the functions that are linked into the binary.
//
// Shape: a slice, in the order of a usual pipeline; ByImage says which of them an image names.
// Cost: none worth naming. Errors: none.
package catalog

import (
	"github.com/distribution/reference"

	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/bundling"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/transform"
)

// Version is the release that the linked functions are, and the tag of their images.
const Version = "v0.1.0"

// Registry is where the images of the linked functions are published.
const Registry = "ghcr.io/waybill-dev"

// Functions are all linked functions, in the order of a usual pipeline.
var Functions = []*fn.Function{
	binding.Function,
	transform.Function,
	bundling.Function,
}

// ByName returns the linked function of that name, nil when there is none.
func ByName(name string) *fn.Function {
	for _, f := range Functions {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Image is the reference of a function's image in this release.
func Image(name string) string { return Registry + "/" + name + ":" + Version }

// ByImage returns the linked function that gives the same bytes as the image would: same
// repository, and no tag, "latest" or this release's. An image pinned by digest is never
// replaced: whoever pins wants that very image.
func ByImage(image string) *fn.Function {
	ref, err := reference.ParseNormalizedNamed(image)
	if err != nil {
		return nil
	}
	if _, pinned := ref.(reference.Digested); pinned {
		return nil
	}
	if tagged, ok := ref.(reference.Tagged); ok && tagged.Tag() != Version && tagged.Tag() != "latest" {
		return nil
	}
	for _, f := range Functions {
		if ref.Name() == Registry+"/"+f.Name {
			return f
		}
	}
	return nil
}

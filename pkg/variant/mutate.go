package variant

import (
	"fmt"
	"strconv"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// MutateInput is what Mutate needs besides the package and the variant.
type MutateInput struct {
	// Revision is the name of the package revision, for messages.
	Revision string
	// Context lists the objects that may be injected; nil lists none.
	Context injection.Lister
	// Rendered says that the package was rendered after the last change, or will be rendered:
	// then files without injection points are not parsed only to find out whether they can be.
	Rendered bool
	// Plain remembers files without injection points over many calls; nil remembers none.
	Plain *Plain
	// Parsed keeps files that were parsed over many calls; nil keeps none.
	Parsed *krm.Parsed
}

// MutateWith puts into a package what the variant adds to it. Order: package context, functions, injection. Where nothing
// changes the tree comes back as it was, blob for blob; so it does with an error.
func MutateWith(tree pkgtree.Tree, pv *porchconfig.PackageVariant, in MutateInput) (pkgtree.Tree, error) {
	out, err := mutateContext(tree, pv.Spec.PackageContext, in.resources(pv))
	if err == nil {
		out, err = insertFunctions(out, pv)
	}
	if err == nil {
		out, err = inject(out, pv, in)
	}
	if err != nil {
		return tree, err
	}
	return out, nil
}

// resources is what Porch calls the content of the revision in its messages.
func (in MutateInput) resources(pv *porchconfig.PackageVariant) string {
	name := in.Revision
	if name == "" && pv.Spec.Downstream != nil {
		name = pv.Spec.Downstream.Repo + "." + strings.ReplaceAll(pv.Spec.Downstream.Package, "/", ".")
	}
	return fmt.Sprintf("PackageRevisionResources '%s/%s'", pv.Namespace, name)
}

// insertFunctions puts the variant's functions in front of the package's own and takes out those
// it put there before.
func insertFunctions(tree pkgtree.Tree, pv *porchconfig.PackageVariant) (pkgtree.Tree, error) {
	drop := func(fn *kptfilev1.Function) bool { return IsInserted(fn.Name, pv.Name) }
	return EditKptfile(tree, func(f *kptfile.File) {
		for _, list := range kptfile.Lists {
			f.ReplaceFunctions(list, drop, named(functionsOf(pv, list), pv.Name))
		}
	})
}

func functionsOf(pv *porchconfig.PackageVariant, list kptfile.List) []kptfilev1.Function {
	switch {
	case pv.Spec.Pipeline == nil:
		return nil
	case list == kptfile.Validators:
		return pv.Spec.Pipeline.Validators
	}
	return pv.Spec.Pipeline.Mutators
}

func named(fns []kptfilev1.Function, variant string) []kptfilev1.Function {
	out := make([]kptfilev1.Function, len(fns))
	for i := range fns {
		fns[i].DeepCopyInto(&out[i])
		out[i].Name = fmt.Sprintf("PackageVariant.%s.%s.%d", variant, fns[i].Name, i)
	}
	return out
}

// IsInserted reports whether a function of that name was put into a pipeline by the variant: four
// parts, PackageVariant, the variant, anything, and a number.
func IsInserted(function, variant string) bool {
	parts := strings.Split(function, ".")
	if len(parts) != 4 || parts[0] != "PackageVariant" || parts[1] != variant {
		return false
	}
	_, err := strconv.Atoi(parts[3])
	return err == nil
}

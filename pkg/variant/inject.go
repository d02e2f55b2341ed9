package variant

import (
	"cmp"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render/load"
)

// inject fills the injection points of every file and records the outcome in the root Kptfile.
func inject(tree pkgtree.Tree, pv *porchconfig.PackageVariant, in MutateInput) (pkgtree.Tree, error) {
	list := in.Context
	if list == nil {
		list = injection.FromObjects(nil, "")
	}
	hidden := load.Hidden(tree) // templates of a chart, for example, are not YAML
	files, err := readFiles(tree, in.Parsed, func(file string) bool {
		return IsResource(file) && !in.isPlain(tree.Blob(file)) && !hidden(file)
	})
	if err != nil {
		return tree, err
	}
	var objects []*krm.Object
	for _, f := range files {
		if !slices.ContainsFunc(f.objects, isPoint) {
			in.Plain.add(tree.Blob(f.path))
			continue
		}
		objects = append(objects, f.objects...)
	}
	result, err := injection.Inject(objects, pv.Spec.Injectors, list)
	if err != nil {
		return tree, err
	}
	injected, err := replace(tree, files, result.Changed)
	if err != nil {
		return tree, err
	}
	return EditKptfile(injected, result.Outcomes.Record)
}

// CompareKinds orders kinds.
func CompareKinds(a, b injection.Kind) int {
	return cmp.Or(cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.Kind, b.Kind))
}

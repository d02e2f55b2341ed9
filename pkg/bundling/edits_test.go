package bundling

import (
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// steps are what may happen to a package between two renders.
var steps = map[string]func(r *rapid.T, h *history){
	"insert": func(r *rapid.T, h *history) {
		h.changes = 1 // new objects move nothing
		h.objects[fmt.Sprintf("o%02d", rapid.IntRange(0, 30).Draw(r, "new"))] += 0
	},
	"insert large": func(r *rapid.T, h *history) {
		h.objects[fmt.Sprintf("o%02d", rapid.IntRange(0, 30).Draw(r, "new"))] = rapid.IntRange(0, 250).Draw(r, "size")
	},
	"remove": func(r *rapid.T, h *history) {
		if len(h.objects) > 0 {
			h.changes = 1
			delete(h.objects, rapid.SampledFrom(slices.Sorted(maps.Keys(h.objects))).Draw(r, "gone"))
		}
	},
	"join": func(r *rapid.T, h *history) {
		h.clusters[fmt.Sprintf("edge%d", rapid.IntRange(0, 3).Draw(r, "cluster"))] = true
	},
	"leave": func(r *rapid.T, h *history) {
		delete(h.clusters, fmt.Sprintf("edge%d", rapid.IntRange(1, 3).Draw(r, "cluster")))
	},
	"limits": func(r *rapid.T, h *history) {
		h.limit, h.most = rapid.IntRange(380, 600).Draw(r, "limit"), rapid.IntRange(2, 4).Draw(r, "most")
	},
	"again": func(_ *rapid.T, h *history) { h.changes = 0 },
	"edit by hand": func(r *rapid.T, h *history) {
		if len(h.works) == 0 {
			return
		}
		h.trusted, h.renamed, h.restored = false, false, slices.Clone(h.works)
		for range rapid.IntRange(1, 3).Draw(r, "edits") {
			i := rapid.IntRange(0, len(h.works)-1).Draw(r, "work")
			edited := h.works[i].DeepCopy()
			edit := rapid.SampledFrom(slices.Sorted(maps.Keys(edits))).Draw(r, "edit")
			edits[edit](edited, h.works[rapid.IntRange(0, len(h.works)-1).Draw(r, "other")])
			same := slices.IndexFunc(h.works, func(w *krm.Object) bool { return w.ID() == edited.ID() })
			if same == -1 || same == i { // two of one name are refused
				h.works[i], h.renamed = edited, h.renamed || edit == "renamed" || edit == "elsewhere"
			}
		}
	},
}

// edits are edits of a work by hand, given another work. None changes the annotation with its
// generator: without that the function ignores a work.
var edits = map[string]func(w, other *krm.Object){
	"no spec":   func(w, _ *krm.Object) { krm.RemoveField(w.Node(), "spec") },
	"text spec": func(w, _ *krm.Object) { krm.SetField(w.Node(), "spec", krm.StringNode("x")) },
	"no manifests": func(w, _ *krm.Object) {
		krm.SetField(w.Node(), "spec", manifest.Map("workload", manifest.Map("manifests", "x")))
	},
	"odd manifests": func(w, _ *krm.Object) {
		odd := manifest.List(krm.StringNode("x"), manifest.List(), krm.MapNode(), manifest.Map("kind", manifest.List(), "metadata", "x"))
		krm.SetField(w.Node(), "spec", manifest.Map("workload", manifest.Map("manifests", odd)))
	},
	"another's": func(w, other *krm.Object) {
		if spec := other.Lookup("spec"); spec != nil {
			krm.SetField(w.Node(), "spec", krm.CopyNode(spec))
		}
	},
	"backwards": func(w, _ *krm.Object) {
		if list := w.Lookup("spec", "workload", "manifests"); list != nil && list.Kind == yaml.SequenceNode {
			slices.Reverse(list.Content)
		}
	},
	"renamed": func(w, _ *krm.Object) { krm.SetField(w.Lookup("metadata"), "name", krm.StringNode("shop-git-007")) },
	"far": func(w, _ *krm.Object) {
		krm.SetField(w.Lookup("metadata"), "name", krm.StringNode("shop-git-999999999"))
	},
	"elsewhere": func(w, _ *krm.Object) { krm.SetField(w.Lookup("metadata"), "namespace", krm.StringNode("edge3")) },
	"unlabeled": func(w, _ *krm.Object) { krm.RemoveField(w.Lookup("metadata"), "labels") },
	"odd label": func(w, _ *krm.Object) { krm.SetField(w.Lookup("metadata"), "labels", manifest.List()) },
}

package workload

import (
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// metadataFields are the fields of an object's metadata that decide where the object goes, and whether it is deleted.
var metadataFields = []string{"labels", "annotations", "namespace"}

// kustomizeGroup is the group of kustomizations, which have fields of these names beside their metadata.
const kustomizeGroup = "kustomize.config.k8s.io"

// Annotations are the names of all annotations and labels that Waybill reads, without their prefix; true for those whose value
// is "true" or "false", unless their readers check that (allow-empty-selection).
var Annotations = map[string]bool{
	"accept-digest": false, "adopted": false, "agent-name": false, "allow-empty-selection": false, "changed-at": false,
	"cluster": false, "context": true, "controller": false, "edge": false, "exceed-budget": false,
	"generated-by": false, "generated-in": false, "hand-over": false, "input": false, "input-only": true,
	"inventory": false, "inventory-epoch": false, "inventory-journal": false, "inventory-pages": false,
	"inventory-sequence": false, "keep": true, "last-known": false, "map-key": false, "object-state": false,
	"open-draft": false, "origin": false, "owner": false, "packages": false, "propagation-policy": false,
	"remote-object-cluster": false, "remote-object-name": false, "remote-object-name-hash": false,
	"remote-object-namespace": false, "remote-object-namespace-hash": false, "remote-object-workspace-path": false,
	"rendered-from": false, "resources": false, "revision-content": false, "revision-trailers": false, "shared": false,
	"side": false, "source-generation": false, "state-by": false, "state-of": false, "update-strategy": false,
}

// MisspeltMetadata are the fields of an object's metadata whose names are similar to one of metadataFields, with that one. Nothing
// reads them.
func MisspeltMetadata(o *krm.Object) map[string]string {
	var found map[string]string
	for _, name := range krm.FieldNames(o.Lookup("metadata")) {
		if slices.Contains(metadataFields, name) {
			continue
		}
		for _, want := range metadataFields {
			if strings.EqualFold(name, want) || selection.Misspelt(name, want) {
				if found == nil {
					found = map[string]string{}
				}
				found[name] = want
			}
		}
	}
	return found
}

// RefuseTypos reports typos because of which a function would silently delete what it generated from an item:
// misspelt fields of its metadata, labels beside its metadata, and misspelt annotations of Waybill or invalid values
// of them.
func RefuseTypos(items []*krm.Object) (out sdk.Results) {
	for _, o := range items {
		misspelt := MisspeltMetadata(o)
		for _, name := range krm.FieldNames(o.Lookup("metadata")) {
			if want := misspelt[name]; want != "" {
				out = append(out, fn.NewResult(sdk.Error, o, field.NewPath("metadata", name),
					"nothing reads this field; rename it to %s if you mean that, or remove it", want))
			}
		}
		if HasLabelsBesideMetadata(o) && !MayDefineFields(o) {
			out = append(out, fn.NewResult(sdk.Error, o, field.NewPath("labels"),
				"nothing reads labels here, so selectors do not see them; move them below metadata"))
		}
		for _, name := range []string{"annotations", "namespace"} {
			if krm.Deref(o.Lookup(name)) != nil && !MayDefineFields(o) && o.Group() != kustomizeGroup {
				out = append(out, fn.NewResult(sdk.Error, o, field.NewPath(name), "nothing reads %s here; move it below metadata", name))
			}
		}
		out = append(out, RefuseAnnotations(o)...)
	}
	return out
}

// HasLabelsBesideMetadata reports whether an object has a map of labels beside its metadata, as after a wrong indentation.
func HasLabelsBesideMetadata(o *krm.Object) bool {
	n := krm.Deref(o.Lookup("labels"))
	return n != nil && n.Kind == yaml.MappingNode && len(n.Content) > 0
}

// RefuseAnnotations reports misspelt annotations of Waybill on o, and invalid values of them.
func RefuseAnnotations(o *krm.Object) (out sdk.Results) {
	n := krm.Deref(o.Lookup("metadata", "annotations"))
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if why := annotationFault(n.Content[i].Value, krm.Deref(n.Content[i+1]).Value); why != "" {
			out = append(out, fn.NewResult(sdk.Error, o, field.NewPath("metadata", "annotations").Key(n.Content[i].Value), "%s", why))
		}
	}
	return out
}

// annotationFault is what is wrong with an annotation; "" for a correct one.
func annotationFault(key, value string) string {
	name, ownKinds := strings.CutPrefix(key, fn.ReservedPrefix)
	if !ownKinds {
		return ""
	}
	isSwitch, known := Annotations[name]
	switch {
	case known && isSwitch && value != "true" && value != "false":
		return `want "true" or "false"`
	case known:
		return ""
	}
	if typos := selection.Typos(name, slices.Sorted(maps.Keys(Annotations))); len(typos) > 0 {
		return "nothing reads this annotation; rename it to " + fn.ReservedPrefix + typos[0] + " if you mean that, or remove it"
	}
	return ""
}

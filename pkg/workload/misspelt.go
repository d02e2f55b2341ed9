package workload

import (
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// The kinds of an inventory.
var (
	InventoryKind      = schema.GroupKind{Group: fn.ConfigGroup, Kind: "Inventory"}
	ManagedClusterKind = schema.GroupKind{Group: "cluster.open-cluster-management.io", Kind: "ManagedCluster"}
)

// MayDefineFields reports whether another project than Kubernetes and OCM defines the fields of an object: its group has a dot and is not
// one of theirs, or its version is not one of Kubernetes.
func MayDefineFields(o *krm.Object) bool {
	group := o.Group()
	if group == "" {
		return o.APIVersion() != "v1"
	}
	return strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io") && group != ManagedClusterKind.Group
}

// Misspelt reports items whose group and kind are similar to those of an inventory, or of another kind that a function reads: they
// differ in one or two letters, have the plural, the kind with a group of no other project, or an unknown kind of KubeStellar's group.
// Without this check the function would ignore such an item, and delete what an earlier render made of it.
func Misspelt(items []*krm.Object, others ...schema.GroupKind) (out sdk.Results) {
	read := append([]schema.GroupKind{InventoryKind, ManagedClusterKind}, others...)
	meant := map[schema.GroupVersionKind]*schema.GroupKind{}
	for _, o := range items {
		is := schema.FromAPIVersionAndKind(o.APIVersion(), o.Kind())
		if isMistypedBinding(o) && slices.Contains(read, control.GroupKind(control.KindBinding)) {
			is.Version = "" // not a Binding of Kubernetes
		}
		if _, seen := meant[is]; !seen {
			meant[is] = Nearly(is, read...)
		}
		if want := meant[is]; want != nil {
			out = append(out, fn.NewResult(sdk.Error, o, nil, "nothing reads kind %s of group %q: did you mean %s of group %q?", is.Kind, is.Group,
				want.Kind, want.Group))
		}
	}
	return out
}

// coreBinding is the kind that binds pods to nodes. It has a target, and no spec.
var coreBinding = schema.GroupVersionKind{Version: "v1", Kind: control.KindBinding}

// isMistypedBinding reports whether o has the apiVersion of a Binding of Kubernetes, and the fields of one of KubeStellar.
func isMistypedBinding(o *krm.Object) bool {
	if schema.FromAPIVersionAndKind(o.APIVersion(), o.Kind()) != coreBinding {
		return false
	}
	return o.Lookup("spec", "destinations") != nil || o.Lookup("spec", "workload") != nil
}

// Nearly is the kind among read that is probably meant, if is is not among them; nil for another kind.
func Nearly(is schema.GroupVersionKind, read ...schema.GroupKind) *schema.GroupKind {
	if slices.Contains(read, is.GroupKind()) || is == coreBinding {
		return nil
	}
	is.Group = strings.ToLower(is.Group) // no API group has another case
	if is.Group == control.Group && slices.Contains(control.Kinds(), is.Kind) {
		return nil
	}
	for _, want := range append(slices.Clone(read), others(is.Group)...) {
		sameKind := strings.EqualFold(is.Kind, want.Kind) || strings.EqualFold(is.Kind, pluralOf(want.Kind))
		if selection.Misspelt(is.GroupKind().String(), want.String()) || sameKind && related(is.Group, want.Group) {
			return &want
		}
	}
	if i := slices.IndexFunc(read, func(k schema.GroupKind) bool { return is.Group == control.Group && k.Group == is.Group }); i >= 0 {
		return &read[i] // no kind of the group at all
	}
	return nil
}

// others are the kinds of KubeStellar's group, if that is the group.
func others(group string) (out []schema.GroupKind) {
	if group != control.Group {
		return nil
	}
	for _, kind := range control.Kinds() {
		out = append(out, control.GroupKind(kind))
	}
	return out
}

// pluralOf is the plural of a kind in a text.
func pluralOf(kind string) string {
	if stem, ok := strings.CutSuffix(kind, "y"); ok {
		return stem + "ies"
	}
	return kind + "s"
}

// related reports whether a group may mean another one: it is no domain, or has the same name in it.
func related(group, want string) bool {
	names := strings.Split(group, ".")
	wanted := strings.Split(want, ".")
	if len(names) == 1 || len(wanted) == 1 {
		return len(names) == 1
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return name == wanted[len(wanted)-2] || name == "waybill" || name == "kpt"
	})
}

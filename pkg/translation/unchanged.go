package translation

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

// readTranslations records which owners have Translations, and which Translations occur more than once.
func (t *translator) readTranslations() {
	seen := map[krm.ID]bool{}
	t.duplicates, t.hasTranslations = map[krm.ID]bool{}, map[string]bool{}
	for _, o := range t.items {
		if !o.Is(api.Group, api.KindTranslation) {
			continue
		}
		id := t.ref(o).ID
		if seen[id] {
			t.duplicates[id] = true
		}
		seen[id] = true
		if tags := applyset.TagsOf(o); tags.Controller == t.controller {
			t.hasTranslations[tags.Owner] = true
		}
	}
}

// isUnchanged reports whether a group has exactly its desired Translations, tags included. That is so for most groups in
// most runs, and saves building and comparing nodes. In doubt it returns false, and the engine compares.
func (t *translator) isUnchanged(g *applyset.Group, wanted []midonet.Translation) bool {
	if len(g.Outputs) != len(wanted) {
		return false
	}
	have := make(map[string]*krm.Object, len(g.Outputs))
	for _, o := range g.Outputs {
		have[o.Name()] = o
	}
	for _, tr := range wanted {
		o := have[tr.Name]
		if o == nil || t.duplicates[idOf(tr)] || !t.isTagged(o, g) || !isWhole(o, tr, g.Input) {
			return false
		}
	}
	return true
}

// isTagged reports whether o has every tag of a group.
func (t *translator) isTagged(o *krm.Object, g *applyset.Group) bool {
	if !isText(o.Lookup("metadata", "labels", applyset.MapKeyLabel), g.MapKey) {
		return false
	}
	annotations := o.Lookup("metadata", "annotations")
	for _, tag := range [...][2]string{
		{fn.GeneratedBy, Name}, {fn.Origin, g.Key}, {applyset.ControllerAnnotation, t.controller},
		{applyset.EdgeAnnotation, g.Edge}, {applyset.InputAnnotation, g.Key}, {applyset.OwnerAnnotation, g.Owner},
	} {
		if !isText(krm.Lookup(annotations, tag[0]), tag[1]) {
			return false
		}
	}
	return true
}

// isWhole reports whether o has all content of a Translation of object, and is not being deleted.
func isWhole(o *krm.Object, tr midonet.Translation, object *krm.Object) bool {
	meta := o.Lookup("metadata")
	switch {
	case o.APIVersion() != api.APIVersion || o.Kind() != api.KindTranslation || krm.Lookup(meta, "deletionTimestamp") != nil:
		return false
	case !isText(krm.Lookup(meta, "namespace"), tr.Namespace) ||
		!has(krm.Lookup(meta, "finalizers"), func(n *yaml.Node) bool { return isText(n, api.Finalizer) }):
		return false
	case object == nil:
		return isText(krm.Lookup(meta, "labels", api.GlobalLabel), "") && refersToNone(meta) && sameResources(o.Lookup("resources"), tr.Resources)
	}
	return krm.Lookup(meta, "labels", api.GlobalLabel) == nil && refersTo(meta, object) && sameResources(o.Lookup("resources"), tr.Resources)
}

func refersToNone(meta *yaml.Node) bool {
	return krm.Lookup(meta, "labels", api.OwnerUIDLabel) == nil && krm.Lookup(meta, "ownerReferences") == nil
}

// refersTo reports whether metadata names an owner by its uid, if it has one, and no other owner.
func refersTo(meta *yaml.Node, owner *krm.Object) bool {
	uid, refs := owner.String("metadata", "uid"), krm.Lookup(meta, "ownerReferences")
	if uid == "" {
		return refersToNone(meta)
	}
	return isText(krm.Lookup(meta, "labels", api.OwnerUIDLabel), uid) && refs != nil && len(refs.Content) == 1 &&
		has(refs, func(n *yaml.Node) bool {
			return len(n.Content) == 8 && isText(krm.Lookup(n, "apiVersion"), owner.APIVersion()) && isText(krm.Lookup(n, "kind"), owner.Kind()) &&
				isText(krm.Lookup(n, "name"), owner.Name()) && isText(krm.Lookup(n, "uid"), uid)
		})
}

func has(list *yaml.Node, is func(*yaml.Node) bool) bool {
	return list != nil && list.Kind == yaml.SequenceNode && slices.ContainsFunc(list.Content, is)
}

func sameResources(list *yaml.Node, wanted []api.Resource) bool {
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) != len(wanted) {
		return false
	}
	for i, n := range list.Content {
		r := wanted[i]
		if n.Kind != yaml.MappingNode || len(n.Content) != 6 ||
			!isText(krm.Lookup(n, "kind"), r.Kind) || !isText(krm.Lookup(n, "parent"), r.Parent) || !isText(krm.Lookup(n, "body"), r.Body) {
			return false
		}
	}
	return true
}

// isText reports whether n is the text s.
func isText(n *yaml.Node, s string) bool {
	return n != nil && n.Kind == yaml.ScalarNode && n.Value == s && n.ShortTag() == yaml.NodeTagString
}

package mapcontroller

import (
	"fmt"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// mayExist says why the input or the parent of outputs, which is absent or not selected, may be meant to exist: an item is
// likely that one, but for a typing error. An API server has no such objects.
func (p *reconciler) mayExist(g *applyset.Group) error {
	if p.snapshot.Live {
		return nil
	}
	keys, typos := []string{g.Key}, p.findTypos()
	par := p.byKey[g.Owner]
	if par == nil {
		keys = append(keys, g.Owner)
	}
	for _, key := range keys {
		if o := typos.kinds[key]; o != nil {
			return likely(key, o, "correct its kind")
		}
		isSelected := func(o *krm.Object) bool { return par == nil || par.selector.Matches(labels.Set(o.Labels())) }
		if o := typos.unnamed[withoutNamespace(key)]; o != nil && o.ID().String() != key && isSelected(o) {
			return likely(key, o, "name its namespace")
		}
	}
	if o := typos.outdented[g.Key]; o != nil && par != nil {
		beside := labels.Set{}
		if krm.DecodeNode(o.Lookup("labels"), nil, &beside) == nil && par.selector.Matches(beside) {
			return likely(g.Key, o, "move its labels below metadata")
		}
	}
	return nil
}

func likely(key string, o *krm.Object, correct string) error {
	return fmt.Errorf("%s does not exist, but %s may be meant: %s, or delete the outputs, too", key, o.Describe(), correct)
}

// typos are items that may be meant to be other objects.
type typos struct {
	kinds     map[string]*krm.Object // whose kind is nearly that of a parent or an input, by the key that they would have
	unnamed   map[krm.ID]*krm.Object // inputs without a namespace that no outputs were made of, by what else identifies them
	outdented map[string]*krm.Object // inputs whose labels are beside their metadata, by key
}

func withoutNamespace(key string) krm.ID {
	_, id, _ := applyset.ParseKey(key) // of an input or a parent
	id.Namespace = ""
	return id
}

func (p *reconciler) readTypos() *typos {
	found := &typos{map[string]*krm.Object{}, map[krm.ID]*krm.Object{}, map[string]*krm.Object{}}
	read := append([]resource{p.c.parent}, p.c.inputs...)
	before := p.inputsBefore()
	for gk, namespaces := range p.index.byType {
		switch {
		case find(p.c.inputs, gk.Group, gk.Kind) != nil:
			found.noteInputs(namespaces, before, p.c.types.Lookup(gk.Group, gk.Kind))
		case gk == p.c.parent.GroupKind, p.c.types.Lookup(gk.Group, gk.Kind).Known:
		default:
			for i := range read {
				if workload.Nearly(gk.WithVersion(""), read[i].GroupKind) != nil {
					found.noteKeys(&read[i], namespaces)
				}
			}
		}
	}
	return found
}

// inputsBefore are the keys of the inputs that outputs were made of.
func (p *reconciler) inputsBefore() map[string]bool {
	keys := map[string]bool{}
	for _, o := range p.snapshot.Items {
		if tags := applyset.TagsOf(o); tags.Controller == p.c.name {
			keys[tags.Input] = true
		}
	}
	return keys
}

func (t *typos) noteInputs(namespaces map[string][]*namespacedObject, before map[string]bool, res workload.Resource) {
	for namespace, objects := range namespaces {
		for _, o := range objects {
			id := krm.ID{Group: o.Group(), Kind: o.Kind(), Namespace: namespace, Name: o.Name()}
			key := applyset.KeyIn("", id)
			if workload.HasLabelsBesideMetadata(o.Object) && len(o.Labels()) == 0 {
				t.outdented[key] = o.Object
			}
			if isClustered := res.Known && !res.Namespaced; o.Namespace() == "" && !isClustered && !before[key] {
				id.Namespace = ""
				t.unnamed[id] = o.Object
			}
		}
	}
}

// noteKeys notes objects by the keys that they would have if they were of a type.
func (t *typos) noteKeys(want *resource, namespaces map[string][]*namespacedObject) {
	for namespace, objects := range namespaces {
		switch {
		case want.known && !want.Namespaced:
			namespace = ""
		case want.known && namespace == "":
			namespace = workload.DefaultNamespace
		}
		for _, o := range objects {
			t.kinds[applyset.KeyIn("", krm.ID{Group: want.Group, Kind: want.Kind, Namespace: namespace, Name: o.Name()})] = o.Object
		}
	}
}

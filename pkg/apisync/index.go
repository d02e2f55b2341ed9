package apisync

import (
	"cmp"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// index makes a Snapshot searchable.
type index struct {
	rule      *Rule
	snapshot  *Snapshot
	refs      map[*krm.Object]applyset.Ref
	byType    map[typeKey][]*krm.Object
	byRef     map[applyset.Ref]*krm.Object
	ambiguous map[string]bool // keys that several objects have

	primaries       []*primary // by key
	byKey           map[string]*primary
	copies          map[string][]*krm.Object            // of primaries, by owner
	related         map[string]map[string][]*krm.Object // copies of related objects, by owner and edge
	unplaced        []unplaced                          // items whose place is unknown
	duplicates      map[string][]*krm.Object            // more items of a primary, by key
	labelled        map[*krm.Object]labels.Set
	primaryCount    int // items that are primaries
	copyCount       int // items that are copies
	docs            map[*krm.Object]*document
	states          map[string][]krm.ID    // by owner, the copies of primaries in state items
	misplacedCopies map[string]*krm.Object // by owner, copies of primaries on neither side
	unmatched       string                 // which part of the filter selects no source object at all
}

// typeKey is an engine's place, a namespace there, and a type.
type typeKey struct {
	place, namespace string
	schema.GroupKind
}

// unplaced is an item that is excluded, and why.
type unplaced struct {
	object *krm.Object
	reason string
}

func (r *Rule) index(w *Snapshot) *index {
	x := &index{
		rule: r, snapshot: w, refs: make(map[*krm.Object]applyset.Ref, len(w.Items)),
		byType: map[typeKey][]*krm.Object{}, byRef: make(map[applyset.Ref]*krm.Object, len(w.Items)),
		ambiguous: map[string]bool{},
		byKey:     map[string]*primary{}, copies: map[string][]*krm.Object{}, related: map[string]map[string][]*krm.Object{},
		docs: map[*krm.Object]*document{}, states: map[string][]krm.ID{}, duplicates: map[string][]*krm.Object{},
		labelled:        map[*krm.Object]labels.Set{},
		misplacedCopies: map[string]*krm.Object{},
	}
	if w.AppliedCopies == nil {
		w.AppliedCopies = func(primary string) []krm.ID { return x.states[primary] }
	}
	var sources []*krm.Object
	for _, o := range w.Items {
		if o.Kind() == applyset.StateKind && o.Annotation(applyset.ControllerAnnotation) == r.name {
			x.readState(o)
		}
		if x.place(o) {
			sources = append(sources, o)
		}
	}
	x.findPrimaries(sources)
	return x
}

// place adds an item to the index, and reports whether it is a primary. An item on neither side, or whose place is not
// known, is only noted.
func (x *index) place(o *krm.Object) (isPrimary bool) {
	at := x.snapshot.Place(o)
	ref := x.rule.RefIn(o, at)
	x.refs[o] = ref
	if at.Side == Neither {
		x.addMisplacedCopy(o)
		return false
	}
	isPrimary = at.Side == Source && x.rule.remote.is(o)
	if isPrimary {
		x.primaryCount++
	}
	if why := x.whyUnplaced(o, at); why != "" {
		x.refs[o] = applyset.Ref{Place: elsewhere, ID: ref.ID}
		if x.rule.remote.is(o) {
			x.unplaced = append(x.unplaced, unplaced{o, why})
		}
		return false
	}
	x.add(o, ref)
	return isPrimary
}

// readState records the copies of primaries that a state item names.
func (x *index) readState(o *krm.Object) {
	owner := o.Annotation(applyset.OwnerAnnotation)
	for _, name := range krm.FieldNames(o.Lookup("data")) {
		key, primary := strings.CutPrefix(name, primaryEdge+" ")
		if cluster, id, err := applyset.ParseKey(key); primary && err == nil && cluster == "" {
			x.states[owner] = append(x.states[owner], id)
		}
	}
}

// addMisplacedCopy records a copy that is on neither side, for example after the folder of a side was renamed.
func (x *index) addMisplacedCopy(o *krm.Object) {
	if tags := applyset.TagsOf(o); tags.Controller == x.rule.name && tags.Edge == primaryEdge && tags.Owner != "" {
		x.misplacedCopies[tags.Owner] = cmp.Or(x.misplacedCopies[tags.Owner], o)
	}
}

func (x *index) add(o *krm.Object, ref applyset.Ref) {
	at := typeKey{ref.Place, ref.Namespace, schema.GroupKind{Group: ref.Group, Kind: ref.Kind}}
	x.byType[at] = append(x.byType[at], o)
	first := x.byRef[ref]
	if first != nil {
		x.ambiguous[ref.String()] = true
	}
	if first == nil || applyset.CompareCopies(o, first) < 0 {
		x.byRef[ref] = o
	}
	tags := applyset.TagsOf(o)
	switch {
	case tags.Controller != x.rule.name || tags.Owner == "" || tags.Edge == "" || !x.mayBeCopy(o):
		// an object that lost a tag is repaired in its place
	case tags.Edge == primaryEdge:
		x.copyCount++
		x.copies[tags.Owner] = append(x.copies[tags.Owner], o)
	default:
		x.copyCount++
		if x.related[tags.Owner] == nil {
			x.related[tags.Owner] = map[string][]*krm.Object{}
		}
		x.related[tags.Owner][tags.Edge] = append(x.related[tags.Owner][tags.Edge], o)
	}
}

// whyUnplaced says why an object at the source is excluded; "" when it is not.
func (x *index) whyUnplaced(o *krm.Object, at Place) string {
	switch {
	case at.Side != Source:
		return ""
	case at.Cluster == "":
		return "its cluster is not known: give it the annotation " + ClusterAnnotation + ", or set spec.cluster"
	case len(validation.IsValidLabelValue(at.Cluster)) > 0:
		return "the name of its cluster is not a valid label value: " + validation.IsValidLabelValue(at.Cluster)[0]
	case o.Name() == "":
		return "it has no name"
	}
	return ""
}

// mayBeCopy reports whether an item can be a copy that this rule made, whatever its annotations say: consumers can write
// any annotation on their objects. Primaries have copies only at the destination; related objects there or in their own
// cluster.
func (x *index) mayBeCopy(o *krm.Object) bool {
	ref, known := x.refs[o]
	if !known {
		return true
	}
	tags := applyset.TagsOf(o)
	switch ref.Place {
	case "":
		return tags.Edge != primaryEdge || x.rule.local.is(o)
	case elsewhere:
		return false
	}
	cluster, _, err := applyset.ParseKey(tags.Owner)
	return err == nil && cluster == ref.Place && tags.Edge != primaryEdge && !x.rule.remote.is(o)
}

// Made reports whether an object of a cluster, or of the destination for an empty name, is a copy that this rule made.
// Consumers can claim no copies but those of their own cluster, whatever they write on their objects.
func (r *Rule) Made(cluster string, o *krm.Object) bool {
	tags := applyset.TagsOf(o)
	owner, _, err := applyset.ParseKey(tags.Owner)
	return tags.Controller == r.name && (cluster == "" || err == nil && owner == cluster)
}

// labelsOf are the cached labels of an object.
func (x *index) labelsOf(o *krm.Object) labels.Set {
	set, known := x.labelled[o]
	if !known {
		set = o.Labels()
		x.labelled[o] = set
	}
	return set
}

// idOf is the identity of an object, the same in files and on API servers.
func (r *Rule) idOf(o *krm.Object, on Side) krm.ID {
	id := o.ID()
	t, known := r.remote, r.remote.is(o)
	if on == Destination {
		t, known = r.local, r.local.is(o)
	}
	switch {
	case !known || on == Neither:
		id.Namespace = workload.NamespaceIn(r.types, o)
	case !t.Namespaced:
		id.Namespace = ""
	default:
		id.Namespace = cmp.Or(id.Namespace, workload.DefaultNamespace)
	}
	return id
}

func isDeleting(o *krm.Object) bool { return o.String("metadata", "deletionTimestamp") != "" }

// isKey reports whether a tag is a key; a tag that another client changed may not be.
func isKey(key string) bool {
	_, _, err := applyset.ParseKey(key)
	return err == nil
}

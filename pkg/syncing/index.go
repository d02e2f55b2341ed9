package syncing

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/syncing/text"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// index is a World by what is looked up in it.
type index struct {
	rule  *Rule
	world *World
	refs  map[*krm.Object]correspond.Ref
	// byType holds the objects of a place and type by namespace.
	byType map[place]map[string][]*krm.Object
	byRef  map[correspond.Ref]*krm.Object

	primaries []*primary // by key
	byKey     map[string]*primary
	copies    map[string][]*krm.Object            // of primaries, by owner
	related   map[string]map[string][]*krm.Object // copies of related objects, by owner and edge
	odd       []odd                               // what nobody can tell the place of
	again     map[string][]*krm.Object            // further items for a primary, by key
	labelled  map[*krm.Object]labels.Set
	docs      map[*krm.Object]*doc
	states    map[string][]krm.ID // by owner, the copies of primaries that state items know
}

// place is a place, to the engine, and a type.
type place struct {
	where string
	schema.GroupKind
}

// odd is an item that is left out, and why.
type odd struct {
	object *krm.Object
	why    string
}

// primary is an object that a consumer made, or what is left of it.
type primary struct {
	key, cluster, path string
	object             *krm.Object // nil for one that is known to be gone
	copy               *krm.Object // the one there is; nil where there is none, or several
	copies             int
	leaving            bool // its copy goes: it is being deleted, or gone, or let through no more
	retained           bool // it is let through no more, and its copy stays as it is
}

func (r *Rule) index(w *World) *index {
	x := &index{
		rule: r, world: w, refs: make(map[*krm.Object]correspond.Ref, len(w.Items)),
		byType: map[place]map[string][]*krm.Object{}, byRef: make(map[correspond.Ref]*krm.Object, len(w.Items)),
		byKey: map[string]*primary{}, copies: map[string][]*krm.Object{}, related: map[string]map[string][]*krm.Object{},
		docs: map[*krm.Object]*doc{}, states: map[string][]krm.ID{}, again: map[string][]*krm.Object{}, labelled: map[*krm.Object]labels.Set{},
	}
	var sources []*krm.Object
	for _, o := range w.Items {
		if o.Kind() == correspond.StateKind && o.Annotation(correspond.ControllerAnnotation) == r.name {
			x.readState(o)
		}
		at := w.Place(o)
		ref := x.refIn(o, at)
		x.refs[o] = ref
		if at.Side == Neither {
			continue
		}
		if why := x.oddness(o, at); why != "" {
			x.refs[o] = correspond.Ref{Place: elsewhere, ID: ref.ID}
			if x.rule.remote.is(o) {
				x.odd = append(x.odd, odd{o, why})
			}
			continue
		}
		x.add(o, ref)
		if at.Side == Source && r.remote.is(o) {
			sources = append(sources, o)
		}
	}
	x.findPrimaries(sources)
	return x
}

// readState notes which copies of primaries a state item knows.
func (x *index) readState(o *krm.Object) {
	data, owner := krm.Deref(o.Lookup("data")), o.Annotation(correspond.OwnerAnnotation)
	if data == nil || data.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(data.Content); i += 2 {
		key, primary := strings.CutPrefix(data.Content[i].Value, primaryEdge+" ")
		if cluster, id, err := correspond.ParseKey(key); primary && err == nil && cluster == "" {
			x.states[owner] = append(x.states[owner], id)
		}
	}
}

func (x *index) add(o *krm.Object, ref correspond.Ref) {
	at := place{ref.Place, schema.GroupKind{Group: ref.Group, Kind: ref.Kind}}
	if x.byType[at] == nil {
		x.byType[at] = map[string][]*krm.Object{}
	}
	x.byType[at][ref.Namespace] = append(x.byType[at][ref.Namespace], o)
	if first := x.byRef[ref]; first == nil || correspond.CompareCopies(o, first) < 0 {
		x.byRef[ref] = o
	}
	tags := correspond.TagsOf(o)
	switch {
	case tags.Controller != x.rule.name || tags.Owner == "" || tags.Edge == "" || !x.mayBeCopy(o): // what lost a tag is mended where it stands
	case tags.Edge == primaryEdge:
		x.copies[tags.Owner] = append(x.copies[tags.Owner], o)
	default:
		if x.related[tags.Owner] == nil {
			x.related[tags.Owner] = map[string][]*krm.Object{}
		}
		x.related[tags.Owner][tags.Edge] = append(x.related[tags.Owner][tags.Edge], o)
	}
}

// oddness says why an object at the source can be nobody's; "" when it is like others.
func (x *index) oddness(o *krm.Object, at Place) string {
	switch {
	case at.Side != Source:
		return ""
	case at.Cluster == "":
		return "nobody says which cluster it is of: give it the annotation " + ClusterAnnotation + ", or set spec.cluster"
	case len(validation.IsValidLabelValue(at.Cluster)) > 0:
		return "the name of its cluster is no label value: " + validation.IsValidLabelValue(at.Cluster)[0]
	case o.Name() == "":
		return "it has no name"
	}
	return ""
}

// mayBeCopy reports whether an item can be a copy that this rule made, whatever its annotations say: consumers may write what
// they like on theirs. Primaries have copies at the destination alone, and related objects there or in their own cluster.
func (x *index) mayBeCopy(o *krm.Object) bool {
	ref, known := x.refs[o]
	if !known {
		return true
	}
	tags := correspond.TagsOf(o)
	switch ref.Place {
	case "":
		return tags.Edge != primaryEdge || x.rule.local.is(o)
	case elsewhere:
		return false
	}
	cluster, _, err := correspond.ParseKey(tags.Owner)
	return err == nil && cluster == ref.Place && tags.Edge != primaryEdge && !x.rule.remote.is(o)
}

// labelsOf are the labels of an object, read once.
func (x *index) labelsOf(o *krm.Object) labels.Set {
	set, known := x.labelled[o]
	if !known {
		set = o.Labels()
		x.labelled[o] = set
	}
	return set
}

// findPrimaries lists what consumers made, and what of it is known to be gone.
func (x *index) findPrimaries(sources []*krm.Object) {
	for _, o := range sources {
		ref := x.refs[o]
		if x.byRef[ref] != o { // another item for it counts, which the engine tells of
			x.again[ref.String()] = append(x.again[ref.String()], o)
			continue
		}
		p := &primary{key: ref.String(), cluster: ref.Place, object: o, leaving: isDeleting(o)}
		if selected, known := x.selects(o, ref); !p.leaving && !selected {
			p.leaving = known && x.rule.config.Spec.Filter.DeletesExcluded()
			p.retained = !p.leaving
		}
		x.addPrimary(p)
	}
	for _, owner := range x.owners() {
		if cluster, _, err := correspond.ParseKey(owner); err == nil && x.byKey[owner] == nil && x.isGone(owner, len(sources) > 0) {
			x.addPrimary(&primary{key: owner, cluster: cluster, leaving: true})
		}
	}
	slices.SortFunc(x.primaries, func(a, b *primary) int { return cmp.Compare(a.key, b.key) })
}

// isGone reports whether a primary that is not there was deleted, and is not just somewhere else. In files that none of its
// type is left is hardly meant.
func (x *index) isGone(key string, others bool) bool {
	switch {
	case !x.rule.complete:
		return false
	case x.world.Live:
		return x.world.Gone != nil && x.world.Gone(key)
	}
	_, id, err := correspond.ParseKey(key)
	ofType := err == nil && id.Group == x.rule.remote.Group && id.Kind == x.rule.remote.Kind
	return ofType && others || x.rule.config.Spec.AllowEmpty
}

// owners are those that some copy names.
func (x *index) owners() (keys []string) {
	for key := range x.copies {
		keys = append(keys, key)
	}
	for key := range x.related {
		if x.copies[key] == nil {
			keys = append(keys, key)
		}
	}
	return keys
}

func (x *index) addPrimary(p *primary) {
	if x.world.WorkspacePath != nil && x.rule.config.Spec.EnableWorkspacePaths {
		p.path = x.world.WorkspacePath(p.cluster)
	}
	all := x.copies[p.key]
	if p.copies = len(all); len(all) == 1 {
		p.copy = all[0]
	}
	x.primaries = append(x.primaries, p)
	x.byKey[p.key] = p
}

// selects reports whether the filter lets an object through, and whether that is known: a namespace that is not there has
// labels that nobody sees. An object without a namespace has no labels of one that could speak against it.
func (x *index) selects(o *krm.Object, ref correspond.Ref) (selected, known bool) {
	r := x.rule
	if r.objects != nil && !r.objects.Matches(labels.Set(o.Labels())) {
		return false, true
	}
	if r.namespaces == nil || ref.Namespace == "" {
		return true, true
	}
	ns := x.byRef[correspond.Ref{Place: ref.Place, ID: krm.ID{Kind: "Namespace", Name: ref.Namespace}}]
	set := labels.Set{"kubernetes.io/metadata.name": ref.Namespace} // which API servers see to
	if ns != nil {
		maps.Copy(set, ns.Labels())
	}
	return r.namespaces.Matches(set), ns != nil
}

// idOf is what makes an object the same, in files and on API servers.
func (x *index) idOf(o *krm.Object, on Side) krm.ID {
	id := o.ID()
	t, known := x.rule.remote, x.rule.remote.is(o)
	if on == Destination {
		t, known = x.rule.local, x.rule.local.is(o)
	}
	switch {
	case !known || on == Neither:
		id.Namespace = workload.NamespaceIn(x.rule.types, o)
	case !t.Namespaced:
		id.Namespace = ""
	default:
		id.Namespace = cmp.Or(id.Namespace, workload.DefaultNamespace)
	}
	return id
}

func isDeleting(o *krm.Object) bool { return o.String("metadata", "deletionTimestamp") != "" }

// doc is an object in the forms that rules and templates want, each made when somebody asks.
type doc struct {
	object *krm.Object
	json   []byte
	plain  map[string]any
	err    error
}

// doc is the object's.
func (x *index) doc(o *krm.Object) *doc {
	d := x.docs[o]
	if d == nil {
		d = &doc{object: o}
		x.docs[o] = d
	}
	return d
}

func (d *doc) text() ([]byte, error) {
	if d.json == nil && d.err == nil {
		if at := krm.TooLarge(d.object.Node()); at != "" {
			d.err = fmt.Errorf("%s: a whole number is too large to be exact; let it be a text", strings.TrimPrefix(at, "."))
			return nil, d.err
		}
		d.json, d.err = krm.CanonicalJSON(d.object.WithoutOrchestration().Node())
	}
	return d.json, d.err
}

// fields are the object as templates see it.
func (d *doc) fields() (map[string]any, error) {
	if d.plain == nil && d.err == nil {
		var data []byte
		if data, d.err = d.text(); d.err == nil {
			d.plain, d.err = fieldsOf(data)
		}
	}
	return d.plain, d.err
}

// fieldsOf are the fields of a document, as templates see them.
func fieldsOf(data []byte) (map[string]any, error) {
	v, err := text.Decode(data)
	if err != nil {
		return nil, err
	}
	fields, is := v.(map[string]any)
	if !is {
		return nil, errors.New("it is no object")
	}
	return fields, nil
}

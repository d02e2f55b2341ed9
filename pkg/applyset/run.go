package applyset

import (
	"cmp"
	"context"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Run plans the outputs of all edges. It changes nothing that it is given except the objects that Projections return. The
// order of edges determines the order of operations and nothing else. An error means that an edge is invalid, or that ctx
// is done.
func Run(ctx context.Context, v View, edges []Edge) (*Plan, error) {
	if err := checkEdges(edges); err != nil {
		return nil, err
	}
	r := newPlanner(&v, edges)
	for _, e := range r.edges {
		r.selectInputs(e)
	}
	r.attachOutputs()
	for _, e := range r.edges {
		r.sortGroups(e)
	}
	if err := r.projectAll(ctx); err != nil {
		return nil, err
	}
	r.collectOutcomes()
	r.indexRequests()
	r.linkDependencies()
	r.failConflicts()
	r.planChanges()
	r.limitDeletions()
	return r.plan(), nil
}

// planner holds the state of one run.
type planner struct {
	view   *View
	edges  []*edgeState
	items  []*item       // without state items
	byRef  map[Ref]*item // the first of those that are the same object
	states map[stateOwner]*stateItem
	groups []*group // in the order of edges, owners and keys

	requestedBy map[Ref][]*group // groups whose Outcome has the object
	results     []Result
	requeue     time.Duration
}

// item is an item of the view.
type item struct {
	object  *krm.Object
	pos     int
	ref     Ref
	tags    Tags
	group   *group // the group whose output it is; nil when it is no output of this run
	edge    *edgeState
	next    *item // another item of the same object
	damaged bool  // its tags are incomplete or cannot be parsed
}

// edgeState is an edge during a run.
type edgeState struct {
	Edge
	index    int
	owners   map[string]*Owner
	groups   map[groupKey]*group
	excluded map[groupKey]bool
	refused  map[string]bool           // what was refused and reported
	selected map[ownedType]bool        // the types of inputs that each owner has; nil until needed
	types    map[schema.GroupKind]bool // see hasType; nil until needed
}

// ownedType is a type of inputs of one owner.
type ownedType struct {
	owner string
	schema.GroupKind
}

type groupKey struct{ owner, key string }

// group is a Group in a run.
type group struct {
	Group
	edge     *edgeState
	hasInput bool // there is an input, which may be no object
	marks    Marks
	observed []*item // by identity
	outcome  Outcome
	redact   bool // messages do not name objects that do not exist yet

	frozen       bool   // nothing changes: every observed output stays as it is
	reason       Reason // when frozen
	failed       bool   // or waits: groups that depend on it wait
	desired      []desired
	kept         map[Ref]bool
	changes      []change
	requested    []Ref    // what it requests
	dependents   []*group // groups that depend on it
	dependencies []*group
	rank         int      // the longest chain of its dependencies
	earlier      []*group // groups of earlier edges, whose outputs come before its own
	later        []*group // groups that have it in earlier
}

func newPlanner(v *View, edges []Edge) *planner {
	r := &planner{view: v, byRef: make(map[Ref]*item, len(v.Items)), states: map[stateOwner]*stateItem{}}
	for i := range edges {
		e := &edgeState{Edge: edges[i], index: i, groups: make(map[groupKey]*group, len(edges[i].Inputs))}
		e.Name = cmp.Or(e.Name, defaultEdge)
		e.excluded, e.refused = map[groupKey]bool{}, map[string]bool{}
		e.owners = make(map[string]*Owner, len(e.Owners))
		for j := range e.Owners {
			e.owners[e.Owners[j].Key] = &e.Owners[j]
		}
		r.edges = append(r.edges, e)
	}
	for pos, o := range v.Items {
		if isState(o) {
			r.addState(pos, o)
			continue
		}
		it := &item{object: o, pos: pos, ref: v.ref(o), tags: TagsOf(o)}
		it.next = r.byRef[it.ref]
		r.byRef[it.ref] = it
		r.items = append(r.items, it)
	}
	return r
}

// addState records a state item. Of two for one owner the first by file and index counts.
func (p *planner) addState(pos int, o *krm.Object) {
	owner := stateOwner{o.Annotation(ControllerAnnotation), o.Annotation(OwnerAnnotation)}
	if s := p.states[owner]; s != nil && CompareCopies(s.object, o) <= 0 {
		return
	}
	p.states[owner] = &stateItem{owner: owner, pos: pos, object: o, changes: map[string]string{}}
}

// group finds or creates the group of a key.
func (e *edgeState) group(owner, key string) *group {
	k := groupKey{owner, key}
	g := e.groups[k]
	if g == nil {
		g = &group{edge: e, Group: Group{
			Controller: e.Controller, Edge: e.Name, Owner: owner, OwnerObject: e.ownerObject(owner), Key: key, MapKey: MapKey(key),
		}}
		e.groups[k] = g
	}
	return g
}

// sortGroups sorts the groups of an edge.
func (p *planner) sortGroups(e *edgeState) {
	groups := make([]*group, 0, len(e.groups))
	for _, g := range e.groups {
		slices.SortFunc(g.observed, compareItems)
		for _, it := range g.observed {
			g.Outputs = append(g.Outputs, it.object)
		}
		g.redact = g.seesSecret()
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b *group) int { return cmp.Or(cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Key, b.Key)) })
	p.groups = append(p.groups, groups...)
}

func compareItems(a, b *item) int {
	if c := compareRefs(a.ref, b.ref); c != 0 { // copies of one object are rare, and comparing them is expensive
		return c
	}
	return CompareCopies(a.object, b.object)
}

func compareRefs(a, b Ref) int {
	return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace),
		cmp.Compare(a.Name, b.Name), cmp.Compare(a.Place, b.Place))
}

// CompareCopies compares copies of one object by file and index, then by content. The first of them counts.
func CompareCopies(a, b *krm.Object) int {
	if c := cmp.Or(cmp.Compare(a.File(), b.File()), cmp.Compare(a.Index(), b.Index())); c != 0 || a == b {
		return c
	}
	x, errx := krm.CanonicalJSON(a.Node())
	y, erry := krm.CanonicalJSON(b.Node())
	if errx != nil || erry != nil {
		return 0
	}
	return cmp.Compare(string(x), string(y))
}

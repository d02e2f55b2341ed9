package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// Translation has the resources that a Translation object requests, in the order of their creation.
type Translation struct {
	Namespace, Name string
	Resources       []table.Resource
	Keep            bool // what the backend has of it stays as it is
	Unreadable      bool // it may request anything: nothing is deleted that no Translation requests
}

// Key is the translation's namespace/name.
func (t Translation) Key() string { return t.Namespace + "/" + t.Name }

// New computes the operations after which a backend that has the resources in the inventory has those that the Translations
// request. It changes none of its arguments. The order of the Translations does not matter.
//
// A Translation comes after those whose resources it links to, otherwise in the order of names; its resources are in the
// order of its list. Resources that no Translation requests are deleted at the end, the newest first, but none before what
// links to it. A resource that cannot be replaced, or whose parent is deleted, is deleted and created again, together with
// all children in the inventory, whichever Translation these belong to. If a Translation has a problem, the plan reports it
// and keeps the resources that the inventory has of it, with everything that these need; what other Translations request of
// the latter is a problem, too. A resource that it requests, or may request, stays as well if no other Translation requests
// it: it may have moved there.
//
// An error means that the inventory is not of this table.
func New(desired []Translation, tbl *table.Table, inventory *inventory.Inventory) (*waybill.BackendPlan, error) {
	if inventory.Backend != "" && inventory.Backend != tbl.Name() {
		return nil, fmt.Errorf("the inventory is that of backend %q, not of %q", inventory.Backend, tbl.Name())
	}
	p := &planner{
		table: tbl, failed: map[string]bool{}, claims: map[table.Key]*table.Item{}, unsure: map[table.Key]string{},
		nodes: map[table.Key]*node{}, dependents: map[table.Key][]dependent{},
	}
	p.read(desired)
	if err := p.compare(inventory); err != nil {
		return nil, err
	}
	p.linkDependents()
	p.propagate()
	p.writeOperations()
	slices.SortFunc(p.problems, compareProblems)
	return &waybill.BackendPlan{
		TypeMeta:   metav1.TypeMeta{APIVersion: waybill.APIVersion, Kind: waybill.KindBackendPlan},
		ObjectMeta: metav1.ObjectMeta{Name: tbl.Name()},
		Spec: waybill.BackendPlanSpec{
			Backend:    tbl.Name(),
			Inventory:  waybill.BackendPlanInventory{Digest: inventory.Digest(), Next: inventory.Next},
			Operations: p.operations, Problems: p.problems,
		},
	}, nil
}

// planner is the state while a plan is computed.
type planner struct {
	table      *table.Table
	problems   []waybill.BackendProblem
	failed     map[string]bool // Translations with a problem
	claims     map[table.Key]*table.Item
	unsure     map[table.Key]string // Translations with a resource of a kind and a parent, but no id
	unreadable string               // a Translation that may request anything; empty: none
	lists      [][]*node            // desired resources of each other Translation, by name
	nodes      map[table.Key]*node  // all that is desired or in the inventory
	recorded   []*node              // those in the inventory, by number
	byID       map[string][]*node
	dependents map[table.Key][]dependent
	queue      []*node // deleted ones whose consequences are not found yet
	operations []waybill.BackendOperation
}

// node is a resource that is desired, or in the inventory, or both.
type node struct {
	key       table.Key
	record    *waybill.BackendRecord
	item      *table.Item
	list      int   // index in lists, if it is desired
	undecided bool  // in the inventory, and it is not known whether it is desired
	keptFor   *node // the undecided one for which it has to stay; nil: none
	next      *node // the next of its list with the same parent, if their order matters

	op           string // operation in its list; empty: none
	reason       string
	cause        string
	deleted      bool // deleted, and created again if it is desired
	deleteReason string
	deleteCause  string
	deleteEarly  bool // not at the end: a creation waits for it
}

// dependent is a resource that links to another, as its parent or by a reference.
type dependent struct {
	from      *node
	reference bool
	recorded  bool // the link is in the inventory, not only in what is desired
}

func compareProblems(a, b waybill.BackendProblem) int {
	at := func(p waybill.BackendProblem) int32 {
		if p.Index == nil {
			return -1
		}
		return *p.Index
	}
	return cmp.Or(strings.Compare(a.Translation, b.Translation), cmp.Compare(at(a), at(b)), strings.Compare(a.Message, b.Message))
}

// problem reports what is wrong with a Translation, and excludes it from the plan.
func (p *planner) problem(translation string, index int, format string, args ...any) {
	p.failed[translation] = true
	p.report(translation, index, format, args...)
}

// report reports what is wrong with a Translation, at an index in its list unless that is negative.
func (p *planner) report(translation string, index int, format string, args ...any) {
	problem := waybill.BackendProblem{Translation: translation, Message: safetext.SingleLine(fmt.Sprintf(format, args...), table.MaxMessage)}
	if index >= 0 {
		problem.Index = new(int32)
		*problem.Index = int32(index) // #nosec G115 -- lists are bounded
	}
	p.problems = append(p.problems, problem)
}

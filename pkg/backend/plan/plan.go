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

// Translation is what one Translation object asks for: resources in the order of their creation.
type Translation struct {
	Namespace, Name string
	Resources       []table.Resource
}

// Key is the translation's namespace/name.
func (t Translation) Key() string { return t.Namespace + "/" + t.Name }

// New is what has to be done for a backend that holds what the inventory says to hold what the
// Translations ask for. It changes none of them. The same Translations in another order give the same plan.
//
// Translations that name resources of others come after those; for the rest they are in the order of
// their names, and the resources of each in the order of its list. What no Translation asks for is
// deleted at the end, what was created last first, but nothing before what names it. A resource that
// cannot be replaced, or whose parent goes, is deleted and created anew, together with all that the
// inventory has below it, whichever Translation that belongs to. What is wrong with a Translation is a
// problem of the plan, and keeps what the inventory has of that Translation, with all that this needs; what
// would have been done to the latter is a problem, too.
//
// An error means that inventory and table do not belong together.
func New(desired []Translation, tbl *table.Table, inventory *inventory.Inventory) (*waybill.BackendPlan, error) {
	if inventory.Backend() != "" && inventory.Backend() != tbl.Name() {
		return nil, fmt.Errorf("the inventory is one of backend %q, not of %q", inventory.Backend(), tbl.Name())
	}
	p := &planner{table: tbl, failed: map[string]bool{}, nodes: map[table.Key]*node{}, dependents: map[table.Key][]dependent{}}
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
			Inventory:  waybill.BackendPlanInventory{Digest: inventory.Digest(), Next: inventory.Next()},
			Operations: p.operations, Problems: p.problems,
		},
	}, nil
}

// planner holds what is known while a plan is made.
type planner struct {
	table      *table.Table
	problems   []waybill.BackendProblem
	failed     map[string]bool     // Translations with a problem
	lists      [][]*node           // what each of the others asks for, by name
	nodes      map[table.Key]*node // everything that is desired or in the inventory
	recorded   []*node             // those in the inventory, by number
	byID       map[string][]*node
	dependents map[table.Key][]dependent
	queue      []*node // those whose consequences are still to be seen
	operations []waybill.BackendOperation
}

// node is a resource that is desired, or in the inventory, or both.
type node struct {
	key       table.Key
	record    *waybill.BackendRecord
	item      *table.Item
	list      int   // of the planner's lists, if it is desired
	undecided bool  // the inventory has it, and whether it is desired cannot be told
	keptFor   *node // the one that is held for which it stays, too; nil: none
	next      *node // the next of its list with the same parent, where that order has a meaning

	op           string // what is done in its list; empty: nothing
	reason       string
	cause        string
	deleted      bool   // it is deleted, and created anew if it is desired
	deleteReason string // it goes
	deleteCause  string // cause of that
	deleteEarly  bool   // and not at the end: something is created that has to wait for it
}

// dependent leads to a resource that names another, as its parent or by a reference.
type dependent struct {
	from      *node
	reference bool
	recorded  bool // the inventory says so, not only what is desired
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

// problem is something wrong with a Translation that keeps it from being carried out.
func (p *planner) problem(translation string, index int, format string, args ...any) {
	p.failed[translation] = true
	p.report(translation, index, format, args...)
}

// report says what is wrong with a Translation, at a place in its list unless that is negative.
func (p *planner) report(translation string, index int, format string, args ...any) {
	problem := waybill.BackendProblem{Translation: translation, Message: safetext.SingleLine(fmt.Sprintf(format, args...), table.MaxMessage)}
	if index >= 0 {
		problem.Index = new(int32)
		*problem.Index = int32(index) // #nosec G115 -- lists are bounded
	}
	p.problems = append(p.problems, problem)
}

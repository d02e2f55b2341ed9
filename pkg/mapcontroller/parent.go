package mapcontroller

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/plain"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// parent is an object that owns outputs, during a reconcile.
type parent struct {
	key       string
	item      *krm.Object    // as it is in the snapshot
	object    *krm.Object    // as in requests
	data      map[string]any // of object
	namespace string
	selector  labels.Selector
	hold      bool // its outputs do not change
	deleting  bool // it is being deleted, and the finalize hook is called

	rules       []waybill.RelatedRule
	related     map[string]Association // by version of hooks
	relatedData map[string]map[string]any
	selected    map[string]bool                    // keys of inputs
	counts      map[string]int                     // of inputs, by name of the type in a status
	mayBeEmpty  bool                               // it may select no input where it selected some before
	unmatched   map[schema.GroupKind]func() string // why it selects no input of a type, although it sees some
	errors      []string

	// The answers of hooks, guarded by the reconciler's lock.
	unfinished bool
	requeue    time.Duration
}

// findParents finds the parents among the items, in the order of their keys.
func (p *reconciler) findParents() {
	none := p.selectsNoParent()
	for _, o := range p.index.all(p.c.parent.GroupKind) {
		par := &parent{item: o.Object, namespace: o.namespace}
		par.deleting = p.isFinalizing(o)
		if !par.deleting && !o.matches(p.c.parent.selector) {
			continue
		}
		if par.key = p.keyOf(o.Object); par.key == "" {
			continue
		}
		if first := p.byKey[par.key]; first != nil {
			p.holdParent(first, nil, publicError{fmt.Errorf("it exists twice, also as %s", o.Describe())})
			continue
		}
		p.byKey[par.key] = par
		p.parents = append(p.parents, par)
		if p.isHeld(par.key) {
			par.hold, par.unfinished = true, true
			continue
		}
		if none != "" && par.deleting && !applyset.IsDeleting(o.Object) {
			p.holdParent(par, nil, publicError{errors.New(none + "; the outputs of this parent stay; " + selection.HowToAllow)})
			continue
		}
		if par.hold = !par.deleting && applyset.IsDeleting(o.Object); !par.hold {
			p.readParent(par)
		}
	}
	slices.SortFunc(p.parents, func(a, b *parent) int { return strings.Compare(a.key, b.key) })
}

// isFinalizing reports whether the finalize hook is called for a parent: the parent is being deleted, or is no longer
// selected, and has the controller's finalizer. It is not called when a garbage collector handles the dependents.
func (p *reconciler) isFinalizing(o *namespacedObject) bool {
	if !p.c.Finalizes() || !applyset.IsDeleting(o.Object) && o.matches(p.c.parent.selector) {
		return false
	}
	finalizers := o.Finalizers()
	return slices.Contains(finalizers, p.c.Finalizer()) && !slices.Contains(finalizers, metav1.FinalizerDeleteDependents) &&
		!slices.Contains(finalizers, metav1.FinalizerOrphanDependents)
}

// readParent reads a parent's spec; a parent with an invalid one is held.
func (p *reconciler) readParent(par *parent) {
	par.object = par.item.WithoutOrchestration()
	data, err := plain.FromNode(par.object.Node())
	if err != nil {
		p.holdParent(par, nil, err)
		return
	}
	par.data = data.(map[string]any)
	if err := checkFolder(par.item.Name()); err != nil {
		p.holdParent(par, field.NewPath("metadata", "name"), publicError{err})
		return
	}
	at, decoded := field.NewPath("spec", "selector"), (*metav1.LabelSelector)(nil)
	if n := par.item.Lookup("spec", "selector"); n != nil {
		if err := krm.DecodeNode(n, at, &decoded); err != nil {
			p.holdParent(par, at, err)
			return
		}
	}
	allowed, fault := selection.Allowed(par.item.Annotations())
	if fault != nil {
		p.holdParent(par, nil, publicError{fault})
		return
	}
	par.mayBeEmpty = allowed || par.deleting || p.c.mayBeEmpty
	var errs field.ErrorList
	if par.selector, errs = selector(decoded, at); len(errs) > 0 {
		p.holdParent(par, at, errs.ToAggregate())
	}
}

// holdParent keeps all outputs of a parent as they are, and reports why.
func (p *reconciler) holdParent(par *parent, at *field.Path, err error) {
	par.hold, par.unfinished = true, true
	if isSecret(par.item) && !isPublic(err) {
		err = errors.New("it cannot be a parent; the reason is not shown, because it is a Secret")
	}
	p.report(sdk.Error, par, at, "map(%s): %v", par.key, err)
}

// sees reports whether a parent sees objects of a namespace: its own, or none.
func (par *parent) sees(namespace string) bool {
	return par.namespace == "" || namespace == "" || namespace == par.namespace
}

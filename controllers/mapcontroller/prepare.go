package mapcontroller

import (
	"context"
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	mapping "github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/hooks"
)

// prepared is a MapController that can be reconciled, as it was when its spec last changed.
type prepared struct {
	*mapping.Controller
	generation string
	hooks      *hooks.Hooks
	backoff    *hooks.Backoff // calls hooks
	types      *live.Types
	parents    labels.Selector
	parent     live.Resource
	roles      map[live.Resource]role // of the types that it names
	hasStatus  bool                   // parents have a status that is written on its own
	customizes bool
}

// role is what objects of a type are to a MapController.
type role struct{ parent, input, output bool }

// prepare reads a MapController. A fault says what is wrong, and whether another attempt may help.
func (w *worker) prepare(ctx context.Context, o *krm.Object) (*prepared, *live.Fault) {
	o = o.DeepCopy()
	krm.RemoveField(o.Node(), "status") // requests to hooks do not change with it
	var decoded waybill.MapController
	if err := o.Decode(&decoded); err != nil {
		return nil, &live.Fault{Reason: waybill.ReasonValidationError, Message: err.Error(), Stalled: true}
	}
	options := w.controller.options
	running, err := hooks.New(ctx, &decoded.Spec, hooks.Options{
		Values: valuesFrom(w.controller.reader), Proxy: options.Proxy, Observe: w.controller.metrics.asked(w.name),
		Functions: functions{linked: options.Functions, runners: options.Runners}.prepare})
	var invalid *hooks.InvalidError
	switch {
	case errors.As(err, &invalid):
		return nil, &live.Fault{Reason: waybill.ReasonValidationError, Message: err.Error(), Stalled: true}
	case err != nil:
		return nil, &live.Fault{Reason: waybill.ReasonHookSettings, Message: err.Error()}
	}
	r := &prepared{generation: applyset.Generation(o), hooks: running, types: live.NewTypes(w.controller.server),
		customizes: decoded.Spec.Hooks.Customize.Kind() != ""}
	if f := w.complete(r, o); f != nil {
		running.Close()
		return nil, f
	}
	return r, nil
}

// complete finds out what the types of a MapController are.
func (w *worker) complete(r *prepared, o *krm.Object) (f *live.Fault) {
	var err error
	r.backoff = &hooks.Backoff{Hooks: r.hooks, Slot: w.slot, First: w.controller.options.FirstRetry, Last: w.controller.options.LastRetry}
	r.Controller, err = mapping.New(o, r.types, r.backoff)
	lacks, failed := r.types.Missing()
	switch {
	case failed != nil:
		return &live.Fault{Reason: waybill.ReasonUnavailable, Message: "the API server does not say what types there are: " + failed.Error()}
	case err != nil && len(lacks) > 0:
		return &live.Fault{Reason: waybill.ReasonNotServed, Message: notServed(lacks) + ": " + live.OneLine(err.Error()), Poll: true}
	case err != nil:
		return &live.Fault{Reason: waybill.ReasonValidationError, Message: err.Error(), Stalled: true}
	}
	if err := r.assign(); err != nil {
		return &live.Fault{Reason: waybill.ReasonValidationError, Message: err.Error(), Stalled: true}
	}
	if r.parents, err = metav1.LabelSelectorAsSelector(r.Spec().ParentResource.LabelSelector); err != nil {
		return &live.Fault{Reason: waybill.ReasonValidationError, Message: err.Error(), Stalled: true}
	}
	if r.Spec().ParentResource.LabelSelector == nil {
		r.parents = labels.Everything()
	}
	if r.hasStatus, err = w.controller.server.HasStatus(r.parent.GroupVersionResource); err != nil {
		return &live.Fault{Reason: waybill.ReasonUnavailable,
			Message: "the API server does not say whether parents have a status: " + err.Error()}
	}
	return nil
}

// notServed says which types there are not.
func notServed(lacks []string) string {
	return "the API server does not serve " + strings.Join(lacks, ", ") + ", which is looked for now and then"
}

// assign notes what each type is for. One type in two versions would be there twice.
func (r *prepared) assign() error {
	parent, inputs, outputs := r.Types()
	r.roles = map[live.Resource]role{}
	seen := map[schema.GroupKind]string{}
	add := func(t mapping.Type, as func(*role)) error {
		if v, is := seen[t.GroupKind()]; is && v != t.Version {
			return fmt.Errorf("%s is named in the versions %s and %s; want one", t.GroupKind(), v, t.Version)
		}
		seen[t.GroupKind()] = t.Version
		k := r.resourceOf(t)
		now := r.roles[k]
		as(&now)
		r.roles[k] = now
		return nil
	}
	err := add(parent, func(r *role) { r.parent = true })
	for _, t := range inputs {
		err = errors.Join(err, add(t, func(r *role) { r.input = true }))
	}
	for _, t := range outputs {
		err = errors.Join(err, add(t, func(r *role) { r.output = true }))
	}
	r.parent = r.resourceOf(parent)
	if err != nil {
		return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return nil
}

func (r *prepared) resourceOf(t mapping.Type) live.Resource {
	return live.Resource{GroupVersionResource: schema.GroupVersionResource{Group: t.Group, Version: t.Version, Resource: t.Plural},
		Namespaced: r.types.Lookup(t.Group, t.Kind).Namespaced}
}

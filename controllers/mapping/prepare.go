package mapping

import (
	"context"
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/mapping/hooks"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapping"
)

// ready is a MapController that can be worked, as it was when its spec was last changed.
type ready struct {
	*mapping.Controller
	generation string
	hooks      *hooks.Hooks
	patient    *patient // who asks them
	types      *vocabulary
	parents    labels.Selector
	parent     kind
	roles      map[kind]role // of the types that it names
	hasStatus  bool          // parents have a status that is written on its own
	customizes bool
}

// role is what objects of a type are to a MapController.
type role struct{ parent, input, output bool }

// prepare makes a MapController ready. A fault says what is wrong, and whether trying again may help.
func (w *worker) prepare(ctx context.Context, o *krm.Object) (*ready, *fault) {
	o = o.DeepCopy()
	krm.RemoveField(o.Node(), "status") // requests to hooks do not change with it
	var decoded waybill.MapController
	if err := o.Decode(&decoded); err != nil {
		return nil, &fault{reason: waybill.ReasonValidationError, message: err.Error(), stalled: true}
	}
	values := values{w.reader}
	live, err := hooks.New(ctx, &decoded.Spec, hooks.Options{
		Values: values, Linked: w.options.Functions, Runners: w.options.Runners, Proxy: w.options.Proxy, Observe: w.meters.asked(w.name)})
	var invalid *hooks.InvalidError
	switch {
	case errors.As(err, &invalid):
		return nil, &fault{reason: waybill.ReasonValidationError, message: err.Error(), stalled: true}
	case err != nil:
		return nil, &fault{reason: waybill.ReasonHookSettings, message: err.Error()}
	}
	r := &ready{generation: correspond.Generation(o), hooks: live, types: newVocabulary(w.server.Mapper),
		customizes: decoded.Spec.Hooks.Customize.Kind() != ""}
	if f := w.complete(r, o); f != nil {
		live.Close()
		return nil, f
	}
	return r, nil
}

// complete finds out what the types of a MapController are.
func (w *worker) complete(r *ready, o *krm.Object) (f *fault) {
	var err error
	r.patient = newPatient(r.hooks, w.seat, w.options)
	r.Controller, err = mapping.New(o, r.types, r.patient)
	lacks, failed := r.types.lack()
	switch {
	case failed != nil:
		return &fault{reason: waybill.ReasonUnavailable, message: "the API server does not say what types there are: " + failed.Error()}
	case err != nil && len(lacks) > 0:
		return &fault{reason: waybill.ReasonNotServed, message: notServed(lacks) + ": " + oneLine(err.Error()), looks: true}
	case err != nil:
		return &fault{reason: waybill.ReasonValidationError, message: err.Error(), stalled: true}
	}
	if err := r.assign(); err != nil {
		return &fault{reason: waybill.ReasonValidationError, message: err.Error(), stalled: true}
	}
	if r.parents, err = metav1.LabelSelectorAsSelector(r.Spec().ParentResource.LabelSelector); err != nil {
		return &fault{reason: waybill.ReasonValidationError, message: err.Error(), stalled: true}
	}
	if r.Spec().ParentResource.LabelSelector == nil {
		r.parents = labels.Everything()
	}
	if r.hasStatus, err = w.hasStatus(r.parent.GroupVersionResource); err != nil {
		return &fault{reason: waybill.ReasonUnavailable, message: "the API server does not say whether parents have a status: " + err.Error()}
	}
	return nil
}

// notServed says which types there are not.
func notServed(lacks []string) string {
	return "the API server does not serve " + strings.Join(lacks, ", ") + ", which is looked for now and then"
}

// assign notes what each type is for. One type in two versions would be there twice.
func (r *ready) assign() error {
	parent, inputs, outputs := r.Types()
	r.roles = map[kind]role{}
	seen := map[schema.GroupKind]string{}
	add := func(t mapping.Type, as func(*role)) error {
		if v, is := seen[t.GroupKind()]; is && v != t.Version {
			return fmt.Errorf("%s is named in the versions %s and %s; want one", t.GroupKind(), v, t.Version)
		}
		seen[t.GroupKind()] = t.Version
		k := r.kindOf(t)
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
	r.parent = r.kindOf(parent)
	if err != nil {
		return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return nil
}

func (r *ready) kindOf(t mapping.Type) kind {
	return kind{schema.GroupVersionResource{Group: t.Group, Version: t.Version, Resource: t.Plural},
		r.types.Lookup(t.Group, t.Kind).Namespaced}
}

package mapcontroller

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	mapping "github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/hooks"
)

// prepared is a MapController that can be reconciled, as of the last change of its spec.
type prepared struct {
	*mapping.Controller
	generation string
	hooks      *hooks.Hooks
	backoff    *hooks.Backoff // calls hooks
	types      *live.Types
	parent     live.Resource
	roles      map[live.Resource]role // of the types that it names
	hasStatus  bool                   // parents have a status subresource
	customizes bool
}

// role is how a MapController uses the objects of a type.
type role struct{ parent, input, output bool }

func (r role) isParent() bool { return r.parent }
func (r role) isInput() bool  { return r.input }
func (r role) isOutput() bool { return r.output }

// prepare prepares a MapController. A fault says what is wrong, and whether another attempt may help.
func (w *worker) prepare(ctx context.Context, o *krm.Object) (*prepared, *live.Fault) {
	o = o.DeepCopy()
	krm.RemoveField(o.Node(), "status") // requests to hooks do not change with it
	var decoded waybill.MapController
	if err := o.Decode(&decoded); err != nil {
		return nil, invalid(err)
	}
	options := w.controller.options
	running, err := hooks.New(ctx, &decoded.Spec, hooks.Options{
		Values: valuesFrom(w.controller.reader), Proxy: options.Proxy, Observe: w.controller.metrics.observer(w.name),
		Functions: functions{linked: options.Functions, runners: options.Runners}.prepare})
	var wrong *hooks.InvalidError
	switch {
	case errors.As(err, &wrong):
		return nil, invalid(err)
	case err != nil:
		return nil, &live.Fault{Reason: waybill.ReasonHookSettings, Message: err.Error()}
	}
	r := &prepared{generation: applyset.Generation(o), hooks: running, types: live.NewTypes(w.controller.server),
		backoff:    &hooks.Backoff{Hooks: running, Slot: w.slot, First: options.FirstRetry, Last: options.LastRetry},
		customizes: decoded.Spec.Hooks.Customize.Kind() != ""}
	if f := w.compile(r, o); f != nil {
		running.Close()
		return nil, f
	}
	return r, nil
}

// invalid is the fault of a MapController that cannot work until its spec changes.
func invalid(err error) *live.Fault {
	return &live.Fault{Reason: waybill.ReasonValidationError, Message: err.Error(), Stalled: true}
}

// compile compiles a MapController with the types that the API server serves.
func (w *worker) compile(r *prepared, o *krm.Object) *live.Fault {
	controller, err := mapping.New(o, r.types, r.backoff)
	missing, failed := r.types.Missing()
	switch {
	case failed != nil:
		return &live.Fault{Reason: waybill.ReasonUnavailable, Message: "the API server does not list its types: " + failed.Error()}
	case err != nil && len(missing) > 0:
		return &live.Fault{Reason: waybill.ReasonNotServed, Poll: true, Message: fmt.Sprintf(
			"the API server does not serve %s; the controller checks again from time to time: %s", strings.Join(missing, ", "),
			live.OneLine(err.Error()))}
	case err != nil:
		return invalid(err)
	}
	r.Controller = controller
	if err := r.assignRoles(); err != nil {
		return invalid(err)
	}
	if r.hasStatus, err = w.controller.server.HasStatus(r.parent.GroupVersionResource); err != nil {
		return &live.Fault{Reason: waybill.ReasonUnavailable,
			Message: "the API server does not say whether parents have a status: " + err.Error()}
	}
	return nil
}

// assignRoles sets the role of each type. A type in two versions would have every object twice.
func (p *prepared) assignRoles() error {
	parent, inputs, outputs := p.Types()
	p.roles = map[live.Resource]role{}
	versions := map[schema.GroupKind]string{}
	var errs []string
	assign := func(as func(*role), types ...mapping.Type) {
		for _, t := range types {
			if v, named := versions[t.GroupKind()]; named && v != t.Version {
				errs = append(errs, fmt.Sprintf("%s is named in the versions %s and %s; want one", t.GroupKind(), v, t.Version))
				continue
			}
			versions[t.GroupKind()] = t.Version
			k := p.resourceOf(t)
			now := p.roles[k]
			as(&now)
			p.roles[k] = now
		}
	}
	assign(func(r *role) { r.parent = true }, parent)
	assign(func(r *role) { r.input = true }, inputs...)
	assign(func(r *role) { r.output = true }, outputs...)
	p.parent = p.resourceOf(parent)
	if len(errs) > 0 {
		return errors.New(strings.Join(errs, "; "))
	}
	return nil
}

func (p *prepared) resourceOf(t mapping.Type) live.Resource {
	return live.Resource{GroupVersionResource: t.GroupVersion().WithResource(t.Plural),
		Namespaced: p.types.Lookup(t.Group, t.Kind).Namespaced}
}

// resource finds the type of an object among those with a role.
func (p *prepared) resource(id krm.ID, counts func(role) bool) (live.Resource, bool) {
	plural := p.types.Lookup(id.Group, id.Kind).Plural
	for k, as := range p.roles {
		if counts(as) && k.Group == id.Group && k.Resource == plural {
			return k, true
		}
	}
	return live.Resource{}, false
}

package mapcontroller

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/plain"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// Controller is a compiled MapController. It is immutable, and safe for concurrent use if its Hooks are.
type Controller struct {
	object  *krm.Object
	data    map[string]any // of object
	name    string
	spec    waybill.MapControllerSpec
	types   Types
	parent  resource
	inputs  []resource
	outputs []resource
	limit   applyset.Limit
	hooks   map[string]*compiledHook
	// mayBeEmpty allows selectors to select nothing where they selected something before.
	mayBeEmpty bool
}

// compiledHook is a hook that can be called.
type compiledHook struct {
	version string
	hook
}

// hook answers requests.
type hook interface {
	call(ctx context.Context, r *Request) (*answer, error)
}

// New compiles a MapController. The error is an aggregate of everything that is wrong with it, each at its own path.
func New(o *krm.Object, types Types, hooks Hooks) (*Controller, error) {
	if !isMapController(o) {
		return nil, field.Invalid(field.NewPath("functionConfig", "kind"), o.APIVersion()+" "+o.Kind(),
			"want "+waybill.APIVersion+" "+waybill.KindMapController)
	}
	o = o.WithoutOrchestration()
	if err := checkMaxDeletions(o); err != nil {
		return nil, err
	}
	var decoded waybill.MapController
	if err := o.Decode(&decoded); err != nil {
		return nil, err
	}
	data, err := plain.FromNode(o.Node())
	if err != nil {
		return nil, err
	}
	c := &Controller{object: o, data: data.(map[string]any), name: decoded.Name, spec: decoded.Spec, types: types,
		hooks: map[string]*compiledHook{}}
	allowed, fault := selection.Allowed(o.Annotations())
	if fault != nil {
		return nil, fault
	}
	c.mayBeEmpty = allowed || decoded.Spec.AllowEmpty
	if errs := c.compile(hooks); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	return c, nil
}

func isMapController(o *krm.Object) bool {
	return o.Kind() == waybill.KindMapController && slices.Contains([]string{waybill.APIVersion, waybill.ProposalAPIVersion}, o.APIVersion())
}

// Name is the MapController's name, which its outputs carry.
func (c *Controller) Name() string { return c.name }

// Finalizer is the finalizer that a live controller adds to parents if there is a finalize hook.
func (c *Controller) Finalizer() string { return waybill.Group + "/" + c.name }

// Finalizes reports whether there is a finalize hook.
func (c *Controller) Finalizes() bool { return c.hooks[HookFinalize] != nil }

// Selects reports whether the spec selects an object of the parents' type as a parent.
func (c *Controller) Selects(o *krm.Object) bool {
	return c.parent.selector.Matches(labels.Set(o.Labels()))
}

// Types are the types to watch: those of parents, inputs and outputs.
func (c *Controller) Types() (parent Type, inputs, outputs []Type) {
	return c.parent.exported(), exported(c.inputs), exported(c.outputs)
}

// Spec is the MapController's spec, for settings that only a live controller uses. It must not be changed.
func (c *Controller) Spec() *waybill.MapControllerSpec { return &c.spec }

// compile compiles all parts of c.
func (c *Controller) compile(hooks Hooks) (errs field.ErrorList) {
	spec := field.NewPath("spec")
	if faults := validation.IsDNS1123Subdomain(c.name); len(faults) > 0 {
		errs = append(errs, field.Invalid(field.NewPath("metadata", "name"), c.name, faults[0]))
	}
	if c.object.APIVersion() == waybill.ProposalAPIVersion {
		errs = append(errs, forbidExtensions(&c.spec, spec)...)
	}
	errs = append(errs, c.compileTypes(spec)...)
	errs = append(errs, c.compileOptions(spec)...)
	return append(errs, c.compileHooks(hooks, spec.Child("hooks"))...)
}

// call calls a hook, and names the hook in an error.
func (c *Controller) call(ctx context.Context, r *Request) (a *answer, err error) {
	h := c.hooks[r.Hook]
	r.Version, r.Controller, r.controllerData = h.version, c.object, c.data
	if a, err = h.call(ctx, r); err != nil {
		return nil, fmt.Errorf("hook %s: %w", r.Hook, err)
	}
	return a, nil
}

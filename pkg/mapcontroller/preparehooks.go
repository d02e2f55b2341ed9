package mapcontroller

import (
	"errors"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// prepareOptions checks the options that are neither types nor hooks.
func (c *Controller) prepareOptions(spec *field.Path) (errs field.ErrorList) {
	for _, o := range []struct {
		name, value string
		values      []string
	}{
		{"view", c.spec.View, []string{waybill.ViewComplete, waybill.ViewPartial}},
		{"adopt", c.spec.Adopt, []string{waybill.AdoptConverge, waybill.AdoptNever, waybill.AdoptPreserve}},
		{"statusMode", c.spec.StatusMode, []string{waybill.StatusInPlace, waybill.StatusReport}},
	} {
		if o.value != "" && !slices.Contains(o.values, o.value) {
			errs = append(errs, field.NotSupported(spec.Child(o.name), o.value, o.values))
		}
	}
	errs = append(errs, validation.EndpointConfigs(c.spec.EndpointConfigs, spec.Child("endpointConfigs"))...)
	if c.spec.MaxDeletions != nil {
		var err error
		if c.limit, err = applyset.ParseLimit(c.spec.MaxDeletions.String()); err != nil || c.spec.MaxDeletions.String() == "" {
			errs = append(errs, field.Invalid(spec.Child("maxDeletions"), c.spec.MaxDeletions.String(), wantLimit))
		}
	}
	return errs
}

// wantLimit says what maxDeletions may be.
const wantLimit = "want a whole number from 0, or a percentage up to 100%"

// checkMaxDeletions refuses values that are neither numbers nor texts, for which decoding has no clear message.
func checkMaxDeletions(o *krm.Object) error {
	n := o.Lookup("spec", "maxDeletions")
	if n == nil || n.Kind == yaml.ScalarNode && slices.Contains([]string{yaml.NodeTagInt, yaml.NodeTagString, yaml.NodeTagNull},
		n.ShortTag()) {
		return nil
	}
	at := field.NewPath("spec", "maxDeletions")
	if n.Kind != yaml.ScalarNode {
		return field.Invalid(at, field.OmitValueType{}, wantLimit)
	}
	return field.Invalid(at, n.Value, wantLimit)
}

// prepareHooks compiles all hooks.
func (c *Controller) prepareHooks(hooks Hooks, at *field.Path) (errs field.ErrorList) {
	all := c.spec.Hooks
	related := all.Customize.Kind() != ""
	for _, h := range []struct {
		name string
		hook *waybill.MapHook
	}{{HookMap, all.Map}, {HookTombstone, all.Tombstone}, {HookFinalize, all.Finalize}, {HookCustomize, all.Customize}} {
		ready, faults := prepareHook(h.name, h.hook, hooks, related, at.Child(h.name))
		errs = append(errs, faults...)
		if ready != nil {
			c.hooks[h.name] = ready
		}
	}
	if len(errs) == 0 && c.hooks[HookMap] == nil {
		errs = append(errs, field.Required(at.Child(HookMap), "give it cel, function or webhook"))
	}
	return errs
}

// prepareHook compiles a hook; nil when it is absent.
func prepareHook(name string, h *waybill.MapHook, hooks Hooks, related bool, at *field.Path) (*compiledHook, field.ErrorList) {
	kind := h.Kind()
	if kind == "" {
		return nil, nil
	}
	ready := &compiledHook{version: h.Version}
	if ready.version == "" {
		ready.version = waybill.HookV1
	}
	if ready.version != waybill.HookV1 && ready.version != waybill.HookV2 {
		return nil, field.ErrorList{field.NotSupported(at.Child("version"), h.Version, []string{waybill.HookV1, waybill.HookV2})}
	}
	if errs := validation.MapHook(h, at); len(errs) > 0 {
		return nil, errs
	}
	if h.CEL != nil {
		program, err := compileCEL(h.CEL.Expression, celScope{name, ready.version, related})
		if err != nil {
			return nil, field.ErrorList{field.Invalid(at.Child("cel", "expression"), field.OmitValueType{}, err.Error())}
		}
		ready.hook = program
		return ready, nil
	}
	if err := checkHook(hooks, h); err != nil {
		return nil, field.ErrorList{field.Invalid(at.Child(kind), field.OmitValueType{}, err.Error())}
	}
	if h.Function != nil {
		ready.hook = &functionHook{hooks, h.Function}
		return ready, nil
	}
	ready.hook = &webhook{hooks, h.Webhook}
	return ready, nil
}

func checkHook(hooks Hooks, h *waybill.MapHook) error {
	if hooks == nil {
		return errors.New("only cel is possible here")
	}
	return hooks.Check(h)
}

// forbidExtensions refuses fields that MapController's proposal does not have: under its API version an object means only
// what the proposal says.
func forbidExtensions(s *waybill.MapControllerSpec, at *field.Path) (errs field.ErrorList) {
	refuse := func(is bool, at *field.Path) {
		if is {
			errs = append(errs, field.Forbidden(at, "it is known to "+waybill.APIVersion+" alone"))
		}
	}
	refuse(s.ParentResource.Kind != "", at.Child("parentResource", "kind"))
	for i, in := range s.InputResources {
		refuse(in.Kind != "", at.Child("inputResources").Index(i).Child("kind"))
		refuse(in.LabelSelector != nil, at.Child("inputResources").Index(i).Child("labelSelector"))
	}
	for i, out := range s.OutputResources {
		refuse(out.Kind != "", at.Child("outputResources").Index(i).Child("kind"))
		refuse(out.UpdateStrategy != nil, at.Child("outputResources").Index(i).Child("updateStrategy"))
	}
	hooks := at.Child("hooks")
	for _, h := range []struct {
		name     string
		hook     *waybill.MapHook
		proposed bool
	}{{HookMap, s.Hooks.Map, true}, {HookTombstone, s.Hooks.Tombstone, true}, {HookFinalize, s.Hooks.Finalize, false},
		{HookCustomize, s.Hooks.Customize, false}} {
		if refuse(!h.proposed && h.hook != nil, hooks.Child(h.name)); !h.proposed || h.hook == nil {
			continue
		}
		refuse(h.hook.CEL != nil, hooks.Child(h.name, "cel"))
		refuse(h.hook.Function != nil, hooks.Child(h.name, "function"))
	}
	refuse(s.View != "", at.Child("view"))
	refuse(s.AllowEmpty, at.Child("allowEmpty"))
	refuse(s.MaxDeletions != nil, at.Child("maxDeletions"))
	refuse(s.Adopt != "", at.Child("adopt"))
	refuse(s.StatusMode != "", at.Child("statusMode"))
	return errs
}

package mapcontroller

import (
	"cmp"
	"errors"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// compileOptions checks the options that are neither types nor hooks.
func (c *Controller) compileOptions(spec *field.Path) (errs field.ErrorList) {
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

// compileHooks compiles all hooks.
func (c *Controller) compileHooks(hooks Hooks, at *field.Path) (errs field.ErrorList) {
	related := c.spec.Hooks.Customize.Kind() != ""
	for _, h := range NamedHooks(&c.spec) {
		compiled, faults := compileHook(h.Name, h.Hook, hooks, related, at.Child(h.Name))
		errs = append(errs, faults...)
		if compiled != nil {
			c.hooks[h.Name] = compiled
		}
	}
	if len(errs) == 0 && c.hooks[HookMap] == nil {
		errs = append(errs, field.Required(at.Child(HookMap), "give it cel, function or webhook"))
	}
	return errs
}

// compileHook compiles a hook; nil when it is absent.
func compileHook(name string, h *waybill.MapHook, hooks Hooks, related bool, at *field.Path) (*compiledHook, field.ErrorList) {
	kind := h.Kind()
	if kind == "" {
		return nil, nil
	}
	compiled, versions := &compiledHook{version: cmp.Or(h.Version, waybill.HookV1)}, []string{waybill.HookV1, waybill.HookV2}
	if !slices.Contains(versions, compiled.version) {
		return nil, field.ErrorList{field.NotSupported(at.Child("version"), h.Version, versions)}
	}
	if errs := validation.MapHook(h, at); len(errs) > 0 {
		return nil, errs
	}
	var err error
	at = at.Child(kind)
	switch {
	case h.CEL != nil:
		at = at.Child("expression")
		compiled.hook, err = compileCEL(h.CEL.Expression, celScope{name, compiled.version, related})
	case hooks == nil:
		err = errors.New("only cel is possible here")
	case h.Function != nil:
		compiled.hook, err = &functionHook{hooks, h.Function}, hooks.Check(h)
	default:
		compiled.hook, err = &webhook{hooks, h.Webhook}, hooks.Check(h)
	}
	if err != nil {
		return nil, field.ErrorList{field.Invalid(at, field.OmitValueType{}, err.Error())}
	}
	return compiled, nil
}

// forbidExtensions refuses fields that MapController's proposal does not have: under its API version an object means only
// what the proposal says.
func forbidExtensions(s *waybill.MapControllerSpec, at *field.Path) (errs field.ErrorList) {
	refuse := func(is bool, at *field.Path) {
		if is {
			errs = append(errs, field.Forbidden(at, "only "+waybill.APIVersion+" has this field"))
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
	for _, h := range NamedHooks(s) {
		switch {
		case h.Hook == nil:
		case h.Name == HookMap || h.Name == HookTombstone:
			refuse(h.Hook.CEL != nil, hooks.Child(h.Name, "cel"))
			refuse(h.Hook.Function != nil, hooks.Child(h.Name, "function"))
		default:
			refuse(true, hooks.Child(h.Name))
		}
	}
	refuse(s.View != "", at.Child("view"))
	refuse(s.AllowEmpty, at.Child("allowEmpty"))
	refuse(s.MaxDeletions != nil, at.Child("maxDeletions"))
	refuse(s.Adopt != "", at.Child("adopt"))
	refuse(s.StatusMode != "", at.Child("statusMode"))
	return errs
}

package mapping

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// forbidExtensions refuses what MapController's proposal does not have: under its API version an object means
// what the proposal says, wherever it is read.
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

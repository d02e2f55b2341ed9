package waybill

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Kind is "cel", "function" or "webhook"; "" for a hook that is absent.
func (h *MapHook) Kind() string {
	if kinds := h.kinds(); len(kinds) > 0 {
		return kinds[0]
	}
	return ""
}

func (h *MapHook) kinds() (kinds []string) {
	if h == nil {
		return nil
	}
	for _, k := range []struct {
		name string
		is   bool
	}{{"cel", h.CEL != nil}, {"function", h.Function != nil}, {"webhook", h.Webhook != nil}} {
		if k.is {
			kinds = append(kinds, k.name)
		}
	}
	return kinds
}

// Validate lists what is wrong with a hook, as far as it alone tells: at is where it stands.
func (h *MapHook) Validate(at *field.Path) (errs field.ErrorList) {
	if kinds := h.kinds(); len(kinds) > 1 {
		errs = append(errs, field.Forbidden(at.Child(kinds[1]), "there is "+kinds[0]+" already; a hook is one of them"))
	}
	if h.Function != nil {
		errs = append(errs, h.Function.validate(at.Child("function"))...)
	}
	if h.Webhook != nil {
		errs = append(errs, h.Webhook.validate(at.Child("webhook"))...)
	}
	return errs
}

func (f *FunctionHook) validate(at *field.Path) field.ErrorList {
	given := 0
	for _, text := range []string{f.Name, f.Exec, f.Image} {
		if text != "" {
			given++
		}
	}
	if given != 1 {
		return field.ErrorList{field.Invalid(at, field.OmitValueType{}, "give it exactly one of name, exec and image")}
	}
	return nil
}

func (w *Webhook) validate(at *field.Path) (errs field.ErrorList) {
	modes := []string{ResponseLoose, ResponseStrict}
	if w.ResponseUnMarshallMode != "" && !slices.Contains(modes, w.ResponseUnMarshallMode) {
		errs = append(errs, field.NotSupported(at.Child("responseUnMarshallMode"), w.ResponseUnMarshallMode, modes))
	}
	switch {
	case w.URL != "" && !strings.HasPrefix(w.URL, "http://") && !strings.HasPrefix(w.URL, "https://"):
		errs = append(errs, field.Invalid(at.Child("url"), field.OmitValueType{}, "want http:// or https://"))
	case w.URL == "" && w.Service == nil:
		errs = append(errs, field.Required(at.Child("url"), "give it a url or a service"))
	case w.URL == "" && w.Service.Protocol != nil && *w.Service.Protocol != "http" && *w.Service.Protocol != "https":
		errs = append(errs, field.NotSupported(at.Child("service", "protocol"), *w.Service.Protocol, []string{"http", "https"}))
	}
	if w.CABundle != nil && w.CABundle.count() != 1 {
		errs = append(errs, field.Invalid(at.Child("caBundle"), field.OmitValueType{}, "give it exactly one of inline, secretRef and configMapRef"))
	}
	return errs
}

func (b *WebhookCABundle) count() (n int) {
	for _, is := range []bool{b.Inline != "", b.SecretRef != nil, b.ConfigMapRef != nil} {
		if is {
			n++
		}
	}
	return n
}

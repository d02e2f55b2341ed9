package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// MapHook lists the faults of a hook at a path.
func MapHook(h *waybill.MapHook, at *field.Path) (errs field.ErrorList) {
	if kinds := h.Kinds(); len(kinds) > 1 {
		errs = append(errs, field.Forbidden(at.Child(kinds[1]), "there is "+kinds[0]+" already; a hook is one of them"))
	}
	if f := h.Function; f != nil {
		errs = append(errs, exactlyOne(at.Child("function"), choice{"name", f.Name != ""}, choice{"exec", f.Exec != ""},
			choice{"image", f.Image != ""})...)
	}
	if h.Webhook != nil {
		errs = append(errs, webhook(h.Webhook, at.Child("webhook"))...)
	}
	return errs
}

func webhook(w *waybill.Webhook, at *field.Path) field.ErrorList {
	errs := oneOf(w.ResponseUnMarshallMode, at.Child("responseUnMarshallMode"), waybill.ResponseLoose, waybill.ResponseStrict)
	address := "url"
	switch {
	case w.URL != "" && !strings.HasPrefix(w.URL, "http://") && !strings.HasPrefix(w.URL, "https://"):
		errs = append(errs, field.Invalid(at.Child("url"), field.OmitValueType{}, "want http:// or https://"))
	case w.URL == "" && w.Service == nil:
		errs = append(errs, field.Required(at.Child("url"), "give it a url or a service"))
	case w.URL == "":
		address = "path"
		errs = append(errs, service(w.Service, at.Child("service"))...)
	}
	if len(errs) == 0 {
		if _, err := w.Address(); err != nil {
			errs = append(errs, field.Invalid(at.Child(address), field.OmitValueType{}, err.Error()))
		}
	}
	return append(errs, connection(&w.WebhookConnection, at)...)
}

func service(s *waybill.WebhookService, at *field.Path) (errs field.ErrorList) {
	if len(validation.IsDNS1123Label(s.Name)) > 0 {
		errs = append(errs, field.Invalid(at.Child("name"), s.Name, "want the name of a Service"))
	}
	if len(validation.IsDNS1123Label(s.Namespace)) > 0 {
		errs = append(errs, field.Invalid(at.Child("namespace"), s.Namespace, "want the name of a namespace"))
	}
	if s.Port != nil && (*s.Port < 1 || *s.Port > 65535) {
		errs = append(errs, field.Invalid(at.Child("port"), *s.Port, "want 1 to 65535"))
	}
	if s.Protocol != nil && *s.Protocol != "http" && *s.Protocol != "https" {
		errs = append(errs, field.NotSupported(at.Child("protocol"), *s.Protocol, []string{"http", "https"}))
	}
	return errs
}

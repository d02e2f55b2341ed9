package waybill

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
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
	case w.URL == "":
		errs = append(errs, w.Service.validate(at.Child("service"))...)
	}
	if len(errs) == 0 {
		if _, err := w.Address(); err != nil {
			errs = append(errs, field.Invalid(at.Child(w.addressField()), field.OmitValueType{}, err.Error()))
		}
	}
	return append(errs, w.WebhookConnection.validate(at)...)
}

func (w *Webhook) addressField() string {
	if w.URL != "" {
		return "url"
	}
	return "path"
}

func (s *WebhookService) validate(at *field.Path) (errs field.ErrorList) {
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

// Address is where a webhook is asked. The error repeats nothing of it: it may hold a password.
func (w *Webhook) Address() (*url.URL, error) {
	text := w.URL
	if text == "" {
		if w.Path != "" && !strings.HasPrefix(w.Path, "/") {
			return nil, errors.New("want a path that begins with /")
		}
		text = w.Service.address() + w.Path
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("it is no part of a URL")
	}
	if port := u.Port(); u.Hostname() == "" || strings.HasSuffix(u.Host, ":") || port != "" && !isPort(port) {
		return nil, errors.New("want a host, and a port from 1 to 65535 if there is one")
	}
	return u, nil
}

func isPort(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 1 && n <= 65535
}

func (s *WebhookService) address() string {
	protocol, port := "http", int32(80)
	if s.Protocol != nil {
		protocol = *s.Protocol
	}
	if s.Port != nil {
		port = *s.Port
	}
	return fmt.Sprintf("%s://%s.%s:%d", protocol, s.Name, s.Namespace, port)
}

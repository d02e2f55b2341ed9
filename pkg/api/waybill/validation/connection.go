package validation

import (
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// EndpointConfigs lists the faults of endpointConfigs at a path.
func EndpointConfigs(configs []waybill.EndpointConfig, at *field.Path) (errs field.ErrorList) {
	const wantHost = "a host, with a port if that is not the usual one"
	for i := range configs {
		c, at := &configs[i], at.Index(i)
		switch u, err := url.Parse("http://" + c.Host); {
		case c.Host == "":
			errs = append(errs, field.Required(at.Child("host"), "name "+wantHost))
		case err != nil || u.Host != c.Host || u.Hostname() == "" || strings.HasSuffix(c.Host, ":"):
			// the value is not quoted: it may be a whole URL, with a password
			errs = append(errs, field.Invalid(at.Child("host"), field.OmitValueType{}, "want "+wantHost))
		}
		errs = append(errs, connection(&c.WebhookConnection, at)...)
	}
	return errs
}

func connection(c *waybill.WebhookConnection, at *field.Path) (errs field.ErrorList) {
	if c.CABundle != nil {
		errs = append(errs, caBundle(c.CABundle, at.Child("caBundle"))...)
	}
	if c.ClientTLS != nil {
		errs = append(errs, reference(&c.ClientTLS.SecretRef, at.Child("clientTLS", "secretRef"))...)
	}
	if c.Authorization != nil {
		errs = append(errs, authorization(c.Authorization, at.Child("authorization"))...)
	}
	if c.BasicAuth == nil {
		return errs
	}
	if c.Authorization != nil {
		errs = append(errs, field.Forbidden(at.Child("basicAuth"), "there is authorization already; a request has one of them"))
	}
	return append(errs, reference(&c.BasicAuth.SecretRef, at.Child("basicAuth", "secretRef"))...)
}

func caBundle(b *waybill.WebhookCABundle, at *field.Path) (errs field.ErrorList) {
	if errs := exactlyOne(at, choice{"inline", b.Inline != ""}, choice{"secretRef", b.SecretRef != nil},
		choice{"configMapRef", b.ConfigMapRef != nil}); len(errs) > 0 {
		return errs
	}
	if b.SecretRef != nil {
		errs = append(errs, reference(&b.SecretRef.WebhookRef, at.Child("secretRef"))...)
	}
	if b.ConfigMapRef != nil {
		errs = append(errs, reference(&b.ConfigMapRef.WebhookRef, at.Child("configMapRef"))...)
	}
	return errs
}

func authorization(a *waybill.WebhookAuthorization, at *field.Path) (errs field.ErrorList) {
	switch scheme := a.Scheme(); {
	case strings.EqualFold(scheme, "Basic"):
		errs = append(errs, field.Forbidden(at.Child("type"), "Basic has a field of its own: basicAuth"))
	case strings.ContainsFunc(scheme, func(r rune) bool { return !isTokenChar(r) }):
		errs = append(errs, field.Invalid(at.Child("type"), field.OmitValueType{}, "want one word, such as Bearer"))
	}
	errs = append(errs, reference(&a.SecretRef.WebhookRef, at.Child("secretRef"))...)
	if a.SecretRef.Key == "" {
		errs = append(errs, field.Required(at.Child("secretRef", "key"), "name a key of the Secret"))
	}
	return errs
}

// isTokenChar reports whether the name of a scheme may hold r.
func isTokenChar(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

func reference(r *waybill.WebhookRef, at *field.Path) (errs field.ErrorList) {
	if r.Name == "" {
		errs = append(errs, field.Required(at.Child("name"), "name an object"))
	}
	if r.Namespace == "" {
		errs = append(errs, field.Required(at.Child("namespace"), "a MapController has no namespace of its own"))
	}
	return errs
}

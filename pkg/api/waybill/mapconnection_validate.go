package waybill

import (
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateEndpointConfigs lists what is wrong with endpointConfigs: at is where they stand.
func ValidateEndpointConfigs(configs []EndpointConfig, at *field.Path) (errs field.ErrorList) {
	for i := range configs {
		c, at := &configs[i], at.Index(i)
		switch u, err := url.Parse("http://" + c.Host); {
		case c.Host == "":
			errs = append(errs, field.Required(at.Child("host"), "name a host, with a port if that is not the usual one"))
		case err != nil || u.Host != c.Host || u.Hostname() == "" || strings.HasSuffix(c.Host, ":"):
			// the value is not repeated: somebody may have put a whole URL there, with a password
			errs = append(errs, field.Invalid(at.Child("host"), field.OmitValueType{}, "want a host, with a port if that is not the usual one"))
		}
		errs = append(errs, c.WebhookConnection.validate(at)...)
	}
	return errs
}

// Given reports whether anything is said.
func (c *WebhookConnection) Given() bool {
	return c.CABundle != nil || c.ClientTLS != nil || c.Authorization != nil || c.BasicAuth != nil
}

func (c *WebhookConnection) validate(at *field.Path) (errs field.ErrorList) {
	if c.CABundle != nil {
		errs = append(errs, c.CABundle.validate(at.Child("caBundle"))...)
	}
	if c.ClientTLS != nil {
		errs = append(errs, c.ClientTLS.SecretRef.validate(at.Child("clientTLS", "secretRef"))...)
	}
	if c.Authorization != nil {
		errs = append(errs, c.Authorization.validate(at.Child("authorization"))...)
	}
	if c.BasicAuth == nil {
		return errs
	}
	if c.Authorization != nil {
		errs = append(errs, field.Forbidden(at.Child("basicAuth"), "there is authorization already; a request has one of them"))
	}
	return append(errs, c.BasicAuth.SecretRef.validate(at.Child("basicAuth", "secretRef"))...)
}

func (b *WebhookCABundle) validate(at *field.Path) (errs field.ErrorList) {
	if b.count() != 1 {
		return field.ErrorList{field.Invalid(at, field.OmitValueType{}, "give it exactly one of inline, secretRef and configMapRef")}
	}
	if b.SecretRef != nil {
		errs = append(errs, b.SecretRef.validate(at.Child("secretRef"))...)
	}
	if b.ConfigMapRef != nil {
		errs = append(errs, b.ConfigMapRef.validate(at.Child("configMapRef"))...)
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

func (a *WebhookAuthorization) validate(at *field.Path) (errs field.ErrorList) {
	switch scheme := a.Scheme(); {
	case strings.EqualFold(scheme, "Basic"):
		errs = append(errs, field.Forbidden(at.Child("type"), "Basic has a field of its own: basicAuth"))
	case strings.ContainsFunc(scheme, func(r rune) bool { return !isTokenChar(r) }):
		errs = append(errs, field.Invalid(at.Child("type"), field.OmitValueType{}, "want one word, such as Bearer"))
	}
	errs = append(errs, a.SecretRef.validate(at.Child("secretRef"))...)
	if a.SecretRef.Key == "" {
		errs = append(errs, field.Required(at.Child("secretRef", "key"), "name a key of the Secret"))
	}
	return errs
}

// Scheme is Type, or its default.
func (a *WebhookAuthorization) Scheme() string {
	if scheme := strings.TrimSpace(a.Type); scheme != "" {
		return scheme
	}
	return "Bearer"
}

// isTokenChar reports what the name of a scheme is made of.
func isTokenChar(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

func (r *WebhookRef) validate(at *field.Path) (errs field.ErrorList) {
	if r.Name == "" {
		errs = append(errs, field.Required(at.Child("name"), "name an object"))
	}
	if r.Namespace == "" {
		errs = append(errs, field.Required(at.Child("namespace"), "a MapController has no namespace of its own"))
	}
	return errs
}

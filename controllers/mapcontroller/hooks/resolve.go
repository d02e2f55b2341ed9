package hooks

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Keys of Secrets and ConfigMaps where a MapController names none.
const (
	defaultCAKey       = "ca.crt"
	defaultCertKey     = "tls.crt"
	defaultPrivateKey  = "tls.key"
	defaultUsernameKey = "username"
	defaultPasswordKey = "password" // #nosec G101 -- the name of a key
)

// connectionTo is how a webhook is connected to: as it says itself, or the first entry for its host.
func (m *maker) connectionTo(ctx context.Context, address *url.URL, w *waybill.Webhook, at *field.Path) *connection {
	if w.Given() {
		return m.read(ctx, &w.WebhookConnection, at)
	}
	for i := range m.spec.EndpointConfigs {
		e := &m.spec.EndpointConfigs[i]
		if plainHost(address.Scheme, e.Host) != plainHost(address.Scheme, address.Host) {
			continue
		}
		if m.ends[i] == nil {
			m.ends[i] = m.read(ctx, &e.WebhookConnection, m.at.Child("endpointConfigs").Index(i))
		}
		return m.ends[i]
	}
	return &connection{}
}

// plainHost is a host in lower case, without the port that its scheme has anyway.
func plainHost(scheme, host string) string {
	usual := map[string]string{"http": ":80", "https": ":443"}[scheme]
	return strings.TrimSuffix(strings.ToLower(host), usual)
}

// read reads what a connection names.
func (m *maker) read(ctx context.Context, c *waybill.WebhookConnection, at *field.Path) *connection {
	out := &connection{}
	if c.CABundle != nil {
		out.authorities = m.authorities(ctx, c.CABundle, at.Child("caBundle"))
	}
	if c.ClientTLS != nil {
		out.certificate = m.certificate(ctx, c.ClientTLS, at.Child("clientTLS"))
	}
	if c.Authorization != nil {
		out.authorization = m.authorization(ctx, c.Authorization, at.Child("authorization"))
	}
	if c.BasicAuth != nil {
		out.authorization = m.basicAuth(ctx, c.BasicAuth, at.Child("basicAuth"))
	}
	return out
}

func (m *maker) authorities(ctx context.Context, b *waybill.WebhookCABundle, at *field.Path) *x509.CertPool {
	pem, ok := []byte(b.Inline), true
	switch {
	case b.SecretRef != nil:
		at = at.Child("secretRef")
		pem, ok = m.value(ctx, KindSecret, b.SecretRef.WebhookRef, cmp.Or(b.SecretRef.Key, defaultCAKey), at)
	case b.ConfigMapRef != nil:
		at = at.Child("configMapRef")
		pem, ok = m.value(ctx, KindConfigMap, b.ConfigMapRef.WebhookRef, cmp.Or(b.ConfigMapRef.Key, defaultCAKey), at)
	}
	pool := x509.NewCertPool()
	if ok && !pool.AppendCertsFromPEM(pem) {
		m.fault(at, errors.New("it has no certificate in PEM form"))
	}
	return pool
}

func (m *maker) certificate(ctx context.Context, c *waybill.WebhookClientTLS, at *field.Path) *tls.Certificate {
	cert, ok := m.value(ctx, KindSecret, c.SecretRef, cmp.Or(c.CertKey, defaultCertKey), at)
	key, too := m.value(ctx, KindSecret, c.SecretRef, cmp.Or(c.PrivateKeyKey, defaultPrivateKey), at)
	if !ok || !too {
		return nil
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil { // its words may come from the key
		m.secretFault(at, c.SecretRef, "want a certificate and the key that belongs to it, in PEM form")
		return nil
	}
	return &pair
}

func (m *maker) authorization(ctx context.Context, a *waybill.WebhookAuthorization, at *field.Path) string {
	token, ok := m.word(ctx, a.SecretRef.WebhookRef, a.SecretRef.Key, at)
	if ok && token == "" {
		m.secretFault(at, a.SecretRef.WebhookRef, fmt.Sprintf("key %q: it is empty", a.SecretRef.Key))
	}
	return a.Scheme() + " " + token
}

func (m *maker) basicAuth(ctx context.Context, b *waybill.WebhookBasicAuth, at *field.Path) string {
	user, _ := m.word(ctx, b.SecretRef, cmp.Or(b.UsernameKey, defaultUsernameKey), at)
	password, _ := m.word(ctx, b.SecretRef, cmp.Or(b.PasswordKey, defaultPasswordKey), at)
	if strings.Contains(user, ":") {
		m.secretFault(at, b.SecretRef, "a user cannot have a colon in its name")
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// word is the value of a key of a Secret for a header, without the space around it.
func (m *maker) word(ctx context.Context, ref waybill.WebhookRef, key string, at *field.Path) (string, bool) {
	value, ok := m.value(ctx, KindSecret, ref, key, at)
	text := strings.TrimSpace(string(value))
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		m.secretFault(at, ref, fmt.Sprintf("key %q: it has characters that no header can carry", key))
		return "", false
	}
	return text, ok
}

// value is the value of a key of a Secret or ConfigMap. False says that there is none, which was told.
func (m *maker) value(ctx context.Context, kind string, ref waybill.WebhookRef, key string, at *field.Path) ([]byte, bool) {
	value, err := m.Values.Get(ctx, kind, ref.Namespace, ref.Name, key)
	if err != nil {
		m.fault(at, fmt.Errorf("%s %q: key %q: %w", kind, place(ref), key, err))
	}
	return value, err == nil
}

// secretFault is a fault of what a Secret holds, in words that hold nothing of it.
func (m *maker) secretFault(at *field.Path, ref waybill.WebhookRef, words string) {
	m.fault(at, fmt.Errorf("%s %q: %s", KindSecret, place(ref), words))
}

func place(ref waybill.WebhookRef) string { return ref.Namespace + "/" + ref.Name }

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

// Keys of Secrets and ConfigMaps. A MapController may name others.
const (
	defaultCAKey       = "ca.crt"
	defaultCertKey     = "tls.crt"
	defaultPrivateKey  = "tls.key"
	defaultUsernameKey = "username"
	defaultPasswordKey = "password" // #nosec G101 -- the name of a key
)

// connectionTo is the connection of a webhook: its own settings if it has any, or the first endpointConfig of its host.
func (b *builder) connectionTo(ctx context.Context, address *url.URL, w *waybill.Webhook, at *field.Path) *connection {
	if w.Given() {
		return b.read(ctx, &w.WebhookConnection, at)
	}
	for i := range b.spec.EndpointConfigs {
		e := &b.spec.EndpointConfigs[i]
		if normalHost(address.Scheme, e.Host) != normalHost(address.Scheme, address.Host) {
			continue
		}
		if b.endpoints[i] == nil {
			b.endpoints[i] = b.read(ctx, &e.WebhookConnection, b.at.Child("endpointConfigs").Index(i))
		}
		return b.endpoints[i]
	}
	return &connection{}
}

// normalHost is a host in lower case, without the default port of its scheme.
func normalHost(scheme, host string) string {
	port := map[string]string{"http": ":80", "https": ":443"}[scheme]
	return strings.TrimSuffix(strings.ToLower(host), port)
}

// read reads the Secrets and ConfigMaps that a connection names.
func (b *builder) read(ctx context.Context, c *waybill.WebhookConnection, at *field.Path) *connection {
	out := &connection{}
	if c.CABundle != nil {
		out.authorities = b.authorities(ctx, c.CABundle, at.Child("caBundle"))
	}
	if c.ClientTLS != nil {
		out.certificate = b.certificate(ctx, c.ClientTLS, at.Child("clientTLS"))
	}
	if c.Authorization != nil {
		out.authorization = b.authorization(ctx, c.Authorization, at.Child("authorization"))
	}
	if c.BasicAuth != nil {
		out.authorization = b.basicAuth(ctx, c.BasicAuth, at.Child("basicAuth"))
	}
	return out
}

func (b *builder) authorities(ctx context.Context, c *waybill.WebhookCABundle, at *field.Path) *x509.CertPool {
	bundle, ok := []byte(c.Inline), true
	switch {
	case c.SecretRef != nil:
		at = at.Child("secretRef")
		bundle, ok = b.value(ctx, KindSecret, c.SecretRef.WebhookRef, cmp.Or(c.SecretRef.Key, defaultCAKey), at)
	case c.ConfigMapRef != nil:
		at = at.Child("configMapRef")
		bundle, ok = b.value(ctx, KindConfigMap, c.ConfigMapRef.WebhookRef, cmp.Or(c.ConfigMapRef.Key, defaultCAKey), at)
	}
	pool := x509.NewCertPool()
	if ok && !pool.AppendCertsFromPEM(bundle) {
		b.fail(at, errors.New("it has no certificate in PEM form"))
	}
	return pool
}

func (b *builder) certificate(ctx context.Context, c *waybill.WebhookClientTLS, at *field.Path) *tls.Certificate {
	cert, ok := b.value(ctx, KindSecret, c.SecretRef, cmp.Or(c.CertKey, defaultCertKey), at)
	key, okKey := b.value(ctx, KindSecret, c.SecretRef, cmp.Or(c.PrivateKeyKey, defaultPrivateKey), at)
	if !ok || !okKey {
		return nil
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil { // it may quote the key
		b.failSecret(at, c.SecretRef, "want a certificate and the key that belongs to it, in PEM form")
		return nil
	}
	return &pair
}

func (b *builder) authorization(ctx context.Context, a *waybill.WebhookAuthorization, at *field.Path) string {
	token, ok := b.text(ctx, a.SecretRef.WebhookRef, a.SecretRef.Key, at)
	if ok && token == "" {
		b.failSecret(at, a.SecretRef.WebhookRef, fmt.Sprintf("key %q: it is empty", a.SecretRef.Key))
	}
	return a.Scheme() + " " + token
}

func (b *builder) basicAuth(ctx context.Context, a *waybill.WebhookBasicAuth, at *field.Path) string {
	user, _ := b.text(ctx, a.SecretRef, cmp.Or(a.UsernameKey, defaultUsernameKey), at)
	password, _ := b.text(ctx, a.SecretRef, cmp.Or(a.PasswordKey, defaultPasswordKey), at)
	if strings.Contains(user, ":") {
		b.failSecret(at, a.SecretRef, "a user name cannot have a colon")
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// word is the value of a key of a Secret for a header, without the space around it.
func (b *builder) text(ctx context.Context, ref waybill.WebhookRef, key string, at *field.Path) (string, bool) {
	value, ok := b.value(ctx, KindSecret, ref, key, at)
	text := strings.TrimSpace(string(value))
	if !fitsHeader(text) {
		b.failSecret(at, ref, fmt.Sprintf("key %q: it has characters that a header cannot have", key))
		return "", false
	}
	return text, ok
}

// errNoKey says that an object exists and has no such key.
var errNoKey = errors.New("it has no such key")

// value is the value of a key of a Secret or ConfigMap; false where there is none, which is an error of the builder then.
func (b *builder) value(ctx context.Context, kind string, ref waybill.WebhookRef, key string, at *field.Path) ([]byte, bool) {
	data, err := b.Values(ctx, kind, ref.Namespace, ref.Name)
	value, ok := data[key]
	if err == nil && !ok {
		err = errNoKey
	}
	if err != nil {
		b.fail(at, fmt.Errorf("%s %q: key %q: %w", kind, ref.Namespace+"/"+ref.Name, key, err))
	}
	return value, err == nil
}

// failSecret adds an error about the content of a Secret. The message must not quote any of it.
func (b *builder) failSecret(at *field.Path, ref waybill.WebhookRef, message string) {
	b.fail(at, fmt.Errorf("%s %q: %s", KindSecret, ref.Namespace+"/"+ref.Name, message))
}

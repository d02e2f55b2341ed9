package hooks_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/hooks"
)

// values are Secrets and ConfigMaps: "Secret prod/a b" is key b of Secret a.
type values map[string]string

func (v values) read(_ context.Context, kind, namespace, name string) (map[string][]byte, error) {
	data := map[string][]byte{}
	for at, value := range v {
		if key, is := strings.CutPrefix(at, kind+" "+namespace+"/"+name+" "); is {
			data[key] = []byte(value)
		}
	}
	if len(data) == 0 {
		return nil, errMissing
	}
	return data, nil
}

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  string
}

func newAuthority(t testing.TB) *authority {
	t.Helper()
	a := &authority{}
	template := &x509.Certificate{Subject: pkix.Name{CommonName: "hooks"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	a.cert, a.key, a.pem, _ = a.issue(t, template)
	return a
}

// issue signs a certificate; the first one signs itself.
func (a *authority) issue(t testing.TB, c *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey, string, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	c.SerialNumber, c.NotBefore, c.NotAfter = big.NewInt(time.Now().UnixNano()), time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer)
	check(t, err)
	parsed, err := x509.ParseCertificate(der)
	check(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	check(t, err)
	return parsed, key, encode("CERTIFICATE", der), encode("PRIVATE KEY", keyDER)
}

func encode(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// pair is a certificate for this machine, and its key.
func (a *authority) pair(t testing.TB) (cert, key string) {
	_, _, cert, key = a.issue(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: "pair"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	})
	return cert, key
}

// serveTLS is a server with a certificate of a; if clients is set, it requires a certificate of that authority.
func (a *authority) serveTLS(t testing.TB, clients *authority, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	cert, key := a.pair(t)
	own, err := tls.X509KeyPair([]byte(cert), []byte(key))
	check(t, err)
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{own}, MinVersion: tls.VersionTLS12}
	if clients != nil {
		s.TLS.ClientCAs, s.TLS.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		s.TLS.ClientCAs.AddCert(clients.cert)
	}
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// config is a MapController: its hooks and more fields of its spec are YAML in one line.
func config(t testing.TB, hooks, more string) (*krm.Object, *waybill.MapControllerSpec) {
	t.Helper()
	objects, err := krm.Read("c.yaml", fmt.Appendf(nil, `{apiVersion: waybill.dev/v1alpha1, kind: MapController, metadata: {name: c}, spec: {
		parentResource: {apiVersion: example.org/v1, kind: Policy}, inputResources: [{apiVersion: v1, resource: services}],
		outputResources: [{apiVersion: v1, resource: configmaps}], hooks: {%s}%s}}`, hooks, more), krm.Limits{})
	check(t, err)
	var c waybill.MapController
	check(t, objects[0].Decode(&c))
	return objects[0], &c.Spec
}

// direct uses no proxy, whatever the environment says.
func direct(*http.Request) (*url.URL, error) { return nil, nil }

// webhook are hooks with one webhook, map, and that webhook.
func webhook(t testing.TB, settings, more string, o hooks.Options) (*hooks.Hooks, *waybill.Webhook, error) {
	t.Helper()
	_, spec := config(t, "map: {webhook: {"+settings+"}}", more)
	if o.Proxy == nil {
		o.Proxy = direct
	}
	h, err := hooks.New(t.Context(), spec, o)
	if err == nil {
		t.Cleanup(h.Close)
	}
	return h, spec.Hooks.Map.Webhook, err
}

// ask calls one webhook once, and describes the result in one line.
func ask(t testing.TB, settings, more string, o hooks.Options) string {
	t.Helper()
	h, hook, err := webhook(t, settings, more, o)
	if err != nil {
		return "new: " + err.Error()
	}
	return describe(h.Webhook(t.Context(), hook, request("a")))
}

func describe(r *mapcontroller.Response, err error) string {
	switch {
	case err != nil:
		return "error: " + err.Error()
	case r.RetryAfter != nil:
		return "later: " + r.RetryAfter.String()
	}
	return string(r.Body)
}

func request(mapKey string) *mapcontroller.Request {
	return &mapcontroller.Request{Hook: mapcontroller.HookMap, Version: waybill.HookV1, ParentKey: "example.org/Policy/prod/p", MapKey: mapKey}
}

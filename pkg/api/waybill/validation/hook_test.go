package validation_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
)

// controllerWith is a MapController whose map hook is this webhook, decoded strictly.
func controllerWith(t *testing.T, webhook, more string) (*waybill.MapController, error) {
	t.Helper()
	out := &waybill.MapController{}
	return out, object(t, `
apiVersion: waybill.dev/v1alpha1
kind: MapController
metadata: {name: a}
spec:
  parentResource: {apiVersion: v1, resource: a}
  inputResources: [{apiVersion: v1, resource: a}]
  outputResources: [{apiVersion: v1, resource: a}]
  hooks: {map: {webhook: {`+webhook+`}}}
  endpointConfigs: [`+more+`]
`).Decode(out)
}

func TestWebhookValidate(t *testing.T) {
	const ref = "secretRef: {name: a, namespace: b}"
	for name, tc := range map[string]struct {
		reason, webhook string
		want            []string
	}{
		"everything":         {"what goes together", "url: 'https://me:pw@a.example:8443/map?token=x', caBundle: {inline: x}, clientTLS: {" + ref + "}, basicAuth: {" + ref + "}", nil},
		"service":            {"what goes together, for a service", "service: {name: a, namespace: b, port: 8443, protocol: https}, path: /map, authorization: {secretRef: {name: a, namespace: b, key: c}}", nil},
		"service alone":      {"a service may answer at its root", "service: {name: a, namespace: b}", nil},
		"no URL":             {"a password in it is not repeated", "url: 'https://me:pw@a example'", []string{"hooks.map.webhook.url: Invalid value: it is not valid in a URL"}},
		"no host":            {"a request goes somewhere", "url: 'https:///map'", []string{"hooks.map.webhook.url: Invalid value: want a host, and a port from 1 to 65535 if there is one"}},
		"no port":            {"an empty port is a slip", "url: 'https://a:/map'", []string{"hooks.map.webhook.url: Invalid value: want a host, and a port from 1 to 65535 if there is one"}},
		"big port":           {"there are no more", "url: 'https://a:65536'", []string{"hooks.map.webhook.url: Invalid value: want a host, and a port from 1 to 65535 if there is one"}},
		"other host":         {"a service is no way to another host", "service: {name: 'a.example/', namespace: b}", []string{`hooks.map.webhook.service.name: Invalid value: "a.example/": want the name of a Service`}},
		"nothing":            {"both names are needed", "service: {name: '', namespace: '', port: 0}", []string{`hooks.map.webhook.service.name: Invalid value: "": want the name of a Service`, `hooks.map.webhook.service.namespace: Invalid value: "": want the name of a namespace`, "hooks.map.webhook.service.port: Invalid value: 0: want 1 to 65535"}},
		"path":               {"a path is no part of a port", "service: {name: a, namespace: b}, path: '80/map'", []string{"hooks.map.webhook.path: Invalid value: want a path that begins with /"}},
		"two authorizations": {"a header is there once", "url: http://a, basicAuth: {" + ref + "}, authorization: {secretRef: {name: a, namespace: b, key: c}}", []string{"hooks.map.webhook.basicAuth: Forbidden: there is authorization already; a request has one of them"}},
		"basic":              {"Basic is no scheme for a bare secret, in any case", "url: http://a, authorization: {type: ' bAsic ', secretRef: {name: a, namespace: b, key: c}}", []string{"hooks.map.webhook.authorization.type: Forbidden: Basic has a field of its own: basicAuth"}},
		"scheme":             {"no second header", `url: http://a, authorization: {type: "A\r\nB", secretRef: {name: a, namespace: b, key: c}}`, []string{"hooks.map.webhook.authorization.type: Invalid value: want one word, such as Bearer"}},
		"no bundle":          {"exactly one of three", "url: http://a, caBundle: {}", []string{"hooks.map.webhook.caBundle: Invalid value: give it exactly one of inline, secretRef and configMapRef"}},
		"two bundles":        {"exactly one of three", "url: http://a, caBundle: {inline: x, " + ref + "}", []string{"hooks.map.webhook.caBundle: Invalid value: give it exactly one of inline, secretRef and configMapRef"}},
		"no names": {"all at once", "url: http://a, caBundle: {configMapRef: {name: '', namespace: b}}, clientTLS: {secretRef: {name: a, namespace: ''}}, authorization: {secretRef: {name: a, namespace: b, key: ''}}", []string{
			"hooks.map.webhook.caBundle.configMapRef.name: Required value: name an object",
			"hooks.map.webhook.clientTLS.secretRef.namespace: Required value: a MapController has no namespace of its own",
			"hooks.map.webhook.authorization.secretRef.key: Required value: name a key of the Secret",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := controllerWith(t, tc.webhook, "")
			if err != nil {
				t.Fatal(err)
			}
			got := texts(validation.MapHook(c.Spec.Hooks.Map, field.NewPath("hooks", "map")))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if strings.Contains(strings.Join(got, ""), "pw") {
				t.Errorf("a password is shown: %q", got)
			}
		})
	}
}

func texts(errs field.ErrorList) (out []string) {
	for _, err := range errs {
		out = append(out, err.Error())
	}
	return out
}

func TestValidateEndpointConfigs(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, configs string
		want            []string
	}{
		"hosts":      {"names and addresses, with ports and without", "{host: a.example}, {host: 'A.example:8443'}, {host: '[::1]:443'}, {host: 10.0.0.1}", nil},
		"no host":    {"an entry is for a host", "{host: ''}", []string{"endpointConfigs[0].host: Required value: name a host, with a port if that is not the usual one"}},
		"no hosts":   {"a URL is none, and a password is not repeated", "{host: 'https://me:pw@a'}, {host: 'me:pw@a'}, {host: a/b}, {host: 'a:'}, {host: 'a:b'}", repeated(5)},
		"connection": {"it is looked at as a webhook's", "{host: a, authorization: {type: basic, secretRef: {name: a, namespace: b, key: c}}}", []string{"endpointConfigs[0].authorization.type: Forbidden: Basic has a field of its own: basicAuth"}},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := controllerWith(t, "url: http://a", tc.configs)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, texts(validation.EndpointConfigs(c.Spec.EndpointConfigs, field.NewPath("endpointConfigs")))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func repeated(n int) (out []string) {
	for i := range n {
		out = append(out, field.NewPath("endpointConfigs").Index(i).String()+".host: Invalid value: want a host, with a port if that is not the usual one")
	}
	return out
}

// TestConnectionsAreStrict has fields of the wrong name at every level.
func TestConnectionsAreStrict(t *testing.T) {
	for name, tc := range map[string]struct{ reason, webhook, more, want string }{
		"webhook":  {"a slip would leave a request without credentials", "url: http://a, basicauth: {}", "", "basicauth"},
		"secret":   {"a level below", "url: http://a, clientTLS: {secretRef: {name: a, namespace: b, key: c}}", "", "key"},
		"endpoint": {"for hosts, too", "url: http://a", "{host: a, clientTls: {}}", "clientTls"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := controllerWith(t, tc.webhook, tc.more); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: want an error about %q, got %v", tc.reason, tc.want, err)
			}
		})
	}
}

func TestHookValidate(t *testing.T) {
	protocol := "gopher"
	for name, tc := range map[string]struct {
		reason string
		hook   *waybill.MapHook
		kind   string
		want   []string
	}{
		"Absent":   {"one that is not there", nil, "", nil},
		"Empty":    {"one that is nothing", &waybill.MapHook{Version: "v2"}, "", nil},
		"CEL":      {"an expression", &waybill.MapHook{CEL: &waybill.CELHook{}}, "cel", nil},
		"Two":      {"two are one too many", &waybill.MapHook{CEL: &waybill.CELHook{}, Webhook: &waybill.Webhook{URL: "http://a"}}, "cel", []string{"hooks.map.webhook: Forbidden: there is cel already; a hook is one of them"}},
		"Function": {"a function has one name", &waybill.MapHook{Function: &waybill.FunctionHook{}}, "function", []string{"hooks.map.function: Invalid value: give it exactly one of name, exec and image"}},
		"Nowhere":  {"a webhook is somewhere", &waybill.MapHook{Webhook: &waybill.Webhook{Path: "/a"}}, "webhook", []string{"hooks.map.webhook.url: Required value: give it a url or a service"}},
		"Service":  {"and speaks HTTP", &waybill.MapHook{Webhook: &waybill.Webhook{Service: &waybill.WebhookService{Name: "a", Namespace: "b", Protocol: &protocol}}}, "webhook", []string{`hooks.map.webhook.service.protocol: Unsupported value: "gopher": supported values: "http", "https"`}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tc.hook.Kind(); got != tc.kind {
				t.Errorf("%s: it is %q, want %q", tc.reason, got, tc.kind)
			}
			if tc.kind == "" {
				return
			}
			var got []string
			for _, err := range validation.MapHook(tc.hook, field.NewPath("hooks", "map")) {
				got = append(got, err.Error())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

package mapcontroller_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
)

// secretItems are items with a Secret in every role, and a tagged output of an absent input. Configs make a Secret a parent, an
// input, an output or a related object.
const secretItems = `
apiVersion: v1
kind: Secret
metadata: {name: p, namespace: prod, labels: {parent: "yes"}}
spec: {selector: {matchExpressions: [{key: hunter2, operator: %s}]}}
stringData: {x: hunter2}
---
apiVersion: example.org/v1
kind: Policy
metadata: {name: p, namespace: prod}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: prod}
---
apiVersion: v1
kind: Secret
metadata: {name: out, namespace: prod, labels: {waybill.dev/map-key: m1-694470d29aaefbee9e3154dee2a7028e2350a87c}, annotations: {waybill.dev/controller: c, waybill.dev/edge: out, waybill.dev/input: /Service/prod/web, waybill.dev/owner: %s}}
stringData: {x: hunter2}
`

// leaky are hooks that repeat their request in the way that the test wants.
type leaky struct {
	recorder
	run func() (*fn.Output, error)
}

func (l *leaky) Function(context.Context, *waybill.FunctionHook, *fn.Input) (*fn.Output, error) {
	return l.run()
}

// TestSecretsAreRedacted has hooks of every kind that reveal the value of a Secret in some role.
func TestSecretsAreRedacted(t *testing.T) {
	places := map[string]struct{ parent, inputs, outputs, customize string }{
		"Parent":  {"{apiVersion: v1, kind: Secret, labelSelector: {matchLabels: {parent: 'yes'}}}", "services", "configmaps", ""},
		"Input":   {"{apiVersion: example.org/v1, kind: Policy}", "secrets", "configmaps", ""},
		"Output":  {"{apiVersion: example.org/v1, kind: Policy}", "services", "secrets", ""},
		"Related": {"{apiVersion: example.org/v1, kind: Policy}", "services", "configmaps", `, customize: {cel: {expression: '[{"apiVersion": "v1", "resource": "secrets"}]'}}`},
	}
	const object = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"%s}}`
	webhook := func(version, body string) (string, *leaky) {
		return "{version: " + version + ", webhook: {url: 'http://a'}}", &leaky{recorder: recorder{answer: says(body)}}
	}
	function := func(out *fn.Output, err error) (string, *leaky) {
		return "{function: {name: f}}", &leaky{run: func() (*fn.Output, error) { return out, err }}
	}
	cel := func(text string) (string, *leaky) { return "{cel: {expression: '" + text + "'}}", &leaky{} }
	type made func() (string, *leaky)
	sayings := map[string]made{
		"Key":     func() (string, *leaky) { return cel(`[{"a": {"a": 1}["hunter2"]}]`) },
		"Pattern": func() (string, *leaky) { return cel(`["a".matches(dyn("hunter2("))]`) },
		"Type": func() (string, *leaky) {
			return cel(`[{"apiVersion": "hunter2", "kind": "ConfigMap", "metadata": {"name": "x"}}]`)
		},
		"Label":     func() (string, *leaky) { return cel(`[` + fmt.Sprintf(object, `, "labels": {"hunter2": 1}`) + `]`) },
		"Field":     func() (string, *leaky) { return cel(`{"hunter2": 1}`) },
		"Namespace": func() (string, *leaky) { return cel(`[` + fmt.Sprintf(object, `, "namespace": "hunter2"`) + `]`) },
		"Twice": func() (string, *leaky) {
			hunter := strings.Replace(fmt.Sprintf(object, ""), `"x"`, `"hunter2"`, 1)
			return cel(`[` + hunter + `, ` + hunter + `]`)
		},
		"Unknown": func() (string, *leaky) { return webhook("v2", `{"outputs": [], "hunter2": 1}`) },
		"Again":   func() (string, *leaky) { return webhook("v2", `{"outputs": [{"hunter2": 1, "hunter2": 2}]}`) },
		"Body":    func() (string, *leaky) { return webhook("v1", `{"outputs": ["hunter2`) },
		"Fails":   func() (string, *leaky) { return function(nil, errors.New("hunter2")) },
		"Error": func() (string, *leaky) {
			return function(&fn.Output{Results: sdk.Results{{Severity: sdk.Error, Message: "hunter2"}}}, nil)
		},
		"Notes": func() (string, *leaky) {
			return function(&fn.Output{Results: sdk.Results{{Severity: sdk.Warning, Message: "hunter2"}, {Severity: sdk.Info, Message: "hunter2"}}}, nil)
		},
	}
	for place, at := range places {
		for saying, made := range sayings {
			t.Run(place+saying, func(t *testing.T) {
				owner := map[bool]string{true: "/Secret/prod/p", false: "example.org/Policy/prod/p"}[place == "Parent"]
				hook, hooks := made()
				p := pass(t, fmt.Sprintf(`{apiVersion: waybill.dev/v1alpha1, kind: MapController, metadata: {name: c}, spec: {
					parentResource: %s, inputResources: [{apiVersion: v1, resource: %s}], outputResources: [{apiVersion: v1, resource: %s}],
					hooks: {map: %s%s}}}`, at.parent, at.inputs, at.outputs, hook, at.customize), read(t, fmt.Sprintf(secretItems, "DoesNotExist", owner)), hooks)
				checkRedacted(t, p)
			})
		}
	}
}

// TestSecretParentsAreRedacted has Secrets that are invalid parents.
func TestSecretParentsAreRedacted(t *testing.T) {
	const config = `{apiVersion: waybill.dev/v1alpha1, kind: MapController, metadata: {name: c}, spec: {
		parentResource: {apiVersion: v1, kind: Secret, labelSelector: {matchLabels: {parent: 'yes'}}}, inputResources: [{apiVersion: v1, resource: services}],
		outputResources: [{apiVersion: v1, resource: configmaps}], hooks: {map: {cel: {expression: "[]"}}%s}}}`
	for name, tc := range map[string]struct{ reason, operator, customize string }{
		"Selector":  {"its selector is none", "hunter2", ""},
		"Customize": {"what a hook asks for because of it is nothing", "Exists", `, customize: {cel: {expression: '[{"apiVersion": "v1", "resource": parent.stringData.x}]'}}`},
		"Breaks":    {"a hook breaks on it", "Exists", `, customize: {cel: {expression: '[{}[parent.stringData.x]]'}}`},
	} {
		t.Run(name, func(t *testing.T) {
			checkRedacted(t, pass(t, fmt.Sprintf(config, tc.customize), read(t, fmt.Sprintf(secretItems, tc.operator, "/Secret/prod/p")), &leaky{}))
		})
	}
}

// checkRedacted checks that the run reports results, and no value of the Secret.
func checkRedacted(t *testing.T, p *mapcontroller.Result) {
	t.Helper()
	said := false
	for _, r := range p.Results {
		said = said || r.Severity != sdk.Info
		if strings.Contains(fn.FormatResult(r), "hunter2") {
			t.Errorf("it reveals a secret: %s", fn.FormatResult(r))
		}
	}
	for _, par := range p.Parents {
		if strings.Contains(strings.Join(par.Errors, " "), "hunter2") {
			t.Errorf("it reveals a secret: %v", par.Errors)
		}
	}
	if !said {
		t.Errorf("it reports nothing: %v", messages(p))
	}
}

package expansion

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestSilence breaks templates of Secrets: errors say where, and nothing that the template says.
func TestSilence(t *testing.T) {
	const meta = "metadata:\n  name: s\n  annotations: {control.kubestellar.io/expand-templates: \"true\"}\n"
	cases := map[string]struct{ reason, object, want string }{
		"Function":  {"one that there is not", "kind: Secret\n" + meta + "stringData: {p: '{{ \"hunter2\" | nope }}'}\n", `template: edge1/Secret(s).stringData.p:1: ` + redaction},
		"Property":  {"one that the cluster does not have", "kind: Secret\n" + meta + "stringData: {p: 'hunter2{{ .nope }}'}\n", `template: edge1/Secret(s).stringData.p:1:10: map has no entry for key "nope"`},
		"Open":      {"text that does not end", "kind: Secret\n" + meta + "stringData: {p: '{{ \"hunter2 }}'}\n", `template: edge1/Secret(s).stringData.p:1: ` + redaction},
		"Operand":   {"what is no operand", "kind: Secret\n" + meta + "stringData: {p: '{{ hunter2 }}'}\n", redaction},
		"Call":      {"a call that fails", "kind: Secret\n" + meta + "stringData: {p: '{{ index \"hunter2\" \"hunter2\" }}'}\n", `template: edge1/Secret(s).stringData.p:1:3: ` + redaction},
		"Shape":     {"a loop without end", "kind: Secret\n" + meta + "stringData: {p: '{{ range len \"hunter2\" }}{{ end }}'}\n", redaction},
		"Inside":    {"a Secret in a list", "kind: List\n" + meta + "items:\n- kind: Secret\n  stringData: {p: '{{ \"hunter2 }}'}\n", redaction},
		"NoSecrets": {"errors about other objects are shown", "kind: ConfigMap\n" + meta + "data: {p: '{{ index \"loud\" \"loud\" }}'}\n", "loud"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			objects, err := krm.Read("a.yaml", []byte("apiVersion: v1\n"+tc.object), krm.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			template, err := Compile(objects[0], Ref(objects[0]))
			if err != nil {
				t.Fatal(err)
			}
			_, errs := template.Expand("edge1", props)
			if len(errs) != 1 || !strings.Contains(errs[0].Error(), tc.want) || strings.Contains(errs[0].Error(), "hunter2") {
				t.Errorf("%s: %v, want %s", tc.reason, errs, tc.want)
			}
		})
	}
}

package chart

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

type schema struct {
	Description          string
	Type                 string
	Properties           map[string]*schema
	AdditionalProperties json.RawMessage
}

// TestSchemaDocuments wants each value in the schema, with a description, and a default for each of the schema.
func TestSchemaDocuments(t *testing.T) {
	var s schema
	if err := json.Unmarshal([]byte(text(t, "values.schema.json")), &s); err != nil {
		t.Fatal(err)
	}
	var defaults map[string]any
	if err := yaml.UnmarshalStrict([]byte(text(t, "values.yaml")), &defaults); err != nil {
		t.Fatal(err)
	}
	defaults["global"] = map[string]any{} // of Helm itself
	checkSchema(t, "values", &s, defaults)
}

func checkSchema(t *testing.T, path string, s *schema, defaults map[string]any) {
	t.Helper()
	if string(s.AdditionalProperties) != "false" {
		t.Errorf("%s: a misspelt value would be ignored", path)
	}
	for name, value := range defaults {
		if s.Properties[name] == nil {
			t.Errorf("%s.%s is not in the schema: %v", path, name, value)
		}
	}
	for name, property := range s.Properties {
		value, known := defaults[name]
		if !known || property.Description == "" || !strings.HasSuffix(property.Description, ".") && !strings.HasSuffix(property.Description, "].") {
			t.Errorf("%s.%s needs a default (%v) and a description: %q", path, name, value, property.Description)
		}
		if len(property.Properties) > 0 {
			inner, _ := value.(map[string]any)
			checkSchema(t, path+"."+name, property, inner)
		}
	}
}

// TestRefused gives values that are wrong, or contradict each other.
func TestRefused(t *testing.T) {
	for name, tc := range map[string]struct{ reason, values, want string }{
		"misspelt":     {"no value is ignored", "replica: 3", "replica"},
		"type":         {"a text is no number", "replicas: two", "replicas"},
		"digest":       {"a digest is whole", "image: {digest: sha256:abc}", "digest"},
		"namespace":    {"a name that no namespace has", "namespaces: [Fleet]", "namespaces"},
		"flag":         {"a flag begins with dashes", "extraArgs: [log-level=debug]", "extraArgs"},
		"bindings":     {"Bindings are in no namespace", "namespaces: [a]\ncontrollers: {status: {enabled: true}}", "controllers.status cannot be used with namespaces"},
		"push":         {"a pusher without a backend", "controllers: {push: {enabled: true}}", "controllers.push needs --push-table, --push-url and --push-inventory in controllers.push.args"},
		"certificates": {"one volume", "extraCA: {configMap: a, secret: b}", "extraCA names a ConfigMap and a Secret: leave one of them out"},
		"disruption":   {"nodes can be drained", "replicas: 1", "podDisruptionBudget.minAvailable must be less than replicas"},
		"shard":        {"there are two shards", "shard: 3/2", "shard is 3/2: want NUMBER/COUNT, such as 1/2 and 2/2 for two shards, of at most 1000"},
		"shards":       {"the controller refuses more", "shard: 1/1001", "shard is 1/1001: want NUMBER/COUNT, such as 1/2 and 2/2 for two shards, of at most 1000"},
		"part":         {"a number alone", "shard: \"2\"", "shard"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := helm(t, "template", "waybill", ".", "--values", values(t, tc.values)); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: want %q, got %v", tc.reason, tc.want, err)
			}
		})
	}
}

// TestLint has Helm check the chart.
func TestLint(t *testing.T) {
	for name, text := range map[string]string{"default": "", "all": everything} {
		if out, err := helm(t, "lint", "--strict", ".", "--values", values(t, text)); err != nil || !strings.Contains(out, "0 chart(s) failed") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestDefaultsAreSwitches wants the test of switches to have every value that adds or changes an object.
func TestDefaultsAreSwitches(t *testing.T) {
	var defaults map[string]any
	if err := yaml.UnmarshalStrict([]byte(text(t, "values.yaml")), &defaults); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, tc := range switches {
		all.WriteString(tc.values + "\n")
	}
	for name := range defaults {
		if !slices.Contains(strings.FieldsFunc(all.String(), func(r rune) bool { return !isLetter(r) }), name) {
			t.Errorf("no case sets %s", name)
		}
	}
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

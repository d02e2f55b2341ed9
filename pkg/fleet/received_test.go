package fleet

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/fleet/objectdiff"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestReceived compares values that are written in several ways with what an API server makes of them.
func TestReceived(t *testing.T) {
	cases := map[string]struct{ reason, before, after, want string }{
		"Yes":        {"a word that was a boolean", "a: yes", "a: 'yes'", "data.a: true → \"yes\""},
		"Letter":     {"and a letter", "a: y", "a: 'y'", "data.a: true → \"y\""},
		"Words":      {"which are the same boolean", "a: yes", "a: on", ""},
		"True":       {"and the same as this", "a: no", "a: false", ""},
		"Case":       {"in any case", "a: False", "a: false", ""},
		"Hex":        {"a number", "a: 0x10", "a: 16", ""},
		"HexOther":   {"another number", "a: 0x10", "a: 17", "data.a: 16 → 17"},
		"Octal":      {"of the old form", "a: 010", "a: 8", ""},
		"Score":      {"with underscores", "a: 1_000", "a: 1000", ""},
		"Exponent":   {"with an exponent", "a: 1e3", "a: 1000", ""},
		"Zeros":      {"with zeros", "a: 0.10", "a: 0.1", ""},
		"Whole":      {"a whole one", "a: 1.0", "a: 1", ""},
		"Text":       {"a number, and text", "a: 0x10", "a: '0x10'", "data.a: 16 → \"0x10\""},
		"Large":      {"beyond what a number can hold", "a: 123456789012345678901", "a: 123456789012345678902", ""},
		"Exact":      {"and within", "a: 9007199254740993", "a: 9007199254740992", "data.a: 9007199254740993 → 9007199254740992"},
		"Date":       {"a date is text", "a: 2001-01-01", "a: '2001-01-01'", ""},
		"Binary":     {"what is encoded", "a: !!binary aGk=", "a: hi", ""},
		"BinaryText": {"is not the text", "a: !!binary aGk=", "a: aGk=", "data.a: hi → aGk="},
		"Tagged":     {"text by its tag", "a: !!str yes", "a: 'yes'", ""},
		"Key":        {"names of fields are text", "1: a", "'1': a", ""},
		"HexKey":     {"whatever they look like", "0x1: a", "1: a", ""},
		"YesKey":     {"a boolean is named true", "yes: a", "'true': a", ""},
		"YesKeyText": {"and not yes", "yes: a", "'yes': a", "data.true: removed | data.yes: added"},
		"Merge":      {"which is no merge", "a: <<", "a: '<<'", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			text := func(v string) string {
				return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  " + v + "\n"
			}
			var got []string
			for _, g := range changeOf(t, []string{text(tc.before)}, []string{text(tc.after)}).Groups {
				for _, f := range g.Shapes[0].Fields {
					said := f.Field + ": " + f.Change
					if f.Change == "changed" {
						said = f.Field + ": " + *f.From + " → " + *f.To
					}
					got = append(got, said)
				}
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, " | ")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// FuzzReceived holds that an object says afterwards what a client sends of it.
func FuzzReceived(f *testing.F) {
	for _, v := range []string{"yes", "'yes'", "0x10", "1e3", "!!binary aGk=", "2001-01-01", "~", "[y, {n: 010}]", "-0", "1_0", "'\\x'", "\"\\u0001\"", "!!int '5'", "&a yes", ".5"} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v string) {
		text := []byte("apiVersion: v1\nkind: C\nmetadata: {name: a}\ndata:\n  a: " + v + "\n")
		objects, err := krm.Read("a.yaml", text, krm.Limits{})
		if err != nil || len(objects) != 1 || strings.Contains(strings.ReplaceAll(v, "!!", ""), "!") { // an unused tag
			return
		}
		want, err := sigsyaml.YAMLToJSON(text)
		if err != nil {
			return
		}
		objects[0].ExpandAliases()
		objectdiff.AsReceived(objects[0].Node())
		if objectdiff.AsReceived(objects[0].Node()) {
			t.Errorf("%q: twice is another than once", v)
		}
		written, err := krm.WriteRaw(objects[0])
		if err != nil {
			return
		}
		got, err := sigsyaml.YAMLToJSON(written)
		if err != nil || cmp.Diff(decoded(t, want), decoded(t, got)) != "" {
			t.Errorf("%q: a client sends %s, and says %s, %v", v, want, got, err)
		}
	})
}

func decoded(t *testing.T, data []byte) (v any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func servicePorts(names ...string) string {
	return "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec:\n  ports: [{port: 1, name: " + names[0] + "}, {port: 1, protocol: UDP, name: " + names[1] + "}]\n"
}

// TestOrder reports items in another order, and of annotations of tools, beside what else changes.
func TestOrder(t *testing.T) {
	pod := func(image, env, containers, tool string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  annotations: {config.kubernetes.io/depends-on: " + tool + "}\nspec:\n  template:\n    spec:\n" +
			"      initContainers: " + containers + "\n      containers:\n      - name: app\n        image: " + image + "\n        env: " + env + "\n"
	}
	envs := []string{"[{name: A, value: x}, {name: B, value: $(A)}]", "[{name: B, value: $(A)}, {name: A, value: x}]"}
	inits := []string{"[{name: m, image: i}, {name: o, image: i}]", "[{name: o, image: i}, {name: m, image: i}]"}
	const envOrder, initOrder = "spec.template.spec.containers[name=app].env moved [A, B] → [B, A]", "spec.template.spec.initContainers moved [m, o] → [o, m]"
	const image, tool = "spec.template.spec.containers[name=app].image changed x:1 → x:2", "metadata.annotations[config.kubernetes.io/depends-on] changed p → q"
	cases := map[string]struct {
		reason        string
		before, after string
		want          []string
	}{
		"Env":         {"the order alone", pod("x:1", envs[0], inits[0], "p"), pod("x:1", envs[1], inits[0], "p"), []string{envOrder}},
		"EnvAndImage": {"and something else", pod("x:1", envs[0], inits[0], "p"), pod("x:2", envs[1], inits[0], "p"), []string{envOrder, image}},
		"All":         {"all that there is", pod("x:1", envs[0], inits[0], "p"), pod("x:2", envs[1], inits[1], "q"), []string{tool, envOrder, image, initOrder}},
		"Tool":        {"an annotation of a tool", pod("x:1", envs[0], inits[0], "p"), pod("x:1", envs[0], inits[0], "q"), []string{tool}},
		"Renamed": {"ports that are called otherwise stay where they are", servicePorts("a", "b"), servicePorts("b", "a"),
			[]string{"spec.ports[port=1,protocol=TCP].name changed a → b", "spec.ports[port=1,protocol=UDP].name changed b → a"}},
		"Added": {"what is added in front moves nothing", pod("x:1", "[{name: A, value: x}]", inits[0], "p"), pod("x:1", "[{name: Z, value: x}, {name: A, value: x}]", inits[0], "p"),
			[]string{"spec.template.spec.containers[name=app].env[name=Z] added"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range changeOf(t, []string{tc.before}, []string{tc.after}).Groups[0].Shapes[0].Fields {
				said := f.Field + " " + f.Change
				if f.From != nil && f.To != nil {
					said += " " + *f.From + " → " + *f.To
				}
				got = append(got, said)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

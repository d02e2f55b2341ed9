package midonet_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const header = "apiVersion: midonet.org/v1\nkind: Translation\nmetadata: {name: pod.4.p1, namespace: default}\n"

// everything has each field there is, as a cluster holds it.
const everything = `apiVersion: midonet.org/v1
kind: Translation
metadata:
  namespace: default
  name: pod.4.p1
  labels:
    midonet.org/owner-uid: 6f6a1f6e-0000-4000-8000-000000000001
  ownerReferences:
  - {apiVersion: v1, kind: Pod, name: p1, uid: 6f6a1f6e-0000-4000-8000-000000000001}
  finalizers: [midonet.org/deleter]
resources:
- kind: Port
  parent: 75ca1699-aa45-56d7-98fe-a574e26c334e
  body: '{"id":"38a2269a-55cb-54fc-a2f4-a7ba424ae536","type":"Bridge"}'
- kind: IPv4MACPair
  parent: ""
  body: '{}'
`

func object(t testing.TB, text string) *krm.Object {
	t.Helper()
	objects, err := krm.Read("translation.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objects[0]
}

func asJSON(t testing.TB, v any) (out any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func messages(errs field.ErrorList) (out []string) {
	for _, e := range errs {
		out = append(out, e.Error())
	}
	return out
}

func TestRoundTripKeepsEveryField(t *testing.T) {
	for name, tc := range map[string]struct{ reason, text string }{
		"full":   {"every field there is", everything},
		"empty":  {"no resources are still a list", header + "resources: []\n"},
		"absent": {"what is not there does not turn into null, which API servers refuse", header},
	} {
		t.Run(name, func(t *testing.T) {
			o := object(t, tc.text)
			translation, errs := midonet.DecodeTranslation(o)
			if len(errs) > 0 {
				t.Fatal(errs.ToAggregate())
			}
			want, err := krm.Value(o.Node())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(asJSON(t, want), asJSON(t, translation)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(translation, translation.DeepCopyObject()); diff != "" {
				t.Errorf("in a copy, too (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeErrors(t *testing.T) {
	const badBody = `resources[0].body: Invalid value: want a JSON object, as text on one line`
	body := func(text string) string { return header + "resources: [{kind: Chain, body: " + text + "}]\n" }
	for name, tc := range map[string]struct {
		reason, text string
		want         []string
	}{
		"no parent":  {"some resources stand alone", body(`'{"id": 1}'`), nil},
		"group":      {"another group's kind is another kind", "apiVersion: other.org/v1\nkind: Translation\nmetadata: {name: a}\n", []string{`apiVersion: Unsupported value: "other.org/v1": supported values: "midonet.org/v1"`}},
		"kind":       {"a list is no Translation", "apiVersion: midonet.org/v1\nkind: TranslationList\nmetadata: {name: a}\n", []string{`kind: Unsupported value: "TranslationList": supported values: "Translation"`}},
		"spec":       {"the payload is at the outermost level, and nothing else is there", header + "spec: {resources: []}\nstatus: {}\n", []string{"spec: Forbidden: unknown field", "status: Forbidden: unknown field"}},
		"wrong type": {"each at its own path", header + "resources: [{kind: 3, body: {}, id: x}, 7]\n", []string{"resources[0].kind: Invalid value: want text, got a number", "resources[0].body: Invalid value: want text, got a map", "resources[0].id: Forbidden: unknown field", "resources[1]: Invalid value: want a map, got a number"}},
		"missing":    {"a null element says nothing", "apiVersion: midonet.org/v1\nkind: Translation\nmetadata: {}\nresources: [null]\n", []string{"metadata.name: Required value: name the object", "resources[0].kind: Required value: name the backend's type of the resource", "resources[0].body: Required value: write the resource as a JSON object"}},
		"patterns": {
			"what the CRD refuses", header + "resources: [{kind: IPv6Pair, parent: 75CA1699-AA45-56D7-98FE-A574E26C334E, body: '[]'}]\n",
			[]string{`resources[0].kind: Invalid value: "IPv6Pair": want a capital letter, then letters and digits 0 to 4`, `resources[0].parent: Invalid value: "75CA1699-AA45-56D7-98FE-A574E26C334E": want nothing or a lower-case UUID with hyphens`, badBody},
		},
		"two lines":  {"the CRD's pattern holds one line", body(`"{\n}"`), []string{badBody}},
		"not JSON":   {"braces alone do not make an object", body(`'{id}'`), []string{badBody}},
		"two bodies": {"one object and no more", body(`'{}{}'`), []string{badBody}},
		"names":      {"names become parts of file names", "apiVersion: midonet.org/v1\nkind: Translation\nmetadata: {name: ../a, namespace: b/c}\n", []string{`metadata.name: Invalid value: "../a": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`, `metadata.namespace: Invalid value: "b/c": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`}},
	} {
		t.Run(name, func(t *testing.T) {
			_, errs := midonet.DecodeTranslation(object(t, tc.text))
			if diff := cmp.Diff(tc.want, messages(errs)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestSchemeKnowsTheKind(t *testing.T) {
	s := runtime.NewScheme()
	if err := midonet.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"Translation", "TranslationList"} {
		if !s.Recognizes(midonet.GroupVersion.WithKind(kind)) {
			t.Errorf("%s is not known", kind)
		}
	}
}

// TestPatternsAreTheMarks holds that what an API server refuses and what Validate refuses stay one.
func TestPatternsAreTheMarks(t *testing.T) {
	patterns := func(file, before string) (out []string) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(data), before+"`")[1:] {
			pattern, _, _ := strings.Cut(part, "`")
			out = append(out, pattern)
		}
		return out
	}
	want := patterns("translation_types.go", "validation:Pattern=")
	if diff := cmp.Diff(want, patterns("decode.go", "lazyregexp.New(")); diff != "" || len(want) != 3 {
		t.Errorf("of %d marks (-marks +Validate):\n%s", len(want), diff)
	}
}

// FuzzDecode holds that what is accepted is kept by writing and reading it again.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(everything))
	f.Add([]byte(header + "resources: [{kind: Chain, body: '{}'}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		objects, err := krm.Read("fuzz.yaml", data, krm.Limits{})
		if err != nil {
			return
		}
		for _, o := range objects {
			translation, errs := midonet.DecodeTranslation(o)
			if len(errs) > 0 {
				continue
			}
			written, err := krm.FromTyped(translation)
			if err != nil {
				t.Fatal(err)
			}
			again, errs := midonet.DecodeTranslation(written)
			if len(errs) > 0 {
				t.Fatalf("what was written cannot be read: %v", errs.ToAggregate())
			}
			if diff := cmp.Diff(asJSON(t, translation), asJSON(t, again)); diff != "" {
				t.Errorf("writing and reading again keeps everything (-want +got):\n%s", diff)
			}
		}
	})
}

package text_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/template/text"
)

const object = `{"apiVersion": "shop.example.org/v1", "kind": "Order",
	"metadata": {"name": "orders", "namespace": "retail", "labels": {"b": "2", "a": "1"}},
	"spec": {"host": "shop.example.org", "n": 3, "large": 9007199254740993, "larger": 18446744073709551615, "huge": 123456789012345678901234567890,
		"half": 1.5, "far": 1e400, "on": true, "nothing": null, "list": ["a", "b", "a"], "no": "<no value>",
		"config": "{\"n\": 9007199254740993}", "version": "1.2.3"}}`

func data(t testing.TB) map[string]any {
	t.Helper()
	v, err := text.Decode([]byte(object))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{"Object": v, "ClusterName": "2hk8r1q9"}
}

func fill(t testing.TB, template string, data any) (text.Text, error) {
	t.Helper()
	compiled, err := text.Compile("template", template)
	if err != nil {
		t.Fatalf("%s: %v", template, err)
	}
	return compiled.Execute(t.Context(), data)
}

func TestExecute(t *testing.T) {
	cases := map[string]struct{ reason, template, want string }{
		"Plain":       {"text is text", "a", "a"},
		"Empty":       {"and may be nothing", "", ""},
		"Trimmed":     {"white space at the ends does not count", "\n {{ .ClusterName }} b \n", "2hk8r1q9 b"},
		"Field":       {"data by name", "{{ .Object.metadata.name }}", "orders"},
		"Large":       {"whole numbers are exact", "{{ .Object.spec.large }} {{ .Object.spec.larger }} {{ .Object.spec.huge }}", "9007199254740993 18446744073709551615 123456789012345678901234567890"},
		"TooFar":      {"a number beyond all floats stays what it was written as", "{{ .Object.spec.far }} {{ .Object.spec.half }}", "1e400 1.5"},
		"Sum":         {"sprig computes with whole numbers", "{{ add1 .Object.spec.large }}", "9007199254740994"},
		"Compare":     {"a number of JSON equals one of the template", "{{ if eq .Object.spec.n 3 }}yes{{ end }}", "yes"},
		"Until":       {"a number of JSON serves where a function wants an int", "{{ range until .Object.spec.n }}{{ . }}{{ end }}", "012"},
		"RangeNumber": {"Go's own loop over a number", "{{ range $i := 3 }}{{ $i }}{{ end }}", "012"},
		"RangeMap":    {"maps are gone through in the order of their keys", "{{ range $k, $v := .Object.metadata.labels }}{{ $k }}{{ $v }}{{ end }}", "a1b2"},
		"RangeElse":   {"nothing to go through", "{{ range .Object.spec.missing }}x{{ else }}none{{ end }}", "none"},
		"Break":       {"guards do not mind it", "{{ range 9 }}{{ if gt . 2 }}{{ break }}{{ end }}{{ if eq . 1 }}{{ continue }}{{ end }}{{ . }}{{ end }}", "02"},
		"Define":      {"templates call templates", `{{ define "x" }}[{{ . }}]{{ end }}{{ template "x" .ClusterName }}{{ template "x" 2 }}`, "[2hk8r1q9][2]"},
		"Block":       {"", `{{ block "x" 1 }}{{ . }}{{ end }}`, "1"},
		"Recursion":   {"as long as it ends", `{{ define "x" }}{{ . }}{{ if gt . 0 }}{{ template "x" (sub . 1) }}{{ end }}{{ end }}{{ template "x" 9 }}`, "9876543210"},
		"Keys":        {"sorted, where sprig has any order", "{{ keys .Object.metadata.labels }}{{ values .Object.metadata.labels }}", "[a b][1 2]"},
		"FromJson":    {"numbers within text are exact, too", "{{ (fromJson .Object.spec.config).n }}", "9007199254740993"},
		"ToJson":      {"and back", "{{ eq (toRawJson .Object) (.Object | toRawJson | fromJson | toRawJson) }}{{ toRawJson .Object.spec.huge }}", "true123456789012345678901234567890"},
		"Set":         {"a dict may be changed", `{{ $d := dict "a" 1 }}{{ $_ := set $d "b" 2 }}{{ $d }}{{ unset $d "a" }}`, "map[a:1 b:2]map[b:2]"},
		"SetWithin":   {"at any depth", `{{ $d := dict "a" (dict "b" 1) }}{{ $_ := set $d.a "b" 2 }}{{ $d }}`, "map[a:map[b:2]]"},
		"SetSelf":     {"what is put into a dict is a copy, so that none holds itself", `{{ $d := dict "a" 1 }}{{ $_ := set $d "d" $d }}{{ $d }}`, "map[a:1 d:map[a:1]]"},
		"SetData":     {"data may be changed as far as the template sees", `{{ $_ := set .Object.spec "n" 4 }}{{ .Object.spec.n }}`, "4"},
		"Merge":       {"", `{{ $d := dict "a" 1 }}{{ $_ := merge $d (dict "a" 2 "b" 3) }}{{ $d }}{{ mergeOverwrite $d (dict "a" 2) }}`, "map[a:1 b:3]map[a:2 b:3]"},
		"Lists":       {"", `{{ append (list 1 2) 3 | reverse }}{{ chunk 2 (list 1 2 3) }}{{ uniq .Object.spec.list }}{{ without .Object.spec.list "a" }}`, "[3 2 1][[1 2] [3]][a b][b]"},
		"Texts":       {"", `{{ join "-" .Object.spec.list }} {{ repeat 3 "x" }} {{ replace "." "-" .Object.spec.host }} {{ splitList "." .Object.spec.host }}`, "a-b-a xxx shop-example-org [shop example org]"},
		"Regex":       {"", `{{ regexReplaceAll "^(.+)\\.org$" .Object.spec.host "${1}.net" }} {{ regexFindAll "[a-z]+" .Object.spec.host -1 }} {{ regexMatch "^x" "y" }}`, "shop.example.net [shop example org] false"},
		"Printf":      {"", `{{ printf "%05d|%-4s|%.2f|%q|%v" .Object.spec.n "x" .Object.spec.half "y" .Object.spec.list }}`, `00003|x   |1.50|"y"|[a b a]`},
		"Version":     {"a version has methods", `{{ (semver .Object.spec.version).Minor }} {{ semver "1.2" }} {{ semverCompare "^1.2.0" .Object.spec.version }} {{ list (semver "1.2.0") }}`, "2 1.2.0 true [1.2.0]"},
		"Hashes":      {"those of Go's library", `{{ sha3sum "a" }}`, "80084bf2fba02475726feb2cab2d8215eab14bc6bdd8bfb2c8151257032ecd8b"},
		"Short":       {"20 digits, or as many as one wants, up to all", `{{ sha3short "retail" }} {{ sha3short "retail" 4 }} {{ len (sha3short "retail" 100) }} {{ shortHash "retail" }}`, "7905517ec3a404ce1933 7905 64 46bb7e3c2f0d01a3aa4a"},
		"ShortNumber": {"a number is hashed as it is written", `{{ eq (sha3short 12) (sha3short "12") }}`, "true"},
		"Durations":   {"what depends on nothing but its arguments is there", `{{ durationRound "26h" }} {{ duration "90" }}`, "1d 1m30s"},
		"SamePaths":   {"paths are the same on any machine", `{{ osBase "/a/b" }}{{ osDir "/a/b" }}`, "b/a"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			d := data(t)
			got, err := fill(t, tc.template, d)
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(text.Text{Trimmed: tc.want}, got); diff != "" {
				t.Errorf("%s: -want +got:\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(data(t), d); diff != "" {
				t.Errorf("data were changed: -want +got:\n%s", diff)
			}
		})
	}
}

func TestDecode(t *testing.T) {
	got, err := text.Decode([]byte(`[1, -1, 9223372036854775808, 18446744073709551616, -9223372036854775809, 1.0, 1e3, 1e400, null, "x"]`))
	want := []any{int64(1), int64(-1), uint64(1 << 63), json.Number("18446744073709551616"), json.Number("-9223372036854775809"), 1.0, 1000.0, json.Number("1e400"), nil, "x"}
	if err != nil || !cmp.Equal(want, got) {
		t.Errorf("numbers stay what they are: %v\n%s", err, cmp.Diff(want, got))
	}
	for _, doc := range []string{"", "{", `{"a": secret}`, "1 2", `"secret`, "{} secret"} {
		if _, err := text.Decode([]byte(doc)); err == nil || leaks(err) {
			t.Errorf("%s: error %v", doc, err)
		}
	}
}

// goneLater is a context that is canceled after a few checks.
type goneLater struct {
	context.Context
	looks int
}

func (g *goneLater) Err() error {
	if g.looks--; g.looks >= 0 {
		return nil
	}
	return g.Context.Err()
}

func TestCanceled(t *testing.T) {
	compiled, err := text.Compile("template", "{{ range 1000 }}{{ end }}")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := compiled.Execute(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the context was canceled, and the template ran: %v", err)
	}
	if _, err := compiled.Execute(&goneLater{ctx, 1}, nil); !errors.Is(err, context.Canceled) || err.Error() != "template: context canceled" {
		t.Errorf("the context was canceled meanwhile: %v", err)
	}
}

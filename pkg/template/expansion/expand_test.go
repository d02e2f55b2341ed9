package expansion

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

var props = map[string]string{
	"clusterName": "edge1", "registry": "mirror.edge1.example", "site": "north", "n": "3", "yes": "true",
	"lines": "one\ntwo\n", "ö": "umlaut", "empty": "",
}

func TestExpandStrings(t *testing.T) {
	cases := map[string]struct {
		reason string
		in     string // what follows the metadata
		want   string // same
	}{
		"example": {
			reason: "the ordinary case",
			in:     "data:\n  line: \"{{.clusterName}} pulls from {{.registry}}{{if eq .site \\\"north\\\"}} (cold){{end}}\"\n  plain: \"no braces here\"\n",
			want:   "data:\n  line: \"edge1 pulls from mirror.edge1.example (cold)\"\n  plain: \"no braces here\"\n",
		},
		"every string value": {
			reason: "at any depth, in lists as well, in any field",
			in:     "spec:\n  a:\n  - b: '{{.n}}'\n  - '{{.site}}'\n  - [['{{.n}}']]\n",
			want:   "spec:\n  a:\n  - b: '3'\n  - 'north'\n  - [['3']]\n",
		},
		"never keys": {
			reason: "a key that looks like a template is a key",
			in:     "data:\n  \"{{.nope}}\": '{{.n}}'\n",
			want:   "data:\n  \"{{.nope}}\": '3'\n",
		},
		"never other types": {
			reason: "numbers, flags and null stay",
			in:     "spec: {a: 1, b: true, c: null, d: 1.5, e: '{{.n}}'}\n",
			want:   "spec: {a: 1, b: true, c: null, d: 1.5, e: '3'}\n",
		},
		"the result is a string": {
			reason: "replicas: \"{{.n}}\" becomes \"3\" and not 3, in any style",
			in:     "spec:\n  replicas: \"{{.n}}\"\n  flag: x{{if false}}{{end}}\n  paused: |-\n    {{.yes}}\n",
			want:   "spec:\n  replicas: \"3\"\n  flag: x\n  paused: \"true\"\n",
		},
		"without opening braces": {
			reason: "passed through untouched, so }} alone is no error",
			in:     "data: {a: 'x }} y', b: '{ {', c: '{{.n}}'}\n",
			want:   "data: {a: 'x }} y', b: '{ {', c: '3'}\n",
		},
		"comments, order and style": {
			reason: "what no template touches stays as it is",
			in:     "# why\ndata:\n  z: '1' # z\n  # about a\n  a: '{{.n}}' # a\n",
			want:   "# why\ndata:\n  z: '1' # z\n  # about a\n  a: '3' # a\n",
		},
		"a file of several lines": {
			reason: "stays a block that people can review",
			in:     "data:\n  app.conf: |\n    site={{.site}}\n    n={{.n}}\n",
			want:   "data:\n  app.conf: |\n    site=north\n    n=3\n",
		},
		"a value of several lines": {
			reason: "takes the style that holds it",
			in:     "data:\n  a: '{{.lines}}'\n  b: |-\n    - {{.lines}}\n",
			want:   "data:\n  a: \"one\\ntwo\\n\"\n  b: |\n    - one\n    two\n",
		},
		"aliases": {
			reason: "each place is a string of its own",
			in:     "data:\n  a: &x '{{.n}}'\n  b: *x\n",
			want:   "data:\n  a: '3'\n  b: '3'\n",
		},
		"tags": {
			reason: "what JSON sees as a string is one, and comes out as one",
			in:     "data:\n  a: !!binary '{{.n}}'\n  b: !mine '{{.n}}'\n",
			want:   "data:\n  a: '3'\n  b: '3'\n",
		},
		"dialect": {
			reason: "actions, variables, comments, definitions, built-in functions",
			in: `data:
  a: '{{$x := .n}}{{/* c */}}{{with .site}}{{.}}{{$x}}{{end}}'
  b: '{{define "t"}}[{{.}}]{{end}}{{template "t" .n}}{{block "u" .site}}<{{.}}>{{end}}'
  c: '{{range $k, $v := .}}{{$k}}={{$v | len}} {{end}}'
  d: '{{index . "nope"}}{{or (index . "any-key") "fallback"}}{{and .n .site}}{{not .n}}'
  e: '{{printf "%5s|%-3d|%q" .n (len .site) .site}}{{print .n 1}}{{slice .site 1 3}}{{html "<"}}{{js "<"}}{{urlquery "a b"}}'
  f: '{{"{{"}} $labels.x }}'
  g: '{{- " x " -}}  {{.ö}}'
`,
			want: `data:
  a: 'north3'
  b: '[3]<north>'
  c: 'clusterName=5 empty=0 lines=8 n=1 registry=20 site=5 yes=4 ö=6 '
  d: 'fallbacknorthfalse'
  e: '    3|5  |"north"31or&lt;\u003Ca+b'
  f: '{{ $labels.x }}'
  g: ' x umlaut'
`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := read(t, optedIn+tc.in)
			got, errs := checkLaws(t, o, "edge1", props)
			if len(errs) > 0 {
				t.Fatalf("%s: %v", tc.reason, errs)
			}
			if d := cmp.Diff(optedIn+tc.want, write(t, got)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

func TestExpandIdentity(t *testing.T) {
	o := read(t, "apiVersion: '{{.v}}'\nkind: '{{.k}}'\nmetadata:\n  name: a-{{.n}}\n  namespace: ns-{{.n}}\n  labels: {l: '{{.n}}'}\n  annotations: {control.kubestellar.io/expand-templates: 'true', a: '{{.n}}'}\n")
	got, errs := mustCompile(t, o).Expand("edge1", map[string]string{"v": "v1", "k": "Secret", "n": "x"})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := "apiVersion: 'v1'\nkind: 'Secret'\nmetadata:\n  name: a-x\n  namespace: ns-x\n  labels: {l: 'x'}\n  annotations: {control.kubestellar.io/expand-templates: 'true', a: 'x'}\n"
	if d := cmp.Diff(want, write(t, got)); d != "" {
		t.Errorf("apiVersion, kind, names, labels and annotations are strings like any other; the opt-in stays (-want +got):\n%s", d)
	}
}

func TestCompileDecides(t *testing.T) {
	cases := map[string]struct {
		reason string
		in     string
		want   bool
	}{
		"opted in":        {"annotation and braces", optedIn + "data: {a: '{{.n}}'}\n", true},
		"broken template": {"it counts as customized; Expand says what is wrong", optedIn + "data: {a: '{{'}\n", true},
		"no braces":       {"the annotation has no effect", optedIn + "data: {a: 'x }}', '{{.k}}': v}\n", false},
		"no annotation":   {"braces alone are text", "apiVersion: v1\nkind: X\nmetadata: {name: a}\nspec: '{{.n}}'\n", false},
		"upper case":      {"the value is exact", strings.Replace(optedIn, `"true"`, `"True"`, 1) + "data: {a: '{{.n}}'}\n", false},
		"no string":       {"a flag is no annotation value, which is reported elsewhere", strings.Replace(optedIn, `"true"`, `true`, 1) + "data: {a: '{{.n}}'}\n", false},
		"blank":           {"blanks count", strings.Replace(optedIn, `"true"`, `"true "`, 1) + "data: {a: '{{.n}}'}\n", false},
		"unlike true":     {"yes is another word", strings.Replace(optedIn, `"true"`, `yes`, 1) + "data: {a: '{{.n}}'}\n", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := mustCompile(t, read(t, tc.in)) != nil; got != tc.want {
				t.Errorf("%s: customized is %v", tc.reason, got)
			}
		})
	}
}

func TestRef(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"core":           {"no group", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, namespace: shop}\n", "ConfigMap(shop/cfg)"},
		"group":          {"kind and group", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n", "Deployment.apps(shop/web)"},
		"cluster-scoped": {"no namespace", "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n", "Namespace(shop)"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, Ref(read(t, tc.in))); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

func TestExpandErrors(t *testing.T) {
	const at = "template: edge1/ConfigMap(shop/cfg)"
	cases := map[string]struct {
		reason string
		in     string
		want   []string
	}{
		"missing key": {
			reason: "KubeStellar's words, to the letter",
			in:     "data: {url: '{{.nope}}'}\n",
			want:   []string{at + `.data.url:1:2: executing "edge1/ConfigMap(shop/cfg).data.url" at <.nope>: map has no entry for key "nope"`},
		},
		"percent": {
			reason: "a key is no format, with any error: what it lacks, how it is written, its shape, its value",
			in:     "data: {'50%d': '{{.nope}}', '%s%%': '{{if}}', '%v \"%q\"': '{{.a.b}}', '100%': '{{range 9}}{{end}}', '%!': '{{.bad}}'}\n",
			want: []string{
				at + `.data.%!:1:2: executing "edge1/ConfigMap(shop/cfg).data.%!" at <.bad>: map has no entry for key "bad"`,
				at + `.data.%s%%:1: missing value for if`,
				at + `.data.%v "%q":1:4: executing "edge1/ConfigMap(shop/cfg).data.%v \"%q\"" at <.a.b>: map has no entry for key "a"`,
				"template: edge1/ConfigMap(shop/cfg).data.100%:1:8: refused at <{{range 9}}{{end}}>: " + rangeOverNumber,
				at + `.data.50%d:1:2: executing "edge1/ConfigMap(shop/cfg).data.50%d" at <.nope>: map has no entry for key "nope"`,
			},
		},
		"missing key in conditions": {
			reason: "if and or look the key up as well",
			in:     "data: {a: '{{if .nope}}{{end}}', b: '{{or .nope \"x\"}}'}\n",
			want: []string{
				at + `.data.a:1:5: executing "edge1/ConfigMap(shop/cfg).data.a" at <.nope>: map has no entry for key "nope"`,
				at + `.data.b:1:5: executing "edge1/ConfigMap(shop/cfg).data.b" at <.nope>: map has no entry for key "nope"`,
			},
		},
		"numbers are strings": {
			reason: "comparing one with a number is an error",
			in:     "data: {a: '{{if gt .n 3}}x{{end}}'}\n",
			want:   []string{at + `.data.a:1:5: executing "edge1/ConfigMap(shop/cfg).data.a" at <gt .n 3>: error calling gt: incompatible types for comparison: string and int`},
		},
		"other engines": {
			reason: "text meant for them does not parse",
			in:     "data: {a: '{{ $labels.x }}', b: '{{CLUSTER_NAME}}', c: '{{.n | upper}}', d: '{{default 1 .n}}', e: '{{guardDone}}'}\n",
			want: []string{
				at + `.data.a:1: undefined variable "$labels"`,
				at + `.data.b:1: function "CLUSTER_NAME" not defined`,
				at + `.data.c:1: function "upper" not defined`,
				at + `.data.d:1: function "default" not defined`,
				at + `.data.e:1: function "guardDone" not defined`,
			},
		},
		"order": {
			reason: "by path, keys sorted bytewise and unquoted, lists by index; good strings between do not matter",
			in:     "z: '{{.a}}'\ndata:\n  b: ['{{.n}}', '{{.a}}', ['{{.b}}']]\n  a.c/d: '{{.a}}'\n  B: '{{.a}}'\n  10: ['{{.x}}', 0, 0, 0, 0, 0, 0, 0, 0, 0, '{{.x}}']\n",
			want: []string{
				at + `.data.10[0]:1:2: executing "edge1/ConfigMap(shop/cfg).data.10[0]" at <.x>: map has no entry for key "x"`,
				at + `.data.10[10]:1:2: executing "edge1/ConfigMap(shop/cfg).data.10[10]" at <.x>: map has no entry for key "x"`,
				at + `.data.B:1:2: executing "edge1/ConfigMap(shop/cfg).data.B" at <.a>: map has no entry for key "a"`,
				at + `.data.a.c/d:1:2: executing "edge1/ConfigMap(shop/cfg).data.a.c/d" at <.a>: map has no entry for key "a"`,
				at + `.data.b[1]:1:2: executing "edge1/ConfigMap(shop/cfg).data.b[1]" at <.a>: map has no entry for key "a"`,
				at + `.data.b[2][0]:1:2: executing "edge1/ConfigMap(shop/cfg).data.b[2][0]" at <.b>: map has no entry for key "b"`,
				at + `.z:1:2: executing "edge1/ConfigMap(shop/cfg).z" at <.a>: map has no entry for key "a"`,
			},
		},
		"second line": {
			reason: "line and column count inside the string; the message stays one line",
			in:     "data: {a: \"x\\n {{`a\\nb` | index .}}{{.n.m}}\"}\n",
			want:   []string{at + `.data.a:3:18: executing "edge1/ConfigMap(shop/cfg).data.a" at <.n.m>: can't evaluate field m in type string`},
		},
		"not UTF-8": {
			reason: "a character cut in half cannot be written",
			in:     "data: {a: '{{slice .ö 0 1}}{{slice \"ö\" 0 1}}'}\n",
			want:   []string{at + `.data.a: the result is not valid UTF-8`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := read(t, optedIn+tc.in)
			got, errs := checkLaws(t, o, "edge1", props)
			if d := cmp.Diff(tc.want, texts(errs)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
			if got != nil {
				t.Errorf("%s: there must be no half-expanded object, got\n%s", tc.reason, write(t, got))
			}
		})
	}
}

func TestExpandInParallel(t *testing.T) {
	tmpl := mustCompile(t, read(t, optedIn+"data: {a: '{{range $k, $v := .}}{{$v}}{{end}}', b: '{{.nope}}'}\n"))
	good := mustCompile(t, read(t, optedIn+"data: {a: '{{range $k, $v := .}}{{$v}}{{end}}'}\n"))
	var wg sync.WaitGroup
	got := make([]string, 64)
	for i := range got {
		wg.Go(func() {
			cluster := fmt.Sprint("edge", i)
			o, errs := good.Expand(cluster, map[string]string{"clusterName": cluster})
			_, bad := tmpl.Expand(cluster, map[string]string{"clusterName": cluster})
			got[i] = fmt.Sprintln(o.String("data", "a"), len(errs), strings.HasPrefix(bad[0].Error(), "template: "+cluster+"/"))
		})
	}
	wg.Wait()
	for i, g := range got {
		if d := cmp.Diff(fmt.Sprintf("edge%d 0 true\n", i), g); d != "" {
			t.Errorf("goroutines that share a Template do not disturb each other (-want +got):\n%s", d)
		}
	}
}

func BenchmarkExpand(b *testing.B) {
	for _, fields := range []int{1, 10, 100} {
		b.Run(fmt.Sprint("templates=", fields), func(b *testing.B) {
			var text strings.Builder
			text.WriteString(optedIn + "data:\n")
			for i := range fields {
				fmt.Fprintf(&text, "  k%d: '{{.clusterName}} pulls from {{.registry}}{{if eq .site \"north\"}} (cold){{end}}'\n", i)
			}
			for i := range 200 {
				fmt.Fprintf(&text, "  p%d: untouched\n", i)
			}
			o := read(b, text.String())
			checkLaws(b, o, "edge1", props)
			tmpl := mustCompile(b, o)
			var last *krm.Object
			b.ReportAllocs()
			for b.Loop() {
				last, _ = tmpl.Expand("edge1", props)
			}
			if last.String("data", "k0") != "edge1 pulls from mirror.edge1.example (cold)" {
				b.Fatal("wrong result")
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "clusters/s")
		})
	}
}

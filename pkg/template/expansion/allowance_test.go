package expansion

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAllowance fills one object in for many clusters, until nothing is left.
func TestAllowance(t *testing.T) {
	const steps = "here the templates of this run used up the 1000000000 steps that all objects and clusters share; " +
		"the rest was not tried; render fewer clusters at a time, or use fewer and smaller loops"
	const bytes = "here the templates of this run passed the 2147483648 bytes that all objects and clusters may get from them; " +
		"the rest was not tried; render fewer clusters at a time, or use fewer and smaller templates"
	cases := map[string]struct {
		reason, text string
		left         Allowance
		clusters     int // that get their values
		want         string
	}{
		"Work":       {"four steps for a property", "{{.n}}", Allowance{Work: 42, Bytes: 100}, 10, steps},
		"AllOfIt":    {"the bound itself may be reached", "{{.n}}", Allowance{Work: 40, Bytes: 100}, 10, steps},
		"Loops":      {"what guards count is drawn too", "{{range .}}{{end}}", Allowance{Work: 1000, Bytes: 100}, 27, steps},
		"Bytes":      {"a property of three bytes", "{{.n}}", Allowance{Work: 1000, Bytes: 20}, 6, bytes},
		"Run":        {"text that a template wrote counts as well", "{{if .n}}abc{{end}}", Allowance{Work: 1000, Bytes: 20}, 6, bytes},
		"AlreadyOut": {"nothing is nothing", "{{.n}}", Allowance{Work: 0, Bytes: 100}, 0, steps},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tmpl, left := mustCompile(t, withText(tc.text)), tc.left
			var errs []error
			filled := -1
			for len(errs) == 0 {
				filled++
				_, errs = tmpl.Fill(&left, fmt.Sprintf("edge%d", filled), map[string]string{"n": "abc", "m": "", "l": ""})
			}
			if d := cmp.Diff(tc.clusters, filled); d != "" {
				t.Errorf("%s: clusters (-want +got):\n%s", tc.reason, d)
			}
			want := []string{fmt.Sprintf("template: edge%d/ConfigMap(cfg): %s", filled, tc.want)}
			if d := cmp.Diff(want, texts(errs)); d != "" || !left.Spent() {
				t.Errorf("%s: spent is %t (-want +got):\n%s", tc.reason, left.Spent(), d)
			}
		})
	}
}

// TestAllowanceOfErrors draws for what fails twice its work, and the bytes of its errors.
func TestAllowanceOfErrors(t *testing.T) {
	left := Allowance{Work: 1000, Bytes: 1000}
	_, errs := mustCompile(t, withText("{{.nope}}")).Fill(&left, "edge1", nil)
	want := Allowance{Work: 1000 - 2*4, Bytes: 1000 - int64(len(strings.Join(texts(errs), "")))}
	if d := cmp.Diff(want, left); d != "" || len(errs) != 1 {
		t.Errorf("%d errors (-want +got):\n%s", len(errs), d)
	}
}

// TestAllowanceIsWideEnough holds what an ordinary object draws for one cluster against what there is
// for 100 such objects and 10,000 clusters.
func TestAllowanceIsWideEnough(t *testing.T) {
	o := read(t, optedIn+`data:
  image: "{{.registry}}/shop/web:{{.tag}}"
  region: "{{.region}}"
  url: "https://{{.clusterName}}.{{.domain}}/api"
  tier: '{{if eq .region "eu"}}near{{else}}far{{end}}'
  replicas: '{{or (index . "replicas") "3"}}'
  config.yaml: |
    cluster: {{.clusterName}}
    endpoint: https://{{.domain}}
    {{- if .debug }}
    debug: true
    {{- end }}
`)
	props := map[string]string{"registry": "registry.example.com", "tag": "v1.2.3", "region": "eu", "clusterName": "edge-0001", "domain": "edge.example.com", "debug": "true"}
	left := NewAllowance()
	if _, errs := mustCompile(t, o).Fill(left, "edge-0001", props); len(errs) > 0 {
		t.Fatal(errs)
	}
	const runs, margin = 100 * 10_000, 10
	if used := maxRunWork - left.Work; used*runs*margin > maxRunWork {
		t.Errorf("%d steps for one object and cluster are more than a %dth of what there is for each", used, margin)
	}
	if used := maxRunBytes - left.Bytes; used*runs*margin > maxRunBytes {
		t.Errorf("%d bytes for one object and cluster are more than a %dth of what there is for each", used, margin)
	}
}

package format_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/format"
	"github.com/waybill-dev/waybill/pkg/fleet/risk"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// large is a preview of many groups, with long names that are made of what has to be escaped.
func large(groups int) *waybill.FleetPreview {
	p := &waybill.FleetPreview{After: waybill.PreviewSide{Clusters: groups}, Summary: waybill.PreviewSummary{Clusters: groups, Changed: groups}}
	value := strings.Repeat("<", 400)
	for i := range groups {
		var shapes []waybill.PreviewShape
		for s := range 6 {
			var fields []waybill.PreviewField
			for f := range 12 {
				fields = append(fields, waybill.PreviewField{Field: fmt.Sprintf("%s.%d", value, f), Change: "changed", From: &value, To: &value})
			}
			shapes = append(shapes, waybill.PreviewShape{Fields: fields, Clusters: []string{fmt.Sprint("c", s), "d", "e", "f", "g", "h"}, File: "a:b/%/ü x.yaml"})
		}
		levels := []string{"high", "medium", "low", ""}
		p.Groups = append(p.Groups, waybill.PreviewGroup{Change: "changed", Level: levels[i%4], Object: waybill.PreviewObject{Kind: "K", Name: fmt.Sprintf("%d%s", i, strings.Repeat("`", 253))}, Clusters: 7, Shapes: shapes})
	}
	return p
}

// TestBounds checks the bounds of the text, and that it counts what it leaves out.
func TestBounds(t *testing.T) {
	testenv.Long(t, "inputs at the bounds")
	for _, groups := range []int{1, 30, 2000} {
		p := large(groups)
		var md, text, all, github bytes.Buffer
		for _, err := range []error{format.Markdown(&md, p), format.Text(&text, p, false), format.Text(&all, p, true), format.Annotations(&github, p)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if md.Len() > format.MostMarkdown {
			t.Errorf("%d groups: %d bytes of Markdown", groups, md.Len())
		}
		shown := strings.Count(md.String(), "<details>")
		if shown < groups && !strings.Contains(md.String(), fmt.Sprintf("%d more group", groups-shown)) {
			t.Errorf("%d groups, %d in Markdown, and the others are not counted", groups, shown)
		}
		if n := strings.Count(text.String(), "\n"); n > 1500 {
			t.Errorf("%d groups are %d lines", groups, n)
		}
		if groups > 25 && !strings.Contains(text.String(), fmt.Sprintf("… %d more groups not shown", groups-25)) {
			t.Errorf("%d groups, and nothing is left out", groups)
		}
		if strings.Contains(all.String(), "not shown") || strings.Count(all.String(), ": 12 fields change on 7 clusters") != groups {
			t.Errorf("%d groups, and --all leaves some out", groups)
		}
		if n := strings.Count(github.String(), "\n"); n > 31 {
			t.Errorf("%d groups are %d annotations", groups, n)
		}
		checkSARIF(t, p)
	}
}

// checkSARIF wants what the standard requires, and what code scanning needs besides: rules that results name, by the right
// index, a message, and a place that is a relative reference.
func checkSARIF(t *testing.T, p *waybill.FleetPreview) {
	t.Helper()
	var b bytes.Buffer
	if err := format.SARIF(&b, p); err != nil {
		t.Fatal(err)
	}
	var log map[string]any
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log["runs"].([]any)[0].(map[string]any)
	driver := run["tool"].(map[string]any)["driver"].(map[string]any)
	if log["version"] != "2.1.0" || driver["name"] == "" {
		t.Errorf("version %v, tool %v", log["version"], driver["name"])
	}
	var rules []string
	for _, r := range driver["rules"].([]any) {
		rules = append(rules, r.(map[string]any)["id"].(string))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(rules)))) != len(risk.Rules)+1 {
		t.Errorf("rules %q", rules)
	}
	results := run["results"].([]any)
	if len(results) != min(5000, len(p.Groups)) {
		t.Errorf("%d results of %d groups", len(results), len(p.Groups))
	}
	for _, r := range results {
		result := r.(map[string]any)
		if rules[int(result["ruleIndex"].(float64))] != result["ruleId"] || result["message"].(map[string]any)["text"] == "" {
			t.Fatalf("%v", result)
		}
		if level := result["level"]; level != "error" && level != "warning" && level != "note" {
			t.Fatalf("level %v", level)
		}
		place := result["locations"].([]any)[0].(map[string]any)["physicalLocation"].(map[string]any)
		uri, err := url.Parse(place["artifactLocation"].(map[string]any)["uri"].(string))
		if err != nil || uri.IsAbs() || strings.TrimPrefix(uri.Path, "./") != "a:b/%/ü x.yaml" || place["region"].(map[string]any)["startLine"].(float64) < 1 {
			t.Fatalf("%v, %v", place, err)
		}
	}
}

// TestFieldsChange says how many fields change, also where it is not as many on all clusters.
func TestFieldsChange(t *testing.T) {
	fields := func(n int) waybill.PreviewShape {
		return waybill.PreviewShape{Fields: make([]waybill.PreviewField, n), Clusters: []string{"a"}}
	}
	for want, shapes := range map[string][]waybill.PreviewShape{
		"1 field changes": {fields(1), fields(1)}, "2 fields change": {fields(2)}, "1 to 3 fields change": {fields(2), fields(3), fields(1)},
	} {
		p := &waybill.FleetPreview{Groups: []waybill.PreviewGroup{{Change: "changed", Object: waybill.PreviewObject{Kind: "ConfigMap", Name: "c"}, Shapes: shapes}}}
		var text strings.Builder
		if err := format.Text(&text, p, true); err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("%v, no %q in\n%s", err, want, text.String())
		}
	}
}

package reports

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/waybill-dev/waybill/pkg/status/limits"
)

// FuzzPut puts random objects into an index. What it takes obeys the laws, is JSON, and is no
// larger than what went in accounts for; what it does not take changes nothing and says so in a line.
func FuzzPut(f *testing.F) {
	seeds := workStatus("edge1", "a", ", status: {readyReplicas: 2}") + labelled(workStatus("edge1", "b", ""), "git") +
		manifestWork("edge1", "w", `, statusFeedback: {values: [{name: ReadyReplicas, fieldValue: {type: Integer, integer: 1}},
{name: x, fieldValue: {type: JsonRaw, jsonRaw: '{"a": [1]}'}}]}, conditions: [{type: Applied, status: "True"}]`)
	for _, o := range objects(f, seeds) {
		data, err := json.Marshal(o)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork", "metadata": {"namespace": "edge1", "name": "w"},
"spec": {"manifestConfigs": [{"resourceIdentifier": {"resource": "xs", "name": "x"}, "feedbackRules": [{"jsonPaths": [{"name": "a", "path": ".status.x.y"}]}]}]},
"status": {"resourceStatus": {"manifests": [{"resourceMeta": {"version": "v1", "kind": "X", "resource": "xs", "name": "x"},
"statusFeedback": {"values": [{"name": "a", "fieldValue": {"type": "JsonRaw", "jsonRaw": "` + lists(limits.Depth) + `"}}, {"name": "b", "fieldValue": {"type": "JsonRaw", "jsonRaw": "` + lists(500) + `"}}]}}]}}}`))
	data, err := os.ReadFile("testdata/rules.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		var obj map[string]any
		if utiljson.Unmarshal(data, &obj) != nil {
			return // no API server or file hands this out
		}
		x := indexOf(t, "git", objects(t, workStatus("edge1", "a", "")+manifestWork("edge1", "w", ""))...)
		before, start := viewOf(x), time.Now()
		changed, err := x.Put(obj)
		const patience = 5 * time.Second
		if took := time.Since(start); took > patience {
			t.Fatalf("took %v", took)
		}
		if err != nil {
			if len(changed) > 0 || len(viewOf(x).Reports) != len(before.Reports) || strings.Contains(err.Error(), "\n") {
				t.Errorf("an error changed %v: %v", changed, err)
			}
			return
		}
		checkSize(t, obj, x)
		checkDepth(t, obj, x)
		checkLaws(t, indexOf(t, "git", obj), []map[string]any{obj})
	})
}

// checkSize expects that all reports together are in proportion to what they were made from.
func checkSize(t *testing.T, obj map[string]any, x *Index) {
	t.Helper()
	in, err := json.Marshal(obj)
	if err != nil {
		t.Fatal(err)
	}
	for place, r := range viewOf(x).Reports {
		out, err := json.Marshal(r.Status)
		if err != nil {
			t.Fatalf("%s: %v", place, err)
		}
		const room = 256 // the braces and the words type and status; works that were there before
		if len(out) > 2*len(in)+room {
			t.Errorf("%s: %d bytes of status from %d bytes", place, len(out), len(in))
		}
	}
}

// checkDepth expects that no agent can report what is too deep to be written into an object.
func checkDepth(t *testing.T, obj map[string]any, x *Index) {
	t.Helper()
	if obj["kind"] != string(ManifestWork) {
		return // whose status is where it can be written
	}
	for place, r := range viewOf(x).Reports {
		if got := depth(r.Fields); got > maxSteps+limits.Depth {
			t.Errorf("%s: %d levels of fields", place, got)
		}
	}
}

// depth is how many lists and maps are inside each other.
func depth(v any) (levels int) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			levels = max(levels, depth(e))
		}
		return levels + 1
	case map[string]any:
		for _, e := range v {
			levels = max(levels, depth(e))
		}
		return levels + 1
	}
	return 0
}

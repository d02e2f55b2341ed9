package reports

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// FuzzPut gives an index objects that nobody wrote. What it takes obeys the laws, is JSON, and is no
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

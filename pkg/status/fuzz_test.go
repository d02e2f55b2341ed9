package status_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
)

// FuzzEvaluate looks for a panic, an evaluation that does not end, a result that is no JSON or one that
// breaks a law, whatever people write and clusters report.
func FuzzEvaluate(f *testing.F) {
	for i, text := range expressions {
		f.Add(text, expressions[(i+7)%len(expressions)], uint8(i), `{"a": 1, "b": [1, {"c": null}]}`, `{"a": "1e3"}`)
	}
	f.Add("true", "[[1]]"+strings.Repeat(".map(x, [x, x])", 30), uint8(0), `{}`, `{}`)
	f.Fuzz(func(t *testing.T, filter, def string, mode uint8, one, other string) {
		var a, b map[string]any
		if len(filter)+len(def)+len(one)+len(other) > 20_000 || utiljson.Unmarshal([]byte(one), &a) != nil || utiljson.Unmarshal([]byte(other), &b) != nil {
			return
		}
		c := &control.StatusCollector{Spec: fuzzSpec(filter, def, mode)}
		c.Name = "c"
		p, errs := status.Compile(c)
		if (p == nil) != (len(errs) > 0) {
			t.Fatalf("either a program or errors: %v, %q", p, errs)
		}
		if p == nil {
			return
		}
		start := time.Now()
		all := []status.Report{{Cluster: "b", Known: true, Status: a}, {Cluster: "a", Known: true, Status: b}, {Cluster: "c"}, {Cluster: "d", Status: b, Manifest: a, Failure: "apply failed"}}
		o := status.Options{NullAsNull: mode&1 != 0}
		checkLaws(t, p, a, all, o)
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%q, %q took %v", filter, def, took)
		}
		got, _ := p.Evaluate(t.Context(), a, all, o)
		if _, err := json.Marshal(got); err != nil {
			t.Error(err)
		}
	})
}

func fuzzSpec(filter, def string, mode uint8) (s control.StatusCollectorSpec) {
	if mode&8 != 0 {
		s.Filter = &filter
	}
	switch mode & 6 {
	case 0, 2:
		s.Select = []control.NamedExpression{{Name: "s", Def: def}}
	case 4:
		s.CombinedFields = []control.CombinedField{{Name: "f", Type: control.AggregatorSum, Subject: &def}}
	case 6:
		s.GroupBy = []control.NamedExpression{{Name: "g", Def: def}}
		s.CombinedFields = []control.CombinedField{{Name: "f", Type: control.AggregatorAvg, Subject: &filter}}
	}
	return s
}

package combinedstatus_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/combinedstatus"
)

// TestSlowCollector has a collector that takes long, for more objects and clusters than one wants to wait for.
// All others go on meanwhile, the log names it, and it can be stopped.
func TestSlowCollector(t *testing.T) {
	w := newWithDeployments(t)
	var numbers []string
	for i := range 60 {
		numbers = append(numbers, fmt.Sprint(i))
	}
	list := "[" + strings.Join(numbers, ",") + "]"
	var columns []any
	for i := range 10 {
		columns = append(columns, m{"name": fmt.Sprint("x", i), "def": list + ".all(a, " + list + ".all(b, a + b >= 0))"})
	}
	w.collector("slow", m{"select": columns})
	var entries []any
	var fleet []string
	for i := range 50 {
		entries = append(entries, w.entry(deployments, fmt.Sprint("none", i), collected("slow")))
		fleet = append(fleet, fmt.Sprint("far", i))
	}
	for i := range 50 {
		fleet = append(fleet, fmt.Sprint("farther", i))
	}
	w.binding("slow", fleet, entries...)
	w.binding("web", []string{"edge1", "edge2"}, w.entry(deployments, "web", collected("sum")))
	w.start(func(o *combinedstatus.Options) { o.Interval = 200 * time.Millisecond })
	w.eventually("the first result is there", "web sum: 3", func() string { return w.results("web") })
	for i := range int64(3) {
		began := time.Now()
		w.put(workStatuses, w.report("edge1", "web", m{"readyReplicas": 10 + i}))
		w.eventually("others go on", fmt.Sprintf("web sum: %d", 12+i), func() string { return w.results("web") })
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("a report shows after %s", took)
		}
	}
	waiting := w.values()["waiting"]
	if waiting == 0 || waiting > 50 {
		t.Errorf("want most of 50 results to wait, not %v", waiting)
	}
	const why = "one StatusCollector takes most of it"
	if text := w.log.String(); strings.Count(text, why) != 1 || !strings.Contains(text, why+`" statusCollector=slow rows=`) {
		t.Errorf("want the log to name it once:\n%s", text)
	}
	w.delete(bindings, "", "slow")
	began := time.Now()
	w.eventually("it is stopped", "0", func() string { return fmt.Sprint(w.values()["waiting"]) })
	w.eventually("and nothing is left of it", "1", func() string { return fmt.Sprint(len(w.list(combinedStatuses))) })
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it is stopped after %s", took)
	}
	w.settled()
}

// TestFirstPass has a long time between passes. The first writes all the same as soon as all is known.
func TestFirstPass(t *testing.T) {
	w := newWithDeployments(t)
	w.binding("p", []string{"edge1", "edge2"}, w.entry(deployments, "web", collected("sum")))
	began := time.Now()
	w.start(func(o *combinedstatus.Options) { o.Interval = time.Hour })
	w.eventually("it does not wait", "p sum: 3", func() string { return w.results("web") })
	w.eventually("for anything", available, func() string { return w.condition("p") })
	w.put(workStatuses, w.report("edge1", "web", m{"readyReplicas": int64(7)}))
	t.Logf("the first pass came %s after the start", time.Since(began).Round(time.Millisecond))
	time.Sleep(300 * time.Millisecond) // nothing is to happen
	if got := w.results("web"); got != "p sum: 3" {
		t.Errorf("the second comes too soon: %s", got)
	}
}

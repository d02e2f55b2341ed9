package combinedstatus

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/status/engine"
)

// TestCosts has two collectors, of which one takes longer.
func TestCosts(t *testing.T) {
	var text strings.Builder
	log := logr.FromSlogHandler(slog.NewTextHandler(&text, nil))
	began := time.Now()
	c := newCosts()
	c.log(log, began) // nothing was evaluated
	more := c.watch(began.Add(time.Hour))
	c.last = began.Add(-time.Minute)
	if !more(engine.Step{Collector: "slow"}) {
		t.Error("there is time left")
	}
	more(engine.Step{Collector: "fast"})
	c.last = began.Add(-time.Hour)
	more(engine.Step{}) // is no collector's
	if c.watch(began)(engine.Step{}) {
		t.Error("the time is over")
	}
	for _, after := range []time.Duration{0, time.Second, 59 * time.Second, time.Minute} {
		c.log(log, began.Add(after))
	}
	if n := strings.Count(text.String(), "statusCollector=slow rows=1 took=1m"); n != 2 || strings.Count(text.String(), "\n") != 2 {
		t.Errorf("want it to be told twice, got %d times:\n%s", n, &text)
	}
	c.clear()
	if c.slowest() != "" {
		t.Error("another pass begins")
	}
}

// TestWarningLog has more warnings than it may log.
func TestWarningLog(t *testing.T) {
	var text strings.Builder
	o := newWarningLog(logr.FromSlogHandler(slog.NewTextHandler(&text, nil)))
	for range 2 {
		for i := range maxWarnings + 10 {
			o.once(fmt.Sprint(i), "odd")
		}
	}
	if n := strings.Count(text.String(), "msg=odd"); n != maxWarnings || strings.Count(text.String(), "\n") != maxWarnings+1 {
		t.Errorf("want each once, and that there is more, got %d", n)
	}
}

// TestReady has a state that has not synced, then one of which not all is known, then one that is.
func TestReady(t *testing.T) {
	o := Options{Interval: time.Hour}.withDefaults()
	begin := func() (*reconciler, *handler) {
		w := newState(o)
		w.startWatch = func(schema.GroupVersionResource, live.WatchHandler) func() { return func() {} }
		r := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
		w.watchWorkloads(r)
		return newReconciler(w, nil, o), w.workloads[r]
	}
	p, of := begin()
	if p.ready() {
		t.Error("nothing is known")
	}
	for _, r := range []schema.GroupVersionResource{collectors, bindings, combinedStatuses, workStatuses, manifestWorks} {
		p.state.newHandler(r).Synced("a kind", "")
	}
	if p.ready() || p.state.firstWait == nil {
		t.Error("it is not known which Deployments there are")
	}
	of.Synced("Deployment", "")
	if !p.ready() {
		t.Error("all is known")
	}
	p.state.watchWorkloads(schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"})
	if !p.ready() {
		t.Error("the first pass is over")
	}
	<-p.state.wake // all that was told
	p.options.Interval, p.state.firstWait, p.state.waited = time.Millisecond, nil, false
	if p.ready() {
		t.Error("it does not wait at all")
	}
	<-p.state.wake
	if !p.ready() {
		t.Error("it waits for what may never be known")
	}
}

package combinedstatus

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/waybill-dev/waybill/controllers/combinedstatus/engine"
)

// TestCosts has two collectors, of which one takes longer.
func TestCosts(t *testing.T) {
	var text strings.Builder
	log := logr.FromSlogHandler(slog.NewTextHandler(&text, nil))
	began := time.Now()
	c := newCosts()
	c.tell(log, began) // nothing was evaluated
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
		c.tell(log, began.Add(after))
	}
	if n := strings.Count(text.String(), "statusCollector=slow rows=1 took=1m"); n != 2 || strings.Count(text.String(), "\n") != 2 {
		t.Errorf("want it to be told twice, got %d times:\n%s", n, &text)
	}
	c.clear()
	if c.slowest() != "" {
		t.Error("another pass begins")
	}
}

// TestOddities has more that is odd than anybody reads.
func TestOddities(t *testing.T) {
	var text strings.Builder
	o := newOddities(logr.FromSlogHandler(slog.NewTextHandler(&text, nil)))
	for range 2 {
		for i := range maxOdd + 10 {
			o.tell(fmt.Sprint(i), "odd")
		}
	}
	if n := strings.Count(text.String(), "msg=odd"); n != maxOdd || strings.Count(text.String(), "\n") != maxOdd+1 {
		t.Errorf("want each once, and that there is more, got %d", n)
	}
}

// TestReady has a world that is not whole, then one of which not all is known, then one that is.
func TestReady(t *testing.T) {
	meters, err := newMeters(prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Interval: time.Hour}.withDefaults()
	begin := func() (*passes, *part) {
		w := newWorld(o, meters)
		w.follow = func(engine.Resource, listener) func() { return func() {} }
		r := engine.Resource{Group: "apps", Version: "v1", Plural: "deployments"}
		w.ask([]engine.Resource{r})
		return newPasses(w, &writer{}, o), w.followed[r]
	}
	p, of := begin()
	if p.ready() {
		t.Error("nothing is known")
	}
	for _, part := range []*part{p.collecting(), p.binding(), p.combining(), p.reporting(workStatuses, "WorkStatus"), p.reporting(manifestWorks, "ManifestWork")} {
		part.served("a kind")
	}
	if p.ready() || p.patience != running {
		t.Error("it is not known which Deployments there are")
	}
	of.served("Deployment")
	if !p.ready() {
		t.Error("all is known")
	}
	p.ask([]engine.Resource{{Group: "batch", Version: "v1", Plural: "jobs"}})
	if !p.ready() {
		t.Error("the first pass is over")
	}
	<-p.wake // all that was told
	p.options.Interval, p.patience = time.Millisecond, fresh
	if p.ready() {
		t.Error("it does not wait at all")
	}
	<-p.wake
	if !p.ready() {
		t.Error("it waits for what may never be known")
	}
}

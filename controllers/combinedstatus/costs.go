package combinedstatus

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/go-logr/logr"

	"github.com/waybill-dev/waybill/controllers/combinedstatus/engine"
)

// cost is what the rows of a collector took.
type cost struct {
	rows int
	took time.Duration
}

// costs are those of one pass, by collector.
type costs struct {
	of   map[string]cost
	last time.Time            // when the step ended that was watched last
	told map[string]time.Time // when a collector was last said to be slow
}

func newCosts() *costs { return &costs{of: map[string]cost{}, told: map[string]time.Time{}} }

func (c *costs) clear() { clear(c.of) }

// watch measures steps, the first of which begins now, and lets the engine go on until end.
func (c *costs) watch(end time.Time) func(engine.Step) bool {
	c.last = time.Now()
	return func(done engine.Step) bool {
		now := time.Now()
		if done.Collector != "" {
			sum := c.of[done.Collector]
			c.of[done.Collector] = cost{sum.rows + 1, sum.took + now.Sub(c.last)}
		}
		c.last = now
		return now.Before(end)
	}
}

// slowest is the collector that took most.
func (c *costs) slowest() string {
	names := slices.Sorted(maps.Keys(c.of))
	if len(names) == 0 {
		return ""
	}
	return slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(c.of[a].took, c.of[b].took) })
}

// tell logs which collector takes most of the time of a pass that has not enough of it, each at most once a
// minute.
func (c *costs) tell(log logr.Logger, now time.Time) {
	name := c.slowest()
	if last, was := c.told[name]; name == "" || was && now.Sub(last) < time.Minute {
		return
	}
	c.told[name] = now
	log.Info("results are late: there is more to evaluate than a pass has time for; one StatusCollector takes most of it",
		"statusCollector", name, "rows", c.of[name].rows, "took", c.of[name].took.Round(time.Millisecond).String())
}

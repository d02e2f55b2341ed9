package combinedstatus

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-logr/logr"

	"github.com/waybill-dev/waybill/controllers/combinedstatus/engine"
	"github.com/waybill-dev/waybill/pkg/status"
)

// oddities are what is odd and was logged. Each is logged once, and not more than maxOdd of them.
type oddities struct {
	log    logr.Logger
	told   map[string]bool
	looked time.Time // at the reports
	soon   bool      // they will be looked at again
}

const maxOdd = 1000

func newOddities(log logr.Logger) *oddities { return &oddities{log: log, told: map[string]bool{}} }

// tell logs what is odd; that which has the same key is the same.
func (o *oddities) tell(key, what string, about ...any) {
	switch {
	case o.told[key]:
		return
	case len(o.told) < maxOdd:
		o.log.Info(what, about...)
	case len(o.told) == maxOdd:
		o.log.Info("there is more that is odd; it is not logged", "logged", maxOdd)
	default:
		return
	}
	o.told[key] = true
}

// warn logs what is odd about a result: of each collector once, with the object where it showed.
func (p *passes) warn(at engine.Name) {
	wanted, is := p.engine.Wanted(at)
	if p.oddResults[at] = struct{}{}; len(wanted.Warnings)+len(wanted.LeftOut)+len(wanted.Rivals) == 0 {
		delete(p.oddResults, at)
	}
	if !is {
		delete(p.leftOut, at)
		return
	}
	labels := wanted.Object.Labels
	object := fmt.Sprintf("%s %s/%s", labels[status.LabelResource], labels[status.LabelNamespace], labels[status.LabelName])
	about := []any{"combinedStatus", at.Namespace + "/" + at.Name, "object", object}
	for _, w := range wanted.Warnings {
		p.odd.tell(fmt.Sprintf("collector %s %t", w.Collector, w.Cluster == ""), w.String(), about...) // there are these two kinds
	}
	for _, rival := range wanted.Rivals {
		p.odd.tell("rival "+rival, fmt.Sprintf("Bindings %q and %q are of one policy and ask about one object; the result is for the first",
			labels[status.LabelPolicy], rival), about...)
	}
	p.warnLeftOut(at, wanted.LeftOut, about)
}

// warnLeftOut logs once what does not fit into a result.
func (p *passes) warnLeftOut(at engine.Name, leftOut []status.Warning, about []any) {
	told := p.leftOut[at]
	delete(p.leftOut, at)
	for _, w := range leftOut {
		if !slices.Contains(told, w.Collector) {
			p.options.Log.Info(w.String(), about...)
		}
		p.leftOut[at] = append(p.leftOut[at], w.Collector)
	}
}

// warnAll logs what is odd about reports, and counts all that is odd. Since it looks at all reports it does
// so once in LastRetry.
func (p *passes) warnAll(now time.Time) {
	p.meters.warnings.WithLabelValues("result").Set(float64(len(p.oddResults)))
	rest := p.odd.looked.Add(p.options.LastRetry).Sub(now)
	switch {
	case !p.reported:
		return
	case rest > 0 && !p.odd.soon:
		p.odd.soon = true
		time.AfterFunc(rest, p.call)
		return
	case rest > 0:
		return
	}
	p.reported, p.odd.soon, p.odd.looked = false, false, now
	warnings, elsewhere := p.engine.Warnings(), p.engine.Elsewhere()
	p.meters.warnings.WithLabelValues("report").Set(float64(len(warnings)))
	p.meters.warnings.WithLabelValues("elsewhere").Set(float64(elsewhere))
	for _, w := range warnings {
		p.odd.tell(fmt.Sprintf("report %s %s", w.Source, w.Text), "a report is odd: "+w.Text, "report", w.Source.String())
	}
	if elsewhere > 0 {
		p.odd.tell("elsewhere", "reports about other workload spaces do not count", "reports", elsewhere, "workloadSpace", p.options.Engine.WDS)
	}
}

package mapping

import (
	"time"

	"github.com/waybill-dev/waybill/pkg/correspond"
)

// schedule says when the next pass is, for those parents that need one though nothing changes.
func (p *pass) schedule() {
	failing := map[string]bool{}
	for key := range p.memory.failing {
		_, id, _ := correspond.ParseKey(key) // it is a parent's
		failing[id.Namespace] = true
	}
	if len(failing) == 0 {
		p.pause = 0
	} else {
		pause := p.grow()
		for namespace := range failing {
			p.agenda.after(pause, namespace)
		}
	}
	if p.soon || p.later {
		p.agenda.after(p.options.FirstRetry, "")
	}
	for i := range p.result.Parents {
		if parent := &p.result.Parents[i]; parent.RequeueAfter > 0 {
			p.agenda.after(parent.RequeueAfter, parent.Object.Namespace())
		}
	}
	if seconds := p.ready.Spec().ResyncPeriodSeconds; seconds != nil && p.all {
		p.agenda.after(resync(*seconds), "")
	}
}

// resync is the time between two periodic passes.
func resync(seconds int32) time.Duration { return time.Duration(max(1, seconds)) * time.Second }

// grow is the pause before what failed is tried again; the next one is longer.
func (w *worker) grow() time.Duration {
	w.pause = min(max(2*w.pause, w.options.FirstRetry), w.options.LastRetry)
	return w.pause
}

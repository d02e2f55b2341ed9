package mapcontroller

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	mapping "github.com/waybill-dev/waybill/pkg/mapcontroller"
)

// pass is one pass over some parents of a MapController: it observes, decides, acts and reports.
type pass struct {
	worker       *worker
	prepared     *prepared
	caches       map[live.Resource]*live.Cache
	memory       *memory
	queue        *live.Queue
	options      Options
	metrics      *metrics
	server       *live.Server
	statusOwners *statusOwners

	batch    live.Batch // of namespaces
	snapshot snapshot
	result   *mapping.Result
	selected map[string]bool // keys of the parents in result
	attempts []applyset.Attempt
	// attemptsOf are the attempts by the key of their parent.
	attemptsOf map[string][]applyset.Attempt

	conflicted    bool              // another client wrote first: the snapshot is out of date
	unwritable    map[string]bool   // parents whose finalizer could not be written; true: the pass holds them
	unwritableWhy map[string]string // why, if that is an error
	typeDeletion  string            // why no absence of an object of some type counts
	typeUnknown   atomic.Bool       // the API server does not know a type any more
}

func newPass(w *worker, batch live.Batch) *pass {
	c := w.controller
	return &pass{worker: w, prepared: w.prepared, caches: w.caches, memory: w.memory, queue: w.self.Queue, options: c.options,
		metrics: c.metrics, server: c.server, statusOwners: c.statusOwners,
		batch: batch, unwritable: map[string]bool{}, unwritableWhy: map[string]string{},
		selected: map[string]bool{}, attemptsOf: map[string][]applyset.Attempt{}}
}

// run makes the pass. A fault is about the MapController as a whole.
func (p *pass) run(ctx context.Context) *live.Fault {
	for _, step := range []func(context.Context) error{p.addFinalizers, p.observe, p.confirmAbsences} {
		if err := step(ctx); err != nil {
			return live.FaultOf(err, "; allow it to waybill-controller by a ClusterRole with the label rbac.waybill.dev/aggregate-to-map")
		}
	}
	result, err := p.prepared.Run(ctx, mapping.Snapshot{Items: p.snapshot.items, Live: true, LastKnown: p.memory.lastKnown,
		Parallel: p.options.Parallel, Hold: p.holds, Listed: p.isKnown})
	if err != nil {
		return &live.Fault{Reason: waybill.ReasonFailing, Message: live.OneLine(err.Error())}
	}
	p.result = result
	for i := range result.Parents {
		p.selected[result.Parents[i].Key] = true
	}
	confirmed, waiting := p.splitByAbsence(ctx, result.Plan.Operations)
	p.attempts = append(applyset.ExecuteParallel(ctx, confirmed, p.options.Parallel, p.apply), waiting...)
	for _, a := range p.attempts {
		p.attemptsOf[a.Operation.Owner] = append(p.attemptsOf[a.Operation.Owner], a)
	}
	if ctx.Err() != nil {
		return nil
	}
	p.recordFaults()
	p.report(ctx)
	if ctx.Err() == nil {
		p.recordEvents()
	}
	return nil
}

// holds reports whether nothing of a parent may change in this pass: the batch does not cover it, its finalizer cannot be
// written, or it is absent and the API server has not confirmed that.
func (p *pass) holds(key string) bool {
	return !coversParent(p.batch, key) || p.unwritable[key] || p.snapshot.parents[key] == nil && !p.memory.gone[key]
}

// isKnown reports whether the objects of a type that a customize hook selects from are known. The controller watches the
// type from now on.
func (p *pass) isKnown(t mapping.Type) (bool, error) {
	k := p.prepared.resourceOf(t)
	p.snapshot.related[k] = true
	c := p.caches[k]
	if c == nil {
		p.snapshot.incomplete = true
		return false, nil
	}
	err := c.Err()
	switch {
	case errors.Is(err, live.ErrNotSynced):
		return false, nil
	case err != nil:
		return false, errors.New(k.Resource + ": " + err.Error())
	}
	return true, nil
}

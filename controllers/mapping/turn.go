package mapping

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// turn looks at the MapController and makes a pass, if that can be done.
func (w *worker) turn(ctx context.Context, s scope) {
	o := w.object.Load()
	if o == nil {
		return
	}
	if isDeleting(o) {
		w.leave(ctx, o)
		return
	}
	if w.ready == nil || w.ready.generation != correspond.Generation(o) {
		w.forget()
		s = scope{all: true}
		r, f := w.prepare(ctx, o)
		if f != nil {
			w.know(nil)
			w.kept.need(w, nil)
			w.authors.release(w.name, all)
			w.conclude(ctx, f, nil)
			return
		}
		w.ready, w.memory = r, newMemory()
	}
	w.shelves = w.kept.need(w, w.kinds())
	w.know(w.ready)
	p := newPass(w, s)
	f := p.run(ctx)
	if f != nil && !f.brief {
		w.authors.release(w.name, all) // it writes nothing now
	}
	w.know(w.ready)
	if ctx.Err() == nil {
		w.conclude(ctx, f, p)
	}
	if p.astray || f != nil && f.reason == waybill.ReasonNotServed {
		w.forget() // a type that comes back may be another one
		w.server.Mapper.(meta.ResettableRESTMapper).Reset()
	}
}

// leave does nothing more for a MapController that is being deleted but to let it go.
func (w *worker) leave(ctx context.Context, o *krm.Object) {
	w.know(nil)
	w.kept.need(w, nil)
	w.authors.release(w.name, all)
	if err := w.dismiss(ctx, o); err != nil && ctx.Err() == nil {
		w.describe(ctx, &fault{reason: waybill.ReasonFailing, message: "it cannot be let go: " + oneLine(err.Error())})
		w.agenda.after(w.grow(), "")
	}
}

// kinds are the types that are followed for the MapController.
func (w *worker) kinds() map[kind]bool {
	kinds := map[kind]bool{}
	for k := range w.ready.roles {
		kinds[k] = true
	}
	for k := range w.memory.related {
		kinds[k] = true
	}
	return kinds
}

// conclude tells what came of a turn, and says when the next one is.
func (w *worker) conclude(ctx context.Context, f *fault, p *pass) {
	failing := f
	if f == nil {
		failing = w.failing()
	}
	w.describe(ctx, failing)
	switch {
	case f != nil && f.looks:
		w.agenda.after(w.options.look(), "")
		return
	case f != nil && !f.stalled && !f.waits:
		w.agenda.after(w.grow(), "")
		return
	case f != nil:
		return
	}
	p.schedule()
}

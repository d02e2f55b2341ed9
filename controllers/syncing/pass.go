package syncing

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/waybill-dev/waybill/controllers/follow"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// pass is one pass over some primaries of a PublishedResource.
type pass struct {
	*worker
	scope
	trouble map[string]error // why a workspace is not worked
	gone    map[string]bool  // primaries that are known not to be there, and whose copies may go
	// selects reports whether the filter selects any source object; it looks once in a pass.
	selects func() bool
}

func newPass(w *worker, s scope) *pass {
	p := &pass{worker: w, scope: s, trouble: map[string]error{}, gone: map[string]bool{}}
	p.selects = sync.OnceValue(p.filterSelects)
	return p
}

// filterSelects reports whether the filter selects any source object of any workspace.
func (p *pass) filterSelects() bool {
	for _, s := range p.workspaces {
		sources, spaces := p.ready.shelf(s.name, p.ready.remote), p.ready.shelf(s.name, namespaces)
		if sources == nil {
			continue
		}
		for _, o := range sources.objects() {
			var ns *krm.Object
			if spaces != nil {
				ns = spaces.get(at{"", o.Namespace()})
			}
			if selected, _ := p.ready.rule.Selects(o, o.Namespace(), ns); selected {
				return true
			}
		}
	}
	return false
}

// run looks, decides, acts and tells, for each primary on its own. A fault is about the PublishedResource as a whole.
func (p *pass) run(ctx context.Context) *fault {
	if !p.ready.config.Moves() {
		if !p.all {
			return nil
		}
		if err := p.unbind(ctx, p.ready.config, p.originsOf(p.ready.config)); err != nil {
			return &fault{reason: waybill.ReasonUnavailable, message: "finalizers cannot be taken away: " + oneLine(err.Error())}
		}
		return nil
	}
	if err := p.look(""); err != nil {
		return p.whyNot(err)
	}
	if f := p.lookAround(); f != nil {
		return f
	}
	if err := p.keep(ctx, p.object.Load(), true); err != nil {
		return p.whyNot(fmt.Errorf("put the finalizer on the PublishedResource: %w", err))
	}
	due, err := p.due(ctx)
	if err != nil {
		return p.whyNot(err)
	}
	p.settleAll(ctx, due)
	if ctx.Err() != nil {
		return nil
	}
	p.release(ctx)
	if p.all {
		if err := p.sweepLedgers(ctx); err != nil && ctx.Err() == nil {
			return p.whyNot(err)
		}
	}
	p.count()
	return nil
}

// look says why nothing is known of a workspace, or "" the destination, or not all.
func (p *pass) look(cluster string) error {
	for _, k := range slices.SortedFunc(maps.Keys(p.shelves), func(a, b shelfKey) int { return strings.Compare(a.String(), b.String()) }) {
		if k.server != cluster {
			continue
		}
		if err := p.shelves[k].trouble(); err != nil {
			return &untold{fmt.Errorf("%s: %w", k, err)}
		}
	}
	return nil
}

// String names a type for people.
func (k shelfKey) String() string {
	name := fmt.Sprintf("%s of %s", k.Resource, k.GroupVersion())
	if k.server != "" {
		name += " in the workspace " + k.server
	}
	return name
}

// lookAround finds out which workspaces can be worked. One that does not serve the type has no primaries.
func (p *pass) lookAround() *fault {
	var served, waiting int
	var said []string
	for _, s := range p.workspaces {
		remote := p.ready.shelf(s.name, p.ready.remote)
		if errors.Is(remote.trouble(), follow.ErrNotServed) {
			p.trouble[s.name] = remote.trouble()
			continue
		}
		served++
		err := p.look(s.name)
		switch {
		case errors.Is(err, errUnknown):
			waiting++
		case err != nil:
			said = append(said, err.Error())
		}
		if err != nil {
			p.trouble[s.name] = err
		}
	}
	p.memory.mu.Lock()
	p.memory.unavailable, p.memory.waiting = oneLine(strings.Join(said, "; ")), waiting > 0
	if p.all {
		clear(p.memory.statuses) // a type may have got one
	}
	p.memory.mu.Unlock()
	switch {
	case served == 0:
		return &fault{reason: waybill.ReasonNotServed, looks: true,
			message: fmt.Sprintf("no workspace serves %s of %s", p.ready.remote.Resource, p.ready.remote.GroupVersion())}
	case waiting == served:
		return &fault{reason: waybill.ReasonProgressing, message: "not all objects are known yet", brief: true, waits: true}
	}
	return nil
}

// untold is trouble that a shelf tells of when it is over.
type untold struct{ err error }

func (u *untold) Error() string { return u.err.Error() }
func (u *untold) Unwrap() error { return u.err }

// whyNot says why there can be no pass now.
func (p *pass) whyNot(err error) *fault {
	f := &fault{reason: waybill.ReasonUnavailable, message: oneLine(err.Error())}
	switch {
	case errors.Is(err, errUnknown), errors.Is(err, errFaster):
		f.reason, f.brief = waybill.ReasonProgressing, true
	case errors.Is(err, follow.ErrNotServed), errors.Is(err, errOtherScope):
		f.reason, f.looks = waybill.ReasonNotServed, true
	case apierrors.IsForbidden(err):
		f.reason = waybill.ReasonForbidden
		f.message += "; allow it to waybill-controller by a ClusterRole with the label rbac.waybill.dev/aggregate-to-sync"
	}
	var told *untold
	f.waits = errors.As(err, &told) && f.reason != waybill.ReasonNotServed
	return f
}

// settleAll works primaries, some at a time.
func (p *pass) settleAll(ctx context.Context, due []string) {
	slots := make(chan struct{}, p.options.Parallel)
	var all sync.WaitGroup
	for _, key := range due {
		if ctx.Err() != nil {
			break
		}
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			p.conclude(ctx, key, p.settle(ctx, key))
		})
	}
	all.Wait()
}

// conclude notes what is wrong with a primary, and tells it once for as long as it stays the same.
func (p *pass) conclude(ctx context.Context, key string, err error) {
	if ctx.Err() != nil {
		return
	}
	if errors.Is(err, errFaster) {
		p.agenda.after(p.options.FirstRetry, key)
		return
	}
	m := p.memory
	m.mu.Lock()
	before := m.failing[key]
	if err == nil {
		delete(m.failing, key)
		m.mu.Unlock()
		return
	}
	now := trouble{text: oneLine(err.Error()), pause: min(max(2*before.pause, p.options.FirstRetry), p.options.LastRetry)}
	m.failing[key] = now
	m.mu.Unlock()
	p.agenda.after(now.pause, key)
	if now.text == before.text {
		return
	}
	p.options.Log.Info("an object has errors", "publishedresource", p.name, "object", key, "reason", now.text)
	if cluster, id, err := correspond.ParseKey(key); err == nil {
		s := p.server(cluster)
		s.say(p.ready.shelf(cluster, p.ready.remote).get(at{id.Namespace, id.Name}), eventError, p.name+": "+withoutOthers(cluster, now.text))
	}
}

// count tells how many primaries there are, and how they are.
func (p *pass) count() {
	p.memory.mu.Lock()
	failing, detached := len(p.memory.failing), p.memory.detached
	p.memory.mu.Unlock()
	there := 0
	for _, s := range p.workspaces {
		if p.trouble[s.name] == nil {
			there += p.ready.shelf(s.name, p.ready.remote).count()
		}
	}
	p.meters.primaries.WithLabelValues(p.name, "failing").Set(float64(failing))
	p.meters.primaries.WithLabelValues(p.name, "well").Set(float64(max(0, there-failing)))
	p.meters.primaries.WithLabelValues(p.name, "detached").Set(float64(detached))
}

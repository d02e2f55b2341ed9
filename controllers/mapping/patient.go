package mapping

import (
	"context"
	"sync"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mapping"
)

// patient are hooks that are left alone for as long as they ask: whatever makes a pass meanwhile, a hook is
// not asked about a parent again before its time. While one is waited for, others may work.
type patient struct {
	mapping.Hooks
	seat        *seat
	first, last time.Duration // bounds of pauses, where a hook asks for time and does not say how much

	mu    sync.Mutex
	rests map[about]respite
}

// about is what a hook is asked about.
type about struct{ hook, parent string }

// respite is how long a hook is left alone.
type respite struct {
	until time.Time
	pause time.Duration // the last one that the hook did not name
}

func newPatient(h mapping.Hooks, s *seat, o Options) *patient {
	return &patient{Hooks: h, seat: s, first: o.FirstRetry, last: o.LastRetry, rests: map[about]respite{}}
}

// Function implements mapping.Hooks. One that is linked in is work of ours.
func (p *patient) Function(ctx context.Context, hook *waybill.FunctionHook, in *fn.Input) (out *fn.Output, err error) {
	if hook.Name != "" {
		return p.Hooks.Function(ctx, hook, in)
	}
	p.seat.without(func() { out, err = p.Hooks.Function(ctx, hook, in) })
	return out, err
}

// Webhook implements mapping.Hooks.
func (p *patient) Webhook(ctx context.Context, hook *waybill.Webhook, r *mapping.Request) (response *mapping.Response, err error) {
	of := about{r.Hook, r.ParentKey}
	if left := p.left(of); left > 0 {
		return &mapping.Response{RetryAfter: &left}, nil
	}
	p.seat.without(func() { response, err = p.Hooks.Webhook(ctx, hook, r) })
	if err == nil && response != nil && response.RetryAfter != nil {
		left := p.rest(of, *response.RetryAfter)
		response = &mapping.Response{RetryAfter: &left}
	}
	return response, err
}

// left is how long a hook asked to be left alone from now on.
func (p *patient) left(of about) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Until(p.rests[of].until)
}

// rest has a hook left alone for as long as it asks. Where it does not say, each pause is longer than one
// that ended a moment ago.
func (p *patient) rest(of about, asked time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, before := time.Now(), p.rests[of]
	next := respite{until: now.Add(asked)}
	if asked <= 0 {
		if now.Before(before.until) { // another request of the same pass was told so
			return before.until.Sub(now)
		}
		next.pause = p.first
		if before.pause > 0 && now.Sub(before.until) < before.pause+p.first {
			next.pause = min(2*before.pause, p.last)
		}
		next.until = now.Add(next.pause)
	}
	p.rests[of] = next
	return next.until.Sub(now)
}

// waits is how many parents wait for hooks that asked for time, and when the last of them is asked about
// again.
func (p *patient) waits() (parents int, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen, now := map[string]bool{}, time.Now()
	for of, r := range p.rests {
		if now.Before(r.until) {
			seen[of.parent] = true
			if r.until.After(until) {
				until = r.until
			}
		} else if now.Sub(r.until) > p.last {
			delete(p.rests, of)
		}
	}
	return len(seen), until
}

package mapcontroller

import (
	"context"
	"sync"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	mapping "github.com/waybill-dev/waybill/pkg/mapcontroller"
)

// hookBackoff calls hooks, and does not call one about a parent again before the time that it asked for is over,
// whatever causes a pass meanwhile. While a hook is waited for, other workers may use the slot.
type hookBackoff struct {
	mapping.Hooks
	slot        *slot
	first, last time.Duration // bounds of pauses, where a hook asks for time and does not say how much

	mu     sync.Mutex
	pauses map[hookKey]hookPause
}

// hookKey is a hook, and the parent that it is asked about.
type hookKey struct{ hook, parent string }

// hookPause is how long a hook is not called.
type hookPause struct {
	until time.Time
	pause time.Duration // the last one that the hook did not name
}

func newHookBackoff(h mapping.Hooks, s *slot, o Options) *hookBackoff {
	return &hookBackoff{Hooks: h, slot: s, first: o.FirstRetry, last: o.LastRetry, pauses: map[hookKey]hookPause{}}
}

// Function implements mapping.Hooks. One that is linked in is work of ours.
func (b *hookBackoff) Function(ctx context.Context, hook *waybill.FunctionHook, in *fn.Input) (out *fn.Output, err error) {
	if hook.Name != "" {
		return b.Hooks.Function(ctx, hook, in)
	}
	b.slot.without(func() { out, err = b.Hooks.Function(ctx, hook, in) })
	return out, err
}

// Webhook implements mapping.Hooks.
func (b *hookBackoff) Webhook(ctx context.Context, hook *waybill.Webhook, r *mapping.Request) (response *mapping.Response, err error) {
	of := hookKey{r.Hook, r.ParentKey}
	if left := b.remaining(of); left > 0 {
		return &mapping.Response{RetryAfter: &left}, nil
	}
	b.slot.without(func() { response, err = b.Hooks.Webhook(ctx, hook, r) })
	if err == nil && response != nil && response.RetryAfter != nil {
		left := b.startPause(of, *response.RetryAfter)
		response = &mapping.Response{RetryAfter: &left}
	}
	return response, err
}

// remaining is how much of its pause a hook has left.
func (b *hookBackoff) remaining(of hookKey) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return time.Until(b.pauses[of].until)
}

// startPause pauses a hook for as long as it asks. Where it does not say, each pause is longer than one that ended a
// moment ago.
func (b *hookBackoff) startPause(of hookKey, asked time.Duration) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, before := time.Now(), b.pauses[of]
	next := hookPause{until: now.Add(asked)}
	if asked <= 0 {
		if now.Before(before.until) { // another request of the same pass was told so
			return before.until.Sub(now)
		}
		next.pause = b.first
		if before.pause > 0 && now.Sub(before.until) < before.pause+b.first {
			next.pause = min(2*before.pause, b.last)
		}
		next.until = now.Add(next.pause)
	}
	b.pauses[of] = next
	return next.until.Sub(now)
}

// waiting is how many parents wait for hooks that asked for time, and when the last of these pauses ends.
func (b *hookBackoff) waiting() (parents int, until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	seen, now := map[string]bool{}, time.Now()
	for of, r := range b.pauses {
		if now.Before(r.until) {
			seen[of.parent] = true
			if r.until.After(until) {
				until = r.until
			}
		} else if now.Sub(r.until) > b.last {
			delete(b.pauses, of)
		}
	}
	return len(seen), until
}

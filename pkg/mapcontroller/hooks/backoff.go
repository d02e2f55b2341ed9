package hooks

import (
	"context"
	"sync"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
)

// Backoff delays requests to webhooks that answered with status 429: until the time is over, it answers for them. While a
// hook runs, other workers may use the slot.
type Backoff struct {
	mapcontroller.Hooks
	Slot *Slot
	// First and Last limit the delays that a webhook does not specify.
	First, Last time.Duration

	mu     sync.Mutex
	delays map[delayKey]delay
}

// delayKey is a hook and the parent of the request.
type delayKey struct{ hook, parent string }

// delay is how long a hook is not called.
type delay struct {
	until  time.Time
	length time.Duration // 0 if the hook specified it
}

// Function implements mapcontroller.Hooks. A linked function keeps the slot: it uses this process.
func (b *Backoff) Function(ctx context.Context, hook *waybill.FunctionHook, in *fn.Input) (out *fn.Output, err error) {
	if hook.Name != "" {
		return b.Hooks.Function(ctx, hook, in)
	}
	b.Slot.without(func() { out, err = b.Hooks.Function(ctx, hook, in) })
	return out, err
}

// Webhook implements mapcontroller.Hooks.
func (b *Backoff) Webhook(ctx context.Context, hook *waybill.Webhook, r *mapcontroller.Request,
) (response *mapcontroller.Response, err error) {
	key := delayKey{r.Hook, r.ParentKey}
	if left := b.remaining(key); left > 0 {
		return &mapcontroller.Response{RetryAfter: &left}, nil
	}
	b.Slot.without(func() { response, err = b.Hooks.Webhook(ctx, hook, r) })
	if err == nil && response != nil && response.RetryAfter != nil {
		left := b.start(key, *response.RetryAfter)
		response = &mapcontroller.Response{RetryAfter: &left}
	}
	return response, err
}

// remaining is the rest of a delay.
func (b *Backoff) remaining(key delayKey) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return time.Until(b.delays[key].until)
}

// start starts a delay of the requested length. If the hook requests none, the delay is longer than one that ended recently.
func (b *Backoff) start(key delayKey, requested time.Duration) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, before := time.Now(), b.delays[key]
	next := delay{until: now.Add(requested)}
	if requested <= 0 {
		if now.Before(before.until) { // another request of the same pass started it
			return before.until.Sub(now)
		}
		next.length = b.First
		if before.length > 0 && now.Sub(before.until) < before.length+b.First {
			next.length = min(2*before.length, b.Last)
		}
		next.until = now.Add(next.length)
	}
	if b.delays == nil {
		b.delays = map[delayKey]delay{}
	}
	b.delays[key] = next
	return next.until.Sub(now)
}

// Waiting is the number of parents whose hooks are delayed, and when the last of these delays ends.
func (b *Backoff) Waiting() (parents int, until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	waiting, now := map[string]bool{}, time.Now()
	for key, d := range b.delays {
		if now.Before(d.until) {
			waiting[key.parent] = true
			if d.until.After(until) {
				until = d.until
			}
		} else if now.Sub(d.until) > b.Last {
			delete(b.delays, key)
		}
	}
	return len(waiting), until
}

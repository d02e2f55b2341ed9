package pusher

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/pusher/inventory"
	backendinventory "github.com/waybill-dev/waybill/pkg/backend/inventory"
)

// passes make the backend what the cluster says, one after the other.
type passes struct {
	*controller
	known      client.Reader // of the cache
	store      *inventory.Store
	connection *connection // nil: none was made yet

	stuck    map[string]stuck  // Translations that are wrong for good, by namespace/name
	later    map[string]later  // Translations that are tried again after a while, by namespace/name
	said     map[string]string // the last warning about each
	released map[string]bool   // Translations whose finalizer was taken away, by uid
	pause    time.Duration     // before the next try of what is not about one Translation
	trouble  string            // what kept the last pass from its end
}

// run makes one pass, and says when to make the next.
func (p *passes) run(ctx context.Context) verdict {
	v, err := p.once(ctx)
	switch text := fmt.Sprint(err); {
	case err == nil:
		p.trouble = ""
	case ctx.Err() != nil:
	case text != p.trouble:
		p.options.Log.Info("not everything could be done; it is tried again", "reason", text)
		p.trouble = text
	}
	if errors.Is(err, errEmpty) {
		return verdict{after: -1}
	}
	if err != nil && v.after <= 0 {
		v.after = p.grow()
	}
	v.firm = v.firm || err != nil
	return v
}

// grow is the pause before what failed is tried again; the next one is longer.
func (p *passes) grow() time.Duration {
	p.pause = min(max(2*p.pause, p.options.FirstRetry), p.options.LastRetry)
	return p.pause
}

// once looks, plans, applies and tells.
func (p *passes) once(ctx context.Context) (v verdict, err error) {
	if err := p.connect(ctx); err != nil {
		return v, err
	}
	seen, err := p.look(ctx)
	if err != nil {
		return v, err
	}
	was, err := p.store.Load(ctx)
	if err != nil {
		return v, err
	}
	gone, err := p.vanished(ctx, seen, recorded(was))
	if err != nil {
		return v, err
	}
	if len(seen) == 0 && slices.Contains(slices.Collect(maps.Values(gone)), false) && !p.options.AllowEmpty {
		return v, errEmpty
	}
	w := &work{passes: p, began: time.Now(), seen: seen, gone: gone, held: map[string]bool{}, tallies: map[string]*tally{}}
	if err := w.apply(ctx, was); err != nil {
		return w.verdict(), err
	}
	now, err := p.store.Load(ctx)
	if err != nil {
		return w.verdict(), err
	}
	p.meters.records.Set(float64(now.Len()))
	w.release(ctx, now)
	w.count()
	return w.verdict(), p.store.Tidy(ctx)
}

// recorded are the Translations that an inventory knows, sorted.
func recorded(i *backendinventory.Inventory) []string {
	keys := map[string]bool{}
	for _, r := range i.Records() {
		keys[r.Translation] = true
	}
	return slices.Sorted(maps.Keys(keys))
}

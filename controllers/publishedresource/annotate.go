package publishedresource

import (
	"context"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
)

// annotate writes into primaries which objects are related to them.
func (l *primary) annotate(ctx context.Context, r *apisync.Round) (bool, error) {
	for _, n := range r.AnnotationWrites {
		c := l.prepared.cache(l.server.Name, l.prepared.remote)
		now := c.Get(live.KeyOf(n.Object))
		if now == nil {
			continue
		}
		annotations := map[string]any{}
		for name, text := range n.Set {
			annotations[name] = text
		}
		for _, name := range n.Remove {
			annotations[name] = nil
		}
		end := c.BeginWrite(live.KeyOf(now))
		answer, err := live.PatchMetadata(ctx, c.Server.Client(c.Resource, now.Namespace()), now, map[string]any{"annotations": annotations})
		end(answer, l.pass.worker)
		l.pass.metrics.operation(l.pass.worker.name, actionNotice, err)
		if err != nil {
			return true, l.describe("annotate "+n.Ref.String(), n.Ref.ID, err)
		}
	}
	return len(r.AnnotationWrites) > 0, nil
}

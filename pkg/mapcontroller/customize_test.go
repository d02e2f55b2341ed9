package mapcontroller_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// barrier is a customize hook that fails once enough calls wait at the same time.
type barrier struct {
	mapcontroller.Hooks
	most int
	all  chan struct{}

	mu    sync.Mutex
	there int
}

func (*barrier) Check(*waybill.MapHook) error { return nil }

func (g *barrier) Webhook(ctx context.Context, _ *waybill.Webhook, _ *mapcontroller.Request) (*mapcontroller.Response, error) {
	g.mu.Lock()
	if g.there++; g.there == g.most {
		close(g.all)
	}
	g.mu.Unlock()
	select {
	case <-g.all:
		return nil, errors.New("no")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestCustomizeHooksRunInParallel(t *testing.T) {
	items := read(t, "")
	var want []string
	for i := range 12 {
		items = append(items, read(t, fmt.Sprintf("{apiVersion: example.org/v1, kind: Policy, metadata: {name: p%02d, namespace: n}}", i))...)
		want = append(want, fmt.Sprintf("map(example.org/Policy/n/p%02d): hook customize: no", i))
	}
	slices.Reverse(items)
	types, errs := workload.TypesOf(items)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	hooks := &barrier{most: 4, all: make(chan struct{})}
	c, err := mapcontroller.New(read(t, fmt.Sprintf(liveConfig, "", "customize: {webhook: {url: 'http://h'}}"))[0], types, hooks)
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Run(t.Context(), mapcontroller.Snapshot{Items: items, Live: true, Parallel: 4})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range p.Results {
		got = append(got, r.Message)
	}
	if diff := cmp.Diff(want, got); diff != "" || hooks.there != 12 {
		t.Errorf("four calls run at a time, and their answers apply in order; %d ran (-want +got):\n%s", hooks.there, diff)
	}
}

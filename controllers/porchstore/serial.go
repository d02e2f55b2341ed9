package porchstore

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// serial is a client that makes one request at a time. Each request has Porch fetch a repository, beside what other requests do with its
// clone of it: what they read may be a part of what is there. Porch makes one request after another wait for the clone, so that nothing is
// lost by that.
type serial struct {
	client.Client
	turn chan struct{}
}

func newSerial(c client.Client) client.Client { return serial{c, make(chan struct{}, 1)} }

// do makes a request when it is its turn.
func (c serial) do(ctx context.Context, request func(ctx context.Context) error) error {
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-c.turn }()
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	return request(ctx)
}

func (c serial) Get(ctx context.Context, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
	return c.do(ctx, func(ctx context.Context) error { return c.Client.Get(ctx, key, o, opts...) })
}

func (c serial) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	return c.do(ctx, func(ctx context.Context) error { return c.Client.List(ctx, list, opts...) })
}

func (c serial) Create(ctx context.Context, o client.Object, opts ...client.CreateOption) error {
	return c.do(ctx, func(ctx context.Context) error { return c.Client.Create(ctx, o, opts...) })
}

func (c serial) Update(ctx context.Context, o client.Object, opts ...client.UpdateOption) error {
	return c.do(ctx, func(ctx context.Context) error { return c.Client.Update(ctx, o, opts...) })
}

func (c serial) Patch(ctx context.Context, o client.Object, patch client.Patch, opts ...client.PatchOption) error {
	return c.do(ctx, func(ctx context.Context) error { return c.Client.Patch(ctx, o, patch, opts...) })
}

func (c serial) Delete(ctx context.Context, o client.Object, opts ...client.DeleteOption) error {
	return c.do(ctx, func(ctx context.Context) error { return c.Client.Delete(ctx, o, opts...) })
}

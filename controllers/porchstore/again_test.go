package porchstore_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/porchstore"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// failing is a client whose first requests to create fail, though the request may have been carried out.
type failing struct {
	client.Client
	left    int
	request func(ctx context.Context, o client.Object) error
	running atomic.Int32
	most    atomic.Int32
}

func (c *failing) Create(ctx context.Context, o client.Object, opts ...client.CreateOption) error {
	c.most.Store(max(c.most.Load(), c.running.Add(1)))
	defer c.running.Add(-1)
	if c.left--; c.left < 0 {
		return c.Client.Create(ctx, o, opts...)
	}
	if err := c.request(ctx, o.DeepCopyObject().(client.Object)); err != nil {
		return err
	}
	return apierrors.NewInternalError(errors.New("failed to fetch remote repository: ref file is empty"))
}

// TestDraftAfterErrors: an error of Porch that passes leaves one draft with the content and metadata that were asked for, whether or not
// Porch made the draft before it failed, and stored its metadata. An error that stays is reported.
func TestDraftAfterErrors(t *testing.T) {
	f := start(t, readSeldom)
	make := func(ctx context.Context, o client.Object) error { return f.client.Create(ctx, o) }
	for pkg, tc := range map[string]struct {
		failures int
		request  func(context.Context, client.Object) error
		fails    bool
	}{
		"nothing-made": {2, func(context.Context, client.Object) error { return nil }, false},
		"made":         {1, make, false},
		"made-bare": {1, func(ctx context.Context, o client.Object) error {
			o.SetLabels(nil)
			o.SetAnnotations(nil)
			return make(ctx, o)
		}, false},
		"for-good": {1000, func(context.Context, client.Object) error { return nil }, true},
	} {
		t.Run(pkg, func(t *testing.T) {
			c := &failing{Client: f.client, left: tc.failures, request: tc.request}
			_, s, err := porchstore.Open(t.Context(), f.object, porchstore.Options{Client: c, Objects: f.client})
			if err != nil {
				t.Fatal(err)
			}
			made, err := s.CreateDraft(t.Context(), f.request(t, pkg))
			if tc.fails {
				if err == nil || c.left < 900 {
					t.Errorf("want an error after some requests, got %v after %d", err, tc.failures-c.left)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			seen := listed(t, f.open(t))[made.Name]
			if seen.Owner != made.Owner || seen.Foreign || seen.Trailers.Get(revision.TrailerSet) != "default/edge" {
				t.Errorf("the draft is its owner's: %+v", seen)
			}
			if content, err := s.Content(made); err != nil || !content.Equal(f.content(t)) {
				t.Errorf("the draft holds %v, %v", content, err)
			}
		})
	}
}

// TestOneAtATime: a store makes one request at a time, however many drafts are asked for at once.
func TestOneAtATime(t *testing.T) {
	f := start(t, readSeldom)
	c := &failing{Client: f.client}
	_, s, err := porchstore.Open(t.Context(), f.object, porchstore.Options{Client: c, Objects: f.client})
	if err != nil {
		t.Fatal(err)
	}
	errs := make(chan error)
	packages := []string{"one", "two", "three", "four"}
	for _, pkg := range packages {
		go func() {
			_, err := s.CreateDraft(t.Context(), f.request(t, pkg))
			errs <- err
		}()
	}
	for range packages {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if most := c.most.Load(); most != 1 {
		t.Errorf("%d requests at a time", most)
	}
}

package inventory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// takeOver makes this Store the owner of the inventory: the previous owner can write no more.
func (s *Store) takeOver(ctx context.Context) (o *owned, err error) {
	const attempts = 20
	for range attempts {
		if o, err = s.takeOverOnce(ctx); err == nil || !apierrors.IsConflict(err) && !apierrors.IsAlreadyExists(err) || ctx.Err() != nil {
			return o, err
		}
	}
	return nil, err
}

func (s *Store) takeOverOnce(ctx context.Context) (*owned, error) {
	o := &owned{pages: map[int64]page{}}
	epoch, err := s.takeHead(ctx, o)
	if err == nil {
		err = s.takePages(ctx, o, epoch)
	}
	if err == nil {
		err = s.replayJournals(ctx, o)
	}
	if err == nil {
		err = s.checkHead(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	o.state, err = o.assemble(s.name.Name)
	return o, err
}

// takeHead writes a new epoch into the head; it creates the head if there is none.
func (s *Store) takeHead(ctx context.Context, o *owned) (epoch int64, err error) {
	o.head = s.newObject(s.name.Name)
	err = s.client.Get(ctx, s.name, o.head)
	switch {
	case apierrors.IsNotFound(err) && !isKindMissing(err):
		o.head = s.newObject(s.name.Name)
		setAnnotation(o.head, epochKey, 1)
		setAnnotation(o.head, lastPageKey, 0)
		return 1, s.client.Create(ctx, o.head)
	case err != nil:
		return 0, err
	case o.head.Spec.Backend != s.backend:
		return 0, fmt.Errorf("it is one of backend %q, not of %q", o.head.Spec.Backend, s.backend)
	}
	if _, err = annotation(o.head, lastPageKey); err != nil {
		return 0, err
	}
	if epoch, err = annotation(o.head, epochKey); err != nil {
		return 0, err
	}
	epoch++
	setAnnotation(o.head, epochKey, epoch)
	return epoch, s.client.Update(ctx, o.head)
}

// takePages writes the epoch into every page. It creates the last one if the previous owner did not get to it.
func (s *Store) takePages(ctx context.Context, o *owned, epoch int64) error {
	const limit = 100
	options := []client.ListOption{client.InNamespace(s.name.Namespace), client.MatchingLabels{label: s.name.Name}, client.Limit(limit)}
	for next := ""; ; {
		found := &waybill.BackendInventoryList{}
		if err := s.client.List(ctx, found, append(slices.Clone(options), client.Continue(next))...); err != nil {
			return err
		}
		for i := range found.Items {
			if err := s.takePage(ctx, o, page{&found.Items[i]}, epoch); err != nil {
				return err
			}
		}
		if next = found.Continue; next == "" {
			break
		}
	}
	if _, is := o.pages[o.lastPage()]; !is {
		return s.createPage(ctx, o, o.lastPage(), epoch)
	}
	return nil
}

func (s *Store) takePage(ctx context.Context, o *owned, p page, epoch int64) error {
	n, err1 := s.pageNumber(p.BackendInventory)
	wrote, err2 := annotation(p.BackendInventory, sequenceKey)
	if err := cmp.Or(err1, err2); err != nil {
		return err
	}
	for _, r := range p.Spec.Resources {
		if pageOf(r.Number) != n {
			return fmt.Errorf("BackendInventory %q has number %d, which is not one of its own", p.Name, r.Number)
		}
	}
	setAnnotation(p.BackendInventory, epochKey, epoch)
	if err := s.client.Update(ctx, p.BackendInventory); err != nil {
		return err
	}
	o.sequence = max(o.sequence, wrote)
	o.pages[n] = p
	return nil
}

// checkHead makes sure that no other process has begun to take over meanwhile: from before the head was read,
// it cannot have added pages that are not known here.
func (s *Store) checkHead(ctx context.Context, o *owned) error {
	now := s.newObject(s.name.Name)
	if err := s.client.Get(ctx, s.name, now); err != nil {
		return err
	}
	if now.ResourceVersion != o.head.ResourceVersion {
		return apierrors.NewConflict(waybill.GroupVersion.WithResource("backendinventories").GroupResource(), s.name.Name, ErrLost)
	}
	return nil
}

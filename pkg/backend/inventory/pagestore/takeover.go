package pagestore

import (
	"cmp"
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// takeOver makes this Store the owner of the inventory: the previous owner can no longer write.
func (s *Store) takeOver(ctx context.Context) (o *owned, err error) {
	const attempts = 20
	for range attempts {
		if o, err = s.takeOverOnce(ctx); err == nil || !apierrors.IsConflict(err) && !apierrors.IsAlreadyExists(err) || ctx.Err() != nil {
			return o, err
		}
	}
	return nil, err
}

func (s *Store) takeOverOnce(ctx context.Context) (_ *owned, err error) {
	o := &owned{pages: map[int64]page{}}
	for _, step := range []func(context.Context, *owned) error{s.takeHead, s.takePages, s.replayJournals, s.checkHead} {
		if err := step(ctx, o); err != nil {
			return nil, err
		}
	}
	o.state, err = o.inventory()
	return o, err
}

// takeHead writes a new epoch into the head; it creates the head if it is missing.
func (s *Store) takeHead(ctx context.Context, o *owned) (err error) {
	o.head, err = s.objects.Get(ctx, s.name)
	switch {
	case isObjectMissing(err):
		o.head, o.epoch = s.newObject(s.name.Name), 1
		setNumber(o.head, epochKey, o.epoch)
		setNumber(o.head, lastPageKey, 0)
		return s.objects.Create(ctx, o.head)
	case err != nil:
		return err
	case o.head.Spec.Backend != s.backend:
		return fmt.Errorf("it is the inventory of backend %q, not of %q", o.head.Spec.Backend, s.backend)
	}
	if o.lastPage, err = numberIn(o.head, lastPageKey); err != nil {
		return err
	}
	if o.epoch, err = numberIn(o.head, epochKey); err != nil {
		return err
	}
	o.epoch++
	setNumber(o.head, epochKey, o.epoch)
	return s.objects.Update(ctx, o.head)
}

// takePages writes the epoch into every page. It creates the last one if the previous owner did not.
func (s *Store) takePages(ctx context.Context, o *owned) error {
	found, err := s.objects.List(ctx, s.name.Namespace, label, s.name.Name)
	if err != nil {
		return err
	}
	for i := range found {
		if err := s.takePage(ctx, o, page{&found[i]}); err != nil {
			return err
		}
	}
	if _, is := o.pages[o.lastPage]; !is {
		return s.createPage(ctx, o, o.lastPage)
	}
	return nil
}

func (s *Store) takePage(ctx context.Context, o *owned, p page) error {
	n, errName := s.pageNumber(p.BackendInventory)
	sequence, errSequence := numberIn(p.BackendInventory, sequenceKey)
	if err := cmp.Or(errName, errSequence); err != nil {
		return err
	}
	for _, r := range p.Spec.Resources {
		if pageOf(r.Number) != n {
			return fmt.Errorf("BackendInventory %q holds record %d, which belongs on another page", p.Name, r.Number)
		}
	}
	setNumber(p.BackendInventory, epochKey, o.epoch)
	o.sequence = max(o.sequence, sequence)
	return s.updatePage(ctx, o, n, p)
}

// replayJournals writes what interrupted saves should have written.
func (s *Store) replayJournals(ctx context.Context, o *owned) error {
	for _, n := range o.pageNumbers() {
		j, err := o.pages[n].journal()
		if err != nil {
			return err
		}
		if err := s.replay(ctx, o, n, j); err != nil {
			return err
		}
	}
	return nil
}

// replay writes the journal of a page to the pages that were saved earlier than that page. Their own journals are older, so
// they have been replayed.
func (s *Store) replay(ctx context.Context, o *owned, from int64, j journal) error {
	saved, _ := numberIn(o.pages[from].BackendInventory, sequenceKey) // takePage has checked it
	for _, n := range j.Pages {
		p, is := o.pages[n]
		if !is {
			return fmt.Errorf("page %d is missing, but the journal of page %d names it", n, from)
		}
		if wrote, _ := numberIn(p.BackendInventory, sequenceKey); wrote >= saved {
			continue
		}
		if err := s.updatePage(ctx, o, n, p.with(n, j.Change, saved)); err != nil {
			return err
		}
	}
	return nil
}

// checkHead makes sure that no other process has begun to take over meanwhile: from before the head was read, it cannot have
// added pages that are not known here.
func (s *Store) checkHead(ctx context.Context, o *owned) error {
	now, err := s.objects.Get(ctx, s.name)
	if err != nil {
		return err
	}
	if now.ResourceVersion != o.head.ResourceVersion {
		return apierrors.NewConflict(waybill.GroupVersion.WithResource("backendinventories").GroupResource(), s.name.Name, ErrLost)
	}
	return nil
}

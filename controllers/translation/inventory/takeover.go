package inventory

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// takeOver makes the inventory this Store's: whoever had it can write no more.
func (s *Store) takeOver(ctx context.Context) (*held, error) {
	const tries = 20
	var err error
	for range tries {
		var h *held
		if h, err = s.tryTakeOver(ctx); err == nil {
			return h, nil
		}
		if !apierrors.IsConflict(err) && !apierrors.IsAlreadyExists(err) || ctx.Err() != nil {
			return nil, err
		}
	}
	return nil, err
}

func (s *Store) tryTakeOver(ctx context.Context) (*held, error) {
	h := &held{pages: map[int64]*page{}}
	at, err := s.takeHead(ctx, h)
	if err == nil {
		err = s.takePages(ctx, h, at)
	}
	if err == nil {
		err = s.complete(ctx, h)
	}
	if err == nil {
		err = s.stillOurs(ctx, h)
	}
	if err != nil {
		return nil, err
	}
	h.state, err = h.assemble(s.at.Name)
	return h, err
}

// takeHead writes a new epoch into the head, which is created if there is none.
func (s *Store) takeHead(ctx context.Context, h *held) (at int64, err error) {
	h.head = s.empty(s.at.Name)
	err = s.objects.Get(ctx, s.at, h.head)
	switch {
	case apierrors.IsNotFound(err) && !isKindMissing(err):
		h.head = s.empty(s.at.Name)
		say(h.head, epoch, 1)
		say(h.head, lastPage, 0)
		return 1, s.objects.Create(ctx, h.head)
	case err != nil:
		return 0, err
	case h.head.Spec.Backend != s.backend:
		return 0, fmt.Errorf("it is one of backend %q, not of %q", h.head.Spec.Backend, s.backend)
	}
	if _, err = number(h.head, lastPage); err != nil {
		return 0, err
	}
	if at, err = number(h.head, epoch); err != nil {
		return 0, err
	}
	at++
	say(h.head, epoch, at)
	return at, s.objects.Update(ctx, h.head)
}

// takePages writes the epoch into every page, and adds the last one if who wanted to did not come to it.
func (s *Store) takePages(ctx context.Context, h *held, at int64) error {
	const some = 100
	options := []client.ListOption{client.InNamespace(s.at.Namespace), client.MatchingLabels{label: s.at.Name}, client.Limit(some)}
	for next := ""; ; {
		found := &waybill.BackendInventoryList{}
		if err := s.objects.List(ctx, found, append(slices.Clone(options), client.Continue(next))...); err != nil {
			return err
		}
		for i := range found.Items {
			if err := s.takePage(ctx, h, &found.Items[i], at); err != nil {
				return err
			}
		}
		if next = found.Continue; next == "" {
			break
		}
	}
	if n := h.last(); h.pages[n] == nil {
		o := s.emptyPage(n, at)
		if err := s.objects.Create(ctx, o); err != nil {
			return err
		}
		h.pages[n] = &page{o}
	}
	return nil
}

func (s *Store) takePage(ctx context.Context, h *held, o *waybill.BackendInventory, at int64) error {
	n, err := s.pageNumber(o)
	if err != nil {
		return err
	}
	wrote, err := number(o, sequence)
	if err != nil {
		return err
	}
	for _, r := range o.Spec.Resources {
		if pageOf(r.Number) != n {
			return fmt.Errorf("BackendInventory %q has number %d, which is not one of its own", o.Name, r.Number)
		}
	}
	say(o, epoch, at)
	if err := s.objects.Update(ctx, o); err != nil {
		return err
	}
	h.sequence = max(h.sequence, wrote)
	h.pages[n] = &page{o}
	return nil
}

// stillOurs makes sure that nobody has begun to take over meanwhile: from before the head was read, nobody
// can have added pages that are not known here.
func (s *Store) stillOurs(ctx context.Context, h *held) error {
	now := s.empty(s.at.Name)
	if err := s.objects.Get(ctx, s.at, now); err != nil {
		return err
	}
	if now.ResourceVersion != h.head.ResourceVersion {
		return apierrors.NewConflict(waybill.GroupVersion.WithResource("backendinventories").GroupResource(), s.at.Name, ErrLost)
	}
	return nil
}

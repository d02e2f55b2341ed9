package inventory

import (
	"context"
	"fmt"
)

// complete writes what a save should have written that did not come to its end.
func (s *Store) complete(ctx context.Context, h *held) error {
	for _, n := range sortedKeys(h.pages) {
		e, err := entryOf(h.pages[n].object)
		if err != nil {
			return err
		}
		if e == nil {
			continue
		}
		saved, err := number(h.pages[n].object, sequence)
		if err != nil {
			return err
		}
		if err := s.completeOne(ctx, h, e, saved); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) completeOne(ctx context.Context, h *held, e *entry, saved int64) error {
	for _, n := range e.Pages {
		p := h.pages[n]
		if p == nil {
			return fmt.Errorf("page %d: %w", n, errDamaged)
		}
		wrote, err := number(p.object, sequence)
		if err != nil {
			return err
		}
		if wrote >= saved {
			continue
		}
		o := p.with(n, e.Change)
		say(o, sequence, saved)
		delete(o.Annotations, journal) // it is older, and so was made good before
		if err := s.objects.Update(ctx, o); err != nil {
			return err
		}
		p.object = o
	}
	return nil
}

package inventory

import (
	"context"
	"fmt"
)

// replayJournals writes what saves that did not come to their end should have written.
func (s *Store) replayJournals(ctx context.Context, o *owned) error {
	for _, n := range sortedKeys(o.pages) {
		j, err := o.pages[n].journal()
		if err != nil {
			return err
		}
		if j == nil {
			continue
		}
		saved, err := annotation(o.pages[n].BackendInventory, sequenceKey)
		if err != nil {
			return err
		}
		if err := s.replay(ctx, o, j, saved); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) replay(ctx context.Context, o *owned, j *journal, saved int64) error {
	for _, n := range j.Pages {
		p, is := o.pages[n]
		if !is {
			return fmt.Errorf("page %d: %w", n, errDamaged)
		}
		wrote, err := annotation(p.BackendInventory, sequenceKey)
		if err != nil {
			return err
		}
		if wrote >= saved {
			continue
		}
		after := p.with(n, j.Change)
		setAnnotation(after.BackendInventory, sequenceKey, saved)
		delete(after.Annotations, journalKey) // it is older, so it has been replayed
		if err := s.client.Update(ctx, after.BackendInventory); err != nil {
			return err
		}
		o.pages[n] = after
	}
	return nil
}

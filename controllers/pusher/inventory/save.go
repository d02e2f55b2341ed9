package inventory

import (
	"context"
	"encoding/json"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
)

// save writes the pages that a change is about.
//
// Records that are put in the place of what they were are written first, page by page: each of them is true
// by itself. The rest belongs together: a number that comes may stand for one that goes.
func (s *Store) save(ctx context.Context, h *held, c inventory.Change) error {
	if err := s.saveURL(ctx, h, c.URL); err != nil {
		return err
	}
	together, alone := h.divide(c)
	if err := s.addPages(ctx, h, append(slices.Clone(together), alone...)); err != nil {
		return err
	}
	h.sequence++
	for _, n := range alone {
		if err := s.write(ctx, h, n, h.pages[n].with(n, c), nil); err != nil {
			return err
		}
	}
	for i, n := range together {
		var others *entry
		if i == 0 && len(together) > 1 {
			others = &entry{together[1:], h.critical(c)}
		}
		if err := s.write(ctx, h, n, h.pages[n].with(n, c), others); err != nil {
			return err
		}
	}
	return nil
}

// saveURL writes into the head at which address the backend is.
func (s *Store) saveURL(ctx context.Context, h *held, url string) error {
	if url == "" || url == h.head.Spec.URL {
		return nil
	}
	head := h.head.DeepCopy()
	head.Spec.URL = url
	if err := s.objects.Update(ctx, head); err != nil {
		return err
	}
	h.head = head
	return nil
}

// divide finds the pages of what a change takes away and adds, and the other pages that it is about.
func (h *held) divide(c inventory.Change) (together, alone []int64) {
	critical, all := map[int64]bool{}, map[int64]bool{}
	for _, n := range c.Remove {
		if p := h.pages[pageOf(n)]; p != nil && p.has(n) {
			critical[pageOf(n)] = true
		}
	}
	for _, r := range c.Put {
		all[pageOf(r.Number)] = true
		if p := h.pages[pageOf(r.Number)]; p == nil || !p.has(r.Number) {
			critical[pageOf(r.Number)] = true
		}
	}
	for _, n := range sortedKeys(all) {
		if !critical[n] {
			alone = append(alone, n)
		}
	}
	return sortedKeys(critical), alone
}

// critical is what of a change belongs together.
func (h *held) critical(c inventory.Change) inventory.Change {
	out := inventory.Change{Next: c.Next, Remove: c.Remove}
	for _, r := range c.Put {
		if p := h.pages[pageOf(r.Number)]; !p.has(r.Number) {
			out.Put = append(out.Put, r)
		}
	}
	return out
}

func (p *page) has(number int64) bool {
	return slices.ContainsFunc(p.object.Spec.Resources, func(r waybill.BackendRecord) bool { return r.Number == number })
}

// addPages creates the pages that are not there, each after the head says so.
func (s *Store) addPages(ctx context.Context, h *held, wanted []int64) error {
	slices.Sort(wanted)
	for _, n := range wanted {
		if h.pages[n] != nil {
			continue
		}
		if n > h.last() {
			head := h.head.DeepCopy()
			say(head, lastPage, n)
			if err := s.objects.Update(ctx, head); err != nil {
				return err
			}
			h.head = head
		}
		at, err := number(h.head, epoch)
		if err != nil {
			return err
		}
		o := s.emptyPage(n, at)
		if err := s.objects.Create(ctx, o); err != nil {
			return err
		}
		h.pages[n] = &page{o}
	}
	return nil
}

// write writes a page on condition that nobody else has, with what belongs on others.
func (s *Store) write(ctx context.Context, h *held, n int64, o *waybill.BackendInventory, others *entry) error {
	say(o, sequence, h.sequence)
	delete(o.Annotations, journal)
	if others != nil {
		text, err := json.Marshal(others)
		if err != nil {
			return err
		}
		o.Annotations[journal] = string(text)
	}
	if err := s.objects.Update(ctx, o); err != nil {
		return err
	}
	h.pages[n].object = o
	return nil
}

// tidyFrom is the number of pages without records from which they are removed.
const tidyFrom = 16

// tidy removes pages without records, after nothing speaks of them any more. The last page stays: only it
// may be missing because who wanted to add it did not come to it.
func (s *Store) tidy(ctx context.Context, h *held) error {
	var empty []int64
	for n, p := range h.pages {
		if len(p.object.Spec.Resources) == 0 && n != h.last() {
			empty = append(empty, n)
		}
	}
	if len(empty) < tidyFrom {
		return nil
	}
	for _, n := range sortedKeys(h.pages) {
		if _, speaks := h.pages[n].object.Annotations[journal]; speaks {
			o := h.pages[n].object.DeepCopy()
			delete(o.Annotations, journal)
			if err := s.objects.Update(ctx, o); err != nil {
				return err
			}
			h.pages[n].object = o
		}
	}
	slices.Sort(empty)
	for _, n := range empty {
		o := h.pages[n].object
		if err := s.objects.Delete(ctx, o, client.Preconditions{UID: &o.UID, ResourceVersion: &o.ResourceVersion}); err != nil {
			return err
		}
		delete(h.pages, n)
	}
	return nil
}

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
// Pages where records are only replaced are written first, one by one: each record is true by itself. The others
// belong together: a record that is added may replace one that is removed.
func (s *Store) save(ctx context.Context, o *owned, c inventory.Change) error {
	if err := s.saveURL(ctx, o, c.URL); err != nil {
		return err
	}
	together, independent := o.divide(c)
	if err := s.addPages(ctx, o, append(slices.Clone(together), independent...)); err != nil {
		return err
	}
	o.sequence++
	for _, n := range independent {
		if err := s.writePage(ctx, o, n, c, nil); err != nil {
			return err
		}
	}
	for i, n := range together {
		var j *journal
		if i == 0 && len(together) > 1 {
			j = &journal{together[1:], o.addedAndRemoved(c)}
		}
		if err := s.writePage(ctx, o, n, c, j); err != nil {
			return err
		}
	}
	return nil
}

// saveURL writes the address of the backend into the head.
func (s *Store) saveURL(ctx context.Context, o *owned, url string) error {
	if url == "" || url == o.head.Spec.URL {
		return nil
	}
	return s.updateHead(ctx, o, func(head *waybill.BackendInventory) { head.Spec.URL = url })
}

func (s *Store) updateHead(ctx context.Context, o *owned, change func(*waybill.BackendInventory)) error {
	head := o.head.DeepCopy()
	change(head)
	if err := s.client.Update(ctx, head); err != nil {
		return err
	}
	o.head = head
	return nil
}

// divide returns the pages where a change adds or removes records, and the others that it is about.
func (o *owned) divide(c inventory.Change) (together, independent []int64) {
	added, all := map[int64]bool{}, map[int64]bool{}
	for _, n := range c.Remove {
		if o.has(n) {
			added[pageOf(n)] = true
		}
	}
	for _, r := range c.Put {
		all[pageOf(r.Number)] = true
		if !o.has(r.Number) {
			added[pageOf(r.Number)] = true
		}
	}
	for _, n := range sortedKeys(all) {
		if !added[n] {
			independent = append(independent, n)
		}
	}
	return sortedKeys(added), independent
}

func (o *owned) has(number int64) bool {
	p, is := o.pages[pageOf(number)]
	return is && p.has(number)
}

// addedAndRemoved is a change without the records that are only replaced.
func (o *owned) addedAndRemoved(c inventory.Change) inventory.Change {
	out := inventory.Change{Next: c.Next, Remove: c.Remove}
	for _, r := range c.Put {
		if !o.has(r.Number) {
			out.Put = append(out.Put, r)
		}
	}
	return out
}

// addPages creates the pages that do not exist, each after the head names it.
func (s *Store) addPages(ctx context.Context, o *owned, wanted []int64) error {
	slices.Sort(wanted)
	for _, n := range wanted {
		if _, is := o.pages[n]; is {
			continue
		}
		if n > o.lastPage() {
			if err := s.updateHead(ctx, o, func(head *waybill.BackendInventory) { setAnnotation(head, lastPageKey, n) }); err != nil {
				return err
			}
		}
		epoch, err := annotation(o.head, epochKey)
		if err != nil {
			return err
		}
		if err := s.createPage(ctx, o, n, epoch); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) createPage(ctx context.Context, o *owned, n, epoch int64) error {
	p := s.newPage(n, epoch)
	if err := s.client.Create(ctx, p.BackendInventory); err != nil {
		return err
	}
	o.pages[n] = p
	return nil
}

// writePage writes a page after a change, with a journal about others or without.
func (s *Store) writePage(ctx context.Context, o *owned, n int64, c inventory.Change, j *journal) error {
	p := o.pages[n].with(n, c)
	setAnnotation(p.BackendInventory, sequenceKey, o.sequence)
	delete(p.Annotations, journalKey)
	if j != nil {
		text, err := json.Marshal(j)
		if err != nil {
			return err
		}
		p.Annotations[journalKey] = string(text)
	}
	if err := s.client.Update(ctx, p.BackendInventory); err != nil {
		return err
	}
	o.pages[n] = p
	return nil
}

// minEmptyPages is the number of pages without records from which they are deleted.
const minEmptyPages = 16

// deleteEmptyPages deletes pages without records, after all journals, which may name them. The last page stays:
// if it is missing, takePages takes it for one whose creation did not come to its end.
func (s *Store) deleteEmptyPages(ctx context.Context, o *owned) error {
	var empty []int64
	for _, n := range sortedKeys(o.pages) {
		if len(o.pages[n].Spec.Resources) == 0 && n != o.lastPage() {
			empty = append(empty, n)
		}
	}
	if len(empty) < minEmptyPages {
		return nil
	}
	for _, n := range sortedKeys(o.pages) {
		if _, has := o.pages[n].Annotations[journalKey]; has {
			p := page{o.pages[n].DeepCopy()}
			delete(p.Annotations, journalKey)
			if err := s.client.Update(ctx, p.BackendInventory); err != nil {
				return err
			}
			o.pages[n] = p
		}
	}
	for _, n := range empty {
		p := o.pages[n]
		if err := s.client.Delete(ctx, p.BackendInventory, client.Preconditions{UID: &p.UID, ResourceVersion: &p.ResourceVersion}); err != nil {
			return err
		}
		delete(o.pages, n)
	}
	return nil
}

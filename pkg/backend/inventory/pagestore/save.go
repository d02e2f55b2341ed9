package pagestore

import (
	"context"
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
)

// save writes the pages that a change is about.
//
// Pages where records are only replaced are written first, one by one: each record is true by itself. The others belong
// together, as a record that is added may replace one that is removed.
func (s *Store) save(ctx context.Context, o *owned, c inventory.Change) error {
	if c.URL != "" && c.URL != o.head.Spec.URL {
		if err := s.updateHead(ctx, o, func(head *waybill.BackendInventory) { head.Spec.URL = c.URL }); err != nil {
			return err
		}
	}
	together, independent := o.divide(c)
	if err := s.addPages(ctx, o, slices.Concat(together, independent)); err != nil {
		return err
	}
	o.sequence++
	first := len(independent) // of those that belong together
	for i, n := range slices.Concat(independent, together) {
		p := o.pages[n].with(n, c, o.sequence)
		if i == first && len(together) > 1 {
			text, err := json.Marshal(journal{together[1:], o.addedAndRemoved(c)})
			if err != nil {
				return err
			}
			p.Annotations[journalKey] = string(text)
		}
		if err := s.updatePage(ctx, o, n, p); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) updateHead(ctx context.Context, o *owned, change func(*waybill.BackendInventory)) error {
	head := o.head.DeepCopy()
	change(head)
	if err := s.objects.Update(ctx, head); err != nil {
		return err
	}
	o.head = head
	return nil
}

// divide returns the pages where a change adds or removes records, and the others that it is about.
func (o *owned) divide(c inventory.Change) (together, independent []int64) {
	changed, all := sets.New[int64](), sets.New[int64]()
	for _, n := range c.Remove {
		if o.has(n) {
			changed.Insert(pageOf(n))
		}
	}
	for _, r := range c.Put {
		all.Insert(pageOf(r.Number))
		if !o.has(r.Number) {
			changed.Insert(pageOf(r.Number))
		}
	}
	return sets.List(changed), sets.List(all.Difference(changed))
}

// addedAndRemoved is a change without the records that are only replaced.
func (o *owned) addedAndRemoved(c inventory.Change) inventory.Change {
	added := slices.DeleteFunc(slices.Clone(c.Put), func(r waybill.BackendRecord) bool { return o.has(r.Number) })
	return inventory.Change{Next: c.Next, Remove: c.Remove, Put: added}
}

// addPages creates the pages that do not exist, each after the head names it.
func (s *Store) addPages(ctx context.Context, o *owned, wanted []int64) error {
	slices.Sort(wanted)
	for _, n := range wanted {
		if _, is := o.pages[n]; is {
			continue
		}
		if n > o.lastPage {
			if err := s.updateHead(ctx, o, func(head *waybill.BackendInventory) { setNumber(head, lastPageKey, n) }); err != nil {
				return err
			}
			o.lastPage = n
		}
		if err := s.createPage(ctx, o, n); err != nil {
			return err
		}
	}
	return nil
}

// minEmptyPages is the number of pages without records from which they are deleted.
const minEmptyPages = 16

// deleteEmptyPages deletes pages without records, after all journals, which may name them. The last page stays: takePages
// creates it if it is missing.
func (s *Store) deleteEmptyPages(ctx context.Context, o *owned) error {
	empty := slices.DeleteFunc(o.pageNumbers(), func(n int64) bool { return len(o.pages[n].Spec.Resources) > 0 || n == o.lastPage })
	if len(empty) < minEmptyPages {
		return nil
	}
	for _, n := range o.pageNumbers() {
		if _, has := o.pages[n].Annotations[journalKey]; has {
			p := page{o.pages[n].DeepCopy()}
			delete(p.Annotations, journalKey)
			if err := s.updatePage(ctx, o, n, p); err != nil {
				return err
			}
		}
	}
	for _, n := range empty {
		if err := s.objects.Delete(ctx, o.pages[n].BackendInventory); err != nil {
			return err
		}
		delete(o.pages, n)
	}
	return nil
}

package pagestore

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
)

// perPage is how many numbers a page has. It must never change: the page of a number is computed from it.
const perPage = 64

// The label of pages, and the annotations.
const (
	label       = "waybill.dev/inventory"          // the name of the inventory
	epochKey    = "waybill.dev/inventory-epoch"    // of the owner: one more with each takeover
	lastPageKey = "waybill.dev/inventory-pages"    // on the head: the number of the last page
	sequenceKey = "waybill.dev/inventory-sequence" // on a page: the number of the last save that wrote it
	journalKey  = "waybill.dev/inventory-journal"  // on a page: what that save must also write to other pages
)

// page has the records of successive numbers.
type page struct{ *waybill.BackendInventory }

func pageOf(number int64) int64 { return number / perPage }

// numberIn reads an annotation; 0 when it is missing.
func numberIn(o *waybill.BackendInventory, key string) (int64, error) {
	text, ok := o.Annotations[key]
	if !ok {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("BackendInventory %q: annotation %s is not a number", o.Name, key)
	}
	return n, nil
}

func setNumber(o *waybill.BackendInventory, key string, n int64) {
	metav1.SetMetaDataAnnotation(&o.ObjectMeta, key, strconv.FormatInt(n, 10))
}

func (s *Store) newObject(name string) *waybill.BackendInventory {
	o := &waybill.BackendInventory{ObjectMeta: metav1.ObjectMeta{Namespace: s.name.Namespace, Name: name}}
	o.Spec.Backend = s.backend
	return o
}

func (s *Store) pageName(n int64) string { return s.name.Name + "." + strconv.FormatInt(n, 10) }

// pageNumber reads the number in the name of a page.
func (s *Store) pageNumber(o *waybill.BackendInventory) (int64, error) {
	text, ok := strings.CutPrefix(o.Name, s.name.Name+".")
	n, err := strconv.ParseInt(text, 10, 64)
	if !ok || err != nil || n < 0 || s.pageName(n) != o.Name {
		return 0, fmt.Errorf("BackendInventory %q has the label of a page, but not the name of one", o.Name)
	}
	return n, nil
}

func (s *Store) createPage(ctx context.Context, o *owned, n int64) error {
	p := page{s.newObject(s.pageName(n))}
	p.Labels = map[string]string{label: s.name.Name}
	setNumber(p.BackendInventory, epochKey, o.epoch)
	if err := s.objects.Create(ctx, p.BackendInventory); err != nil {
		return err
	}
	o.pages[n] = p
	return nil
}

func (s *Store) updatePage(ctx context.Context, o *owned, n int64, p page) error {
	if err := s.objects.Update(ctx, p.BackendInventory); err != nil {
		return err
	}
	o.pages[n] = p
	return nil
}

// with returns a copy of page n after the part of a change that is about its numbers, without a journal.
func (p page) with(n int64, c inventory.Change, sequence int64) page {
	o := p.DeepCopy()
	records := map[int64]waybill.BackendRecord{}
	for _, r := range o.Spec.Resources {
		records[r.Number] = r
	}
	for _, number := range c.Remove {
		delete(records, number)
	}
	for _, r := range c.Put {
		if pageOf(r.Number) == n {
			records[r.Number] = r
		}
	}
	o.Spec.Resources = slices.SortedFunc(maps.Values(records), func(a, b waybill.BackendRecord) int { return cmp.Compare(a.Number, b.Number) })
	o.Spec.Next = max(o.Spec.Next, c.Next)
	setNumber(o, sequenceKey, sequence)
	delete(o.Annotations, journalKey)
	return page{o}
}

func (p page) has(number int64) bool {
	return slices.ContainsFunc(p.Spec.Resources, func(r waybill.BackendRecord) bool { return r.Number == number })
}

// journal is what a page says about other pages.
type journal struct {
	Pages  []int64          `json:"pages"`
	Change inventory.Change `json:"change"`
}

// journal reads that of a page; an empty one when it is missing.
func (p page) journal() (j journal, err error) {
	if text, ok := p.Annotations[journalKey]; ok && json.Unmarshal([]byte(text), &j) != nil {
		return j, fmt.Errorf("BackendInventory %q: annotation %s is not a change", p.Name, journalKey)
	}
	return j, nil
}

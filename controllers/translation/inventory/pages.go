package inventory

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
)

// perPage is how many numbers a page has. It must never change: the page of a number is computed from it.
const perPage = 64

// The label of pages, and the annotations.
const (
	label       = "waybill.dev/inventory"          // the name of the inventory
	epochKey    = "waybill.dev/inventory-epoch"    // of the owner: one more each time it is taken over
	lastPageKey = "waybill.dev/inventory-pages"    // on the head: the number of the last page
	sequenceKey = "waybill.dev/inventory-sequence" // on a page: the number of the last save that wrote it
	journalKey  = "waybill.dev/inventory-journal"  // on a page: what that save must also write to other pages
)

// page has the records of successive numbers.
type page struct{ *waybill.BackendInventory }

func pageOf(number int64) int64 { return number / perPage }

// annotation reads a number; 0 when there is none.
func annotation(o *waybill.BackendInventory, key string) (int64, error) {
	text, ok := o.Annotations[key]
	if !ok {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("BackendInventory %q: annotation %s is no number", o.Name, key)
	}
	return n, nil
}

func setAnnotation(o *waybill.BackendInventory, key string, n int64) {
	metav1.SetMetaDataAnnotation(&o.ObjectMeta, key, strconv.FormatInt(n, 10))
}

func (s *Store) pageName(n int64) string { return s.name.Name + "." + strconv.FormatInt(n, 10) }

func (s *Store) newPage(n, epoch int64) page {
	o := s.newObject(s.pageName(n))
	o.Labels = map[string]string{label: s.name.Name}
	setAnnotation(o, epochKey, epoch)
	return page{o}
}

func (s *Store) newObject(name string) *waybill.BackendInventory {
	o := &waybill.BackendInventory{ObjectMeta: metav1.ObjectMeta{Namespace: s.name.Namespace, Name: name}}
	o.Spec.Backend = s.backend
	return o
}

// pageNumber reads the number in the name of a page.
func (s *Store) pageNumber(o *waybill.BackendInventory) (int64, error) {
	text, ok := strings.CutPrefix(o.Name, s.name.Name+".")
	n, err := strconv.ParseInt(text, 10, 64)
	if !ok || err != nil || n < 0 || s.pageName(n) != o.Name {
		return 0, fmt.Errorf("BackendInventory %q has the label of a page and not the name of one", o.Name)
	}
	return n, nil
}

// with returns a copy of page n after the part of a change that is about its numbers.
func (p page) with(n int64, c inventory.Change) page {
	o := p.DeepCopy()
	records := map[int64]waybill.BackendRecord{}
	for _, r := range o.Spec.Resources {
		records[r.Number] = r
	}
	for _, r := range c.Remove {
		delete(records, r)
	}
	for _, r := range c.Put {
		if pageOf(r.Number) == n {
			records[r.Number] = r
		}
	}
	o.Spec.Resources = nil
	for _, r := range sortedKeys(records) {
		o.Spec.Resources = append(o.Spec.Resources, records[r])
	}
	o.Spec.Next = max(o.Spec.Next, c.Next)
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

// journal reads that of a page; nil when it has none.
func (p page) journal() (*journal, error) {
	text, ok := p.Annotations[journalKey]
	if !ok {
		return nil, nil
	}
	j := &journal{}
	if json.Unmarshal([]byte(text), j) != nil {
		return nil, fmt.Errorf("BackendInventory %q: annotation %s is no change", p.Name, journalKey)
	}
	return j, nil
}

// isKindMissing tells a kind that is not served from an object that does not exist.
func isKindMissing(err error) bool {
	return meta.IsNoMatchError(err) || apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

var errDamaged = errors.New("a page is missing that another speaks of")

func sortedKeys[V any](of map[int64]V) []int64 { return slices.Sorted(maps.Keys(of)) }

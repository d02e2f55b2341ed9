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

// perPage is how many numbers share a page. It must never change: numbers are found by it.
const perPage = 64

// What the objects say besides records.
const (
	label    = "waybill.dev/inventory"          // the name of the inventory, on each page
	epoch    = "waybill.dev/inventory-epoch"    // who has it: one more each time it is taken over
	lastPage = "waybill.dev/inventory-pages"    // on the head: the number of the last page
	sequence = "waybill.dev/inventory-sequence" // on a page: the number of the save that wrote it last
	journal  = "waybill.dev/inventory-journal"  // on a page: what that save has to have written elsewhere
)

// page is the records of successive numbers.
type page struct {
	object *waybill.BackendInventory
}

func pageOf(number int64) int64 { return number / perPage }

// number reads a number that an object says; one that says none says 0.
func number(o *waybill.BackendInventory, what string) (int64, error) {
	text, ok := o.Annotations[what]
	if !ok {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("BackendInventory %q: annotation %s is no number", o.Name, what)
	}
	return n, nil
}

func say(o *waybill.BackendInventory, what string, n int64) {
	metav1.SetMetaDataAnnotation(&o.ObjectMeta, what, strconv.FormatInt(n, 10))
}

func (s *Store) pageName(n int64) string { return s.at.Name + "." + strconv.FormatInt(n, 10) }

// emptyPage is a page without records.
func (s *Store) emptyPage(n, ofEpoch int64) *waybill.BackendInventory {
	o := s.empty(s.pageName(n))
	o.Labels = map[string]string{label: s.at.Name}
	say(o, epoch, ofEpoch)
	return o
}

func (s *Store) empty(name string) *waybill.BackendInventory {
	o := &waybill.BackendInventory{ObjectMeta: metav1.ObjectMeta{Namespace: s.at.Namespace, Name: name}}
	o.Spec.Backend = s.backend
	return o
}

// pageNumber is the number in the name of a page.
func (s *Store) pageNumber(o *waybill.BackendInventory) (int64, error) {
	text, ok := strings.CutPrefix(o.Name, s.at.Name+".")
	n, err := strconv.ParseInt(text, 10, 64)
	if !ok || err != nil || n < 0 || s.pageName(n) != o.Name {
		return 0, fmt.Errorf("BackendInventory %q has the label of a page and not the name of one", o.Name)
	}
	return n, nil
}

// with is the page after a change, of which it takes what is about its own numbers.
func (p *page) with(n int64, c inventory.Change) *waybill.BackendInventory {
	o := p.object.DeepCopy()
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
	return o
}

// entry is what a page says about other pages.
type entry struct {
	Pages  []int64          `json:"pages"`
	Change inventory.Change `json:"change"`
}

// entryOf reads what a page says about others; nil when it says nothing.
func entryOf(o *waybill.BackendInventory) (*entry, error) {
	text, ok := o.Annotations[journal]
	if !ok {
		return nil, nil
	}
	e := &entry{}
	if json.Unmarshal([]byte(text), e) != nil {
		return nil, fmt.Errorf("BackendInventory %q: annotation %s is no change", o.Name, journal)
	}
	return e, nil
}

// isKindMissing reports whether an API server has said that it does not know the kind at all.
func isKindMissing(err error) bool {
	return meta.IsNoMatchError(err) || apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

var errDamaged = errors.New("a page is missing that another speaks of")

func sortedKeys[V any](of map[int64]V) []int64 { return slices.Sorted(maps.Keys(of)) }

package inventory_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/translation/inventory"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	backendinventory "github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/inventory/pagestore"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestKilledDuringSaves expects the next owner to load all that was saved, and of the last save
// either all added and removed numbers or none.
func TestKilledDuringSaves(t *testing.T) {
	for _, seed := range testenv.Seeds(t, 1) {
		by, at := newClient(t)
		s := &script{rand.New(rand.NewPCG(seed, 0)), backendinventory.New("midonet")}
		for range 40 {
			by.writes, by.at = 0, 1+s.IntN(40)
			store := inventory.New(by, at, "midonet")
			before, after := s.now, s.now
			_, err := store.Load(t.Context())
			for err == nil {
				before, after = after, after.Clone()
				s.now = before
				c := s.change()
				after.Take(c)
				if err = store.Save(t.Context(), c); err == nil {
					s.now = after
					err = store.DeleteEmptyPages(t.Context())
				}
			}
			if !errors.Is(err, errKilled) {
				t.Fatalf("seed %d: %v", seed, err)
			}
			by.at = 0
			i, err := inventory.New(by, at, "midonet").Load(t.Context())
			got := content(t, i, err)
			if a, b := cmp.Diff(numbers(before.Records()), numbers(got)), cmp.Diff(numbers(after.Records()), numbers(got)); a != "" && b != "" {
				t.Fatalf("seed %d: neither before the last save:\n%s\nnor after it:\n%s", seed, a, b)
			}
			s.now = i
		}
	}
}

// TestTakeOver holds that a Store that was taken over writes nothing more.
func TestTakeOver(t *testing.T) {
	by, at := newClient(t)
	stores := []*pagestore.Store{inventory.New(by, at, "midonet"), inventory.New(by, at, "midonet")}
	s := &script{rand.New(rand.NewPCG(1, 0)), backendinventory.New("midonet")}
	if _, err := stores[1].Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	for turn := range 60 {
		mine, other := stores[turn%2], stores[1-turn%2]
		i, err := mine.Load(t.Context())
		if diff := cmp.Diff(s.now.Records(), content(t, i, err)); diff != "" {
			t.Fatalf("turn %d (-saved +loaded):\n%s", turn, diff)
		}
		for range 5 {
			c := s.change()
			if err := mine.Save(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			s.now.Take(c)
		}
		if err := other.Save(t.Context(), s.change()); !errors.Is(err, pagestore.ErrLost) {
			t.Fatalf("turn %d: the other got %v, want %v", turn, err, pagestore.ErrLost)
		}
	}
}

func TestEmptyPagesAreDeleted(t *testing.T) {
	by, at := newClient(t)
	store := inventory.New(by, at, "midonet")
	i, err := store.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fill := backendinventory.Change{Next: 64 * 40}
	for n := int64(1); n < fill.Next; n += 30 {
		fill.Put = append(fill.Put, record(n, fmt.Sprint("r", n)))
	}
	drain := backendinventory.Change{Next: fill.Next, Remove: numbers(fill.Put)}
	for _, c := range []backendinventory.Change{fill, drain} {
		i.Take(c)
		if err := errors.Join(store.Save(t.Context(), c), store.DeleteEmptyPages(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	list := &waybill.BackendInventoryList{}
	if err := by.List(t.Context(), list, client.InNamespace(at.Namespace)); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != 2 {
		t.Errorf("%d objects are left, want the head and the last page", len(list.Items))
	}
	again, err := inventory.New(by, at, "midonet").Load(t.Context())
	if diff := cmp.Diff(i.Spec(), again.Spec()); err != nil || diff != "" {
		t.Errorf("no number is given twice (-saved +loaded): %v\n%s", err, diff)
	}
}

func TestDamageIsAnError(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		damage func(*waybill.BackendInventory)
		want   string
	}{
		"no number": {"annotations are ours", func(o *waybill.BackendInventory) { o.Annotations["waybill.dev/inventory-sequence"] = "x" }, "is not a number"},
		"elsewhere": {"a record that is not on its page would be lost", func(o *waybill.BackendInventory) {
			o.Spec.Resources, o.Spec.Next = []waybill.BackendRecord{record(70, "a")}, 71
		}, "which belongs on another page"},
		"nonsense": {"nothing is deleted on the word of nonsense", func(o *waybill.BackendInventory) {
			o.Spec.Resources, o.Spec.Next = []waybill.BackendRecord{record(7, "a"), record(8, "b")}, 3
		}, "spec.next"},
		"journal": {"what cannot be read may have been needed", func(o *waybill.BackendInventory) { o.Annotations["waybill.dev/inventory-journal"] = "{" }, "is not a change"},
		"missing": {"a page is gone", func(o *waybill.BackendInventory) {
			o.Annotations["waybill.dev/inventory-journal"] = `{"pages":[9],"change":{"next":1}}`
		}, "missing"},
	} {
		t.Run(name, func(t *testing.T) {
			by, at := newClient(t)
			if _, err := inventory.New(by, at, "midonet").Load(t.Context()); err != nil {
				t.Fatal(err)
			}
			o := &waybill.BackendInventory{}
			if err := by.Get(t.Context(), types.NamespacedName{Namespace: at.Namespace, Name: "lab.0"}, o); err != nil {
				t.Fatal(err)
			}
			tc.damage(o)
			if err := by.Update(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			if _, err := inventory.New(by, at, "midonet").Load(t.Context()); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got %v, want %q", tc.reason, err, tc.want)
			}
		})
	}
}

func TestOneInventoryIsOfOneBackend(t *testing.T) {
	by, at := newClient(t)
	if _, err := inventory.New(by, at, "midonet").Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := inventory.New(by, at, "dns").Load(t.Context()); err == nil || !strings.Contains(err.Error(), `backend "midonet"`) {
		t.Errorf("got %v", err)
	}
}

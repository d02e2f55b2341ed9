package backend_test

import (
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
	"github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// nowhere is a backend that agrees to everything.
type nowhere struct{}

func (*nowhere) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("{}")), Header: http.Header{}}, nil
}

// FuzzPlan takes a history of desired states from a seed and an inventory from anywhere. Whatever plan
// there is can be carried out, and then nothing is left to do.
func FuzzPlan(f *testing.F) {
	some := &waybill.BackendInventory{Spec: applied(f, before.translations()...).Spec()}
	some.APIVersion, some.Kind, some.Name = waybill.APIVersion, waybill.KindBackendInventory, "midonet"
	f.Add(uint64(1), []byte(text(f, some)), "Rule", "a", `{"id":"a"}`)
	some.Spec.Resources[3].State, some.Spec.Resources[5].State = waybill.StateUnknown, waybill.StateCreating
	f.Add(uint64(2), []byte(text(f, some)), "Chain", "", `{"id":"main"}`)
	f.Fuzz(func(t *testing.T, seed uint64, data []byte, kind, parent, body string) {
		objects, err := krm.Read("i.yaml", data, krm.Limits{Bytes: 1 << 20})
		if err != nil || len(objects) != 1 {
			return
		}
		b, err := waybill.ReadBackendInventory(objects[0])
		if err != nil {
			return
		}
		i, err := inventory.FromObject(b)
		if err != nil {
			return
		}
		desired := change(rand.New(rand.NewPCG(seed, 0)), before).translations()
		desired = append(desired, translation("fuzz/a", table.Resource{Kind: kind, Parent: parent, Body: body}))
		checkPlan(t, desired, i)
	})
}

// checkPlan holds the laws of plans.
func checkPlan(t *testing.T, desired []plan.Translation, i *inventory.Inventory) {
	t.Helper()
	digest := i.Digest()
	pl, err := plan.New(desired, midonet(t), i)
	if err != nil {
		if strings.ContainsAny(err.Error(), "\n\r") {
			t.Errorf("an error has one line: %q", err)
		}
		return
	}
	again, err := plan.New(desired, midonet(t), i)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pl, again); diff != "" {
		t.Fatalf("the same twice (-first +second):\n%s", diff)
	}
	if i.Digest() != digest {
		t.Fatal("a plan changes nothing")
	}
	if _, err := json.Marshal(pl); err != nil {
		t.Fatal(err)
	}
	c, err := httpclient.New(midonet(t), httpclient.Config{URL: "http://backend.example", Username: "u", Transport: &nowhere{}})
	if err != nil {
		t.Fatal(err)
	}
	store := inventory.NewMemoryStore(i)
	result, err := apply.Run(t.Context(), c, pl, store, apply.Options{Clock: &fakeClock{}, URLMoved: true})
	if err != nil || !result.Complete() {
		t.Fatalf("a plan can be carried out: %v, %v", err, result.Err())
	}
	then, err := store.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if rest := mustPlan(t, desired, then).Spec.Operations; len(rest) > 0 {
		t.Fatalf("nothing is left to do, but: %+v", rest)
	}
}

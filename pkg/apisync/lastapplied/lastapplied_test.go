package lastapplied_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/waybill-dev/waybill/pkg/apisync/lastapplied"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

var owner = lastapplied.Owner{Controller: "orders", Agent: "east",
	Primary: applyset.Ref{Place: "ws", ID: krm.ID{Group: "shop.example", Kind: "Order", Namespace: "retail", Name: "o"}}}

func secretRef(place, name string) applyset.Ref {
	return applyset.Ref{Place: place, ID: krm.ID{Kind: "Secret", Namespace: "n", Name: name}}
}

// applied is an operation that wrote a Secret with some data.
func applied(ref applyset.Ref, data string) applyset.Operation {
	state, _ := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "Secret", "data": data,
		"metadata": map[string]string{"namespace": ref.Namespace, "name": ref.Name}})
	return applyset.Operation{Action: applyset.ActionUpdate, Edge: "creds", Ref: ref, State: state}
}

func TestState(t *testing.T) {
	s := lastapplied.New(owner, nil, nil)
	home, shop := applied(secretRef("", "a"), "x"), applied(secretRef("ws", "b"), "y")
	s.Note(home)
	s.Note(shop)
	secret, overflow := s.Secret("waybill-sync")
	if !s.Changed || len(secret.Data) != 2 || len(overflow) != 0 || secret.Name != owner.SecretName() || secret.Labels[lastapplied.Label] != "true" ||
		secret.Labels["waybill.dev/remote-object-cluster"] != "ws" || secret.Labels["waybill.dev/agent-name"] != "east" {
		t.Errorf("changed %t, overflow %v: %v", s.Changed, overflow, secret)
	}
	if controller, primary := lastapplied.OwnerOf(secret); controller != "orders" || primary != "ws|shop.example/Order/retail/o" {
		t.Errorf("it belongs to %q of %q", primary, controller)
	}
	again := lastapplied.New(owner, secret, nil)
	again.Note(home)
	if again.Changed || !bytes.Equal(again.LastKnown("", "", "creds", home.Ref), home.State) {
		t.Errorf("a stored state differs: %s", again.LastKnown("", "", "creds", home.Ref))
	}
	want := []lastapplied.Copy{{Version: "v1", ID: home.Ref.ID}, {AtSource: true, Version: "v1", ID: shop.Ref.ID}}
	if diff := cmp.Diff(want, again.Copies()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]krm.ID{home.Ref.ID}, again.PrimaryCopies(owner.Primary.String())); diff != "" || again.PrimaryCopies("other") != nil {
		t.Errorf("copies of primaries are at the destination, -want +got:\n%s", diff)
	}
	again.Note(applyset.Operation{Action: applyset.ActionDelete, Edge: "creds", Ref: home.Ref})
	if !again.Changed || again.LastKnown("", "", "creds", home.Ref) != nil {
		t.Error("a deleted copy is still known")
	}
}

// TestOverflow stores the name of the largest entry alone, and returns the rest.
func TestOverflow(t *testing.T) {
	s := lastapplied.New(owner, nil, nil)
	small, large := applied(secretRef("", "small"), "x"), applied(secretRef("", "large"), strings.Repeat("x", 1<<20))
	s.Note(small)
	s.Note(large)
	secret, overflow := s.Secret("waybill-sync")
	total := 0
	for _, data := range secret.Data {
		total += len(data)
	}
	if len(secret.Data) != 2 || len(overflow) != 1 || total > 1<<20 {
		t.Fatalf("%d entries of %d bytes, %d overflow", len(secret.Data), total, len(overflow))
	}
	if n := len(lastapplied.New(owner, secret, nil).Copies()); n != 2 {
		t.Errorf("%d copies are known after a restart", n)
	}
	if got := lastapplied.New(owner, secret, overflow).LastKnown("", "", "creds", large.Ref); !bytes.Equal(got, large.State) {
		t.Errorf("%d bytes are known", len(got))
	}
}

// TestUnreadable treats entries that cannot be read as unknown.
func TestUnreadable(t *testing.T) {
	s := lastapplied.New(owner, &corev1.Secret{Data: map[string][]byte{"creds.destination.x": []byte("{garbled")}}, nil)
	if got := s.Copies(); got != nil {
		t.Errorf("got %v", got)
	}
}

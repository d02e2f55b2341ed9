package syncfn_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/apisync/syncfn"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestStrangersStay has consumers name, at random, what there is on both sides, change their mind and go, under entries of all
// sorts. No object that sync did not make is ever deleted, and none is changed unless the entry adopts.
func TestStrangersStay(t *testing.T) {
	names := []string{"root", "copy-o-tls", "theirs", "none"}
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 7))
		pick := func(all ...string) string { return all[r.IntN(len(all))] }
		policy, cleanup := pick("Never", "Converge", "Preserve"), pick("Orphan", "OnPrimaryDeletion", "MatchOrigin")
		entry := fmt.Sprintf("resource: secrets, object: {reference: {path: spec.it}}, allowedNames: [%s], adoptionPolicy: %s, cleanupPolicy: %s, origin: %s",
			pick("'*'", "'r*'", "x"), policy, cleanup, pick("kcp", "service"))
		items := read(t, fmt.Sprintf(permitItems, pick(names...))+`---
{apiVersion: v1, kind: Secret, metadata: {name: theirs, namespace: copies, annotations: {waybill.dev/side: destination}}, data: {a: b3Vycw==}}
---
{apiVersion: v1, kind: Secret, metadata: {name: root, namespace: shop, annotations: {waybill.dev/side: source}}, data: {a: dGhlaXJz}}
`)
		strangers := items
		for range 6 {
			config := read(t, fmt.Sprintf(permitConfig, entry))[0]
			if out := syncfn.Function.Apply(t.Context(), &fn.Input{Items: items, Config: config}); !out.Failed() {
				items = out.Items
			}
			if policy == "Never" {
				untouched(t, strangers, items)
			}
			for _, o := range strangers {
				if !isThere(items, o) {
					t.Fatalf("seed %d, %s: %s was deleted", seed, entry, o.ID())
				}
			}
			items = disturbed(r, items, pick(names...))
			if r.IntN(3) == 0 {
				entry = strings.Replace(entry, "cleanupPolicy: "+cleanup, "cleanupPolicy: MatchOrigin", 1)
			}
		}
	}
}

func isThere(items []*krm.Object, o *krm.Object) bool {
	for _, other := range items {
		if other.ID() == o.ID() && (o.Kind() != "Secret" || other.Annotation("waybill.dev/side") == o.Annotation("waybill.dev/side")) {
			return true
		}
	}
	return false
}

// disturbed is items in which the consumer names something else, or goes, or sync's mark of adoption is taken off.
func disturbed(r *rand.Rand, items []*krm.Object, name string) (out []*krm.Object) {
	kind := r.IntN(3)
	for _, o := range items {
		switch o = o.DeepCopy(); {
		case o.Kind() == "Source" && kind == 0:
			krm.SetField(o.Lookup("metadata"), "deletionTimestamp", krm.StringNode("2026-01-02T03:04:05Z"))
		case o.Kind() == "Source":
			krm.SetField(o.Lookup("spec"), "it", krm.StringNode(name))
		case kind == 1:
			o.RemoveAnnotations(func(name string) bool { return name == "waybill.dev/adopted" })
		}
		out = append(out, o)
	}
	return out
}

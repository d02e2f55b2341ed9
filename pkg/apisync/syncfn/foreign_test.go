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

// TestForeignObjectsStay lets consumers name, at random, objects of both sides, change the names and disappear, under all
// kinds of entries. Objects that sync did not create are never deleted, and never changed unless the entry adopts them.
func TestForeignObjectsStay(t *testing.T) {
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
		foreign := items
		for range 6 {
			config := read(t, fmt.Sprintf(permitConfig, entry))[0]
			if out := syncfn.Function.Apply(t.Context(), &fn.Input{Items: items, Config: config}); !out.Failed() {
				items = out.Items
			}
			if policy == "Never" {
				untouched(t, foreign, items)
			}
			for _, o := range foreign {
				if !exists(items, o) {
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

func exists(items []*krm.Object, o *krm.Object) bool {
	for _, other := range items {
		if other.ID() == o.ID() && (o.Kind() != "Secret" || other.Annotation("waybill.dev/side") == o.Annotation("waybill.dev/side")) {
			return true
		}
	}
	return false
}

// disturbed are items in which the consumer names another object, is being deleted, or the mark of adoption is removed.
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

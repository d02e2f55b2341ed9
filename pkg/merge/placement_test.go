package merge

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestPlaceLaws holds for random files: ours keep their order, nothing is lost or twice, and where both sides have the
// shared documents in one order, all documents of upstream are in upstream's.
func TestPlaceLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 22))
	known := map[string]*document.Document{}
	doc := func(name string) *document.Document {
		if known[name] == nil {
			known[name] = &document.Document{Object: krm.FromNode(krm.MapNode()), ID: document.Identity{Name: name}}
		}
		return known[name]
	}
	for range testenv.Few(5000) {
		var here, theirs, added, shared []*document.Document
		for i := range rng.IntN(6) {
			d := doc("both" + strconv.Itoa(i))
			here, theirs, shared = append(here, d), append(theirs, d), append(shared, d)
		}
		for i := range rng.IntN(4) {
			d := doc("ours" + strconv.Itoa(i))
			here = slices.Insert(here, rng.IntN(len(here)+1), d)
		}
		inOneOrder := rng.IntN(2) == 0
		if !inOneOrder {
			rng.Shuffle(len(theirs), func(i, j int) { theirs[i], theirs[j] = theirs[j], theirs[i] })
		}
		for i := range rng.IntN(5) {
			theirs = slices.Insert(theirs, rng.IntN(len(theirs)+1), doc("new"+strconv.Itoa(i)))
		}
		for _, d := range theirs {
			if !slices.Contains(shared, d) {
				added = append(added, d)
			}
		}
		if rng.IntN(3) == 0 {
			here = slices.Insert(here, 0, &document.Document{Text: []byte("# header\n")})
		}
		got := place(here, theirs, added)
		only := func(of []*document.Document) []*document.Document {
			return slices.DeleteFunc(slices.Clone(got), func(d *document.Document) bool { return !slices.Contains(of, d) })
		}
		switch {
		case len(got) != len(here)+len(added):
			t.Fatalf("%s and %s make %s", names(here), names(theirs), names(got))
		case !slices.Equal(only(here), here):
			t.Fatalf("ours %s changed their order: %s", names(here), names(got))
		case inOneOrder && !slices.Equal(only(theirs), theirs):
			t.Fatalf("upstream's %s are not in their order: %s", names(theirs), names(got))
		case len(here) > 0 && here[0].Object == nil && got[0] != here[0]:
			t.Fatalf("the header is not first: %s", names(got))
		}
	}
}

func names(docs []*document.Document) string {
	var out []string
	for _, d := range docs {
		out = append(out, d.ID.Name)
	}
	return "[" + strings.Join(out, " ") + "]"
}

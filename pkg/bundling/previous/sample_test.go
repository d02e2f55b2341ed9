package previous

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestReaderAgainstParser reads works one after the other, as a run does, and compares what each holds with what a parser finds. Later
// works are like earlier ones, but for values, objects that come or go, and edits of their text by hand.
func TestReaderAgainstParser(t *testing.T) {
	testenv.Checks(t, 3000)
	equal, read, parsed := 0, 0, 0
	rapid.Check(t, func(r *rapid.T) {
		here := reader{holdings: newHoldings(), samples: map[string]*sample{}}
		items := drawItems(r)
		for range rapid.IntRange(2, 6).Draw(r, "works") {
			next := drawSpec(r, items)
			work := readWork(next, krm.ReadLazy)
			if work == nil {
				continue
			}
			before := here.samples["all-git-0"]
			held := here.read(work)
			_, unread := work.LazyText()
			checkHolding(r, next, held)
			switch {
			case !unread:
				parsed++
			case before != nil && before.holding == held:
				equal++
			default:
				read++
			}
		}
	})
	if !testenv.Short() && (equal == 0 || read == 0 || parsed == 0) {
		t.Errorf("%d works equal the sample, %d were read by their lines, %d by the parser: too few to show anything", equal, read, parsed)
	}
}

func checkHolding(r *rapid.T, text string, held *holding) {
	whole := readWork(text, func(file string, data []byte, l krm.Limits, _, _ string) ([]*krm.Object, error) {
		return krm.Read(file, data, l)
	})
	if whole == nil {
		return // a damaged work, which the render refuses
	}
	want := newHolding(whole, parsedIDs(whole))
	if d := cmp.Diff(want.ids, held.ids); d != "" || want.entries != held.entries {
		r.Fatalf("%d entries, want %d; identities (-parsed +read):\n%s\nin\n%s", held.entries, want.entries, d, text)
	}
}

// readWork is nil for text that cannot be read.
func readWork(text string, read func(string, []byte, krm.Limits, string, string) ([]*krm.Object, error)) *krm.Object {
	objs, err := read("work.yaml", []byte(text), krm.Limits{}, "spec", fn.GeneratedBy)
	if err != nil || len(objs) != 1 {
		return nil
	}
	return objs[0]
}

func drawItems(r *rapid.T) (items []string) {
	rests := []string{"", "      data:\n        k: |\n          - kind: no\n\n          metadata:\n",
		"      spec:\n        a:\n        - b: 1\n    \n",
		"      data:\n        k: v\n\n", "      rules:\n      - verbs:\n        - get\n", "      data: {}\n"}
	for i := range rapid.IntRange(1, 4).Draw(r, "items") {
		items = append(items, fmt.Sprintf("    - apiVersion: v1\n      kind: ConfigMap\n      metadata:\n"+
			"        namespace: shop\n        name: o%d\n%s",
			i, rapid.SampledFrom(rests).Draw(r, "rest")))
	}
	return items
}

// drawSpec is a work with most of the items, some of them edited.
func drawSpec(r *rapid.T, items []string) string {
	items = slices.Clone(items)
	for range rapid.IntRange(0, 2).Draw(r, "edits") {
		i := rapid.IntRange(0, len(items)-1).Draw(r, "item")
		switch edit := rapid.SampledFrom([]string{"value", "lines", "gone", "again", "moved", "quotes"}).Draw(r, "edit"); edit {
		case "value":
			items[i] += "      immutable: " + rapid.SampledFrom([]string{"true", "x", "'y'"}).Draw(r, "value") + "\n"
		case "lines":
			items[i] = editLines(r, items[i])
		case "gone":
			items[i] = ""
		case "again":
			items = append(items, items[i])
		case "moved":
			items[0], items[i] = items[i], items[0]
		case "quotes":
			items[i] = strings.Replace(items[i], "name: o", rapid.SampledFrom([]string{`name: "p"`, "name: 'p'", "name: p o", "\"name\": p"}).Draw(r, "name")+" # ", 1)
		}
	}
	entries := rapid.SampledFrom([]string{"", "    waybill.dev/hand-over: '1'\n", "    waybill.dev/hand-over: many\n"}).Draw(r, "entries")
	rest := rapid.SampledFrom([]string{"", "  manifestConfigs:\n  - resourceIdentifier: {}\n", "  x: y\n", "    x: y\n", "  # c\n" + items[0], "   \n" + items[0]}).Draw(r, "more")
	return scannedHead + entries + "spec:\n  workload:\n    manifests:\n" + strings.Join(items, "") + rest
}

// editLines removes or repeats a line, or moves it to the left or right.
func editLines(r *rapid.T, item string) string {
	lines := strings.SplitAfter(item, "\n")
	i := rapid.IntRange(0, len(lines)-1).Draw(r, "line")
	switch rapid.IntRange(0, 3).Draw(r, "how") {
	case 0:
		lines[i] = ""
	case 1:
		lines[i] += lines[i]
	case 2:
		lines[i] = strings.TrimPrefix(lines[i], "  ")
	default:
		lines[i] = "  " + lines[i]
	}
	return strings.Join(lines, "")
}

package bundling

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestLazyWorksAgainstParsed runs the function twice on the same package: works are read as a render reads them, by their text, or
// parsed. The results are the same, and works hold the same data. The package has works of an earlier fleet, edited by hand: lines that
// are gone, repeated or moved, other spellings, files that are gone or in the place of another.
func TestLazyWorksAgainstParsed(t *testing.T) {
	testenv.Checks(t, 500)
	edited, compared, failed := 0, 0, 0
	rapid.Check(t, func(r *rapid.T) {
		earlier := drawFleet(r)
		config := lazyOptions(t, r, earlier)
		first := Function.Apply(context.Background(), withConfig(earlier.input(t, nil), config))
		files := textsOf(r, ocmcheck.Works(first.Items))
		for range rapid.IntRange(0, 3).Draw(r, "edits") {
			edited += editFile(r, files)
		}
		now := earlier
		if rapid.Bool().Draw(r, "another fleet") {
			now = drawFleet(r)
			now.limits = earlier.limits
		}
		parsed, ok := readFiles(files, krm.Read)
		lazily, readable := readFiles(files, func(file string, data []byte, l krm.Limits) ([]*krm.Object, error) {
			return krm.ReadLazy(file, data, l, "spec", fn.GeneratedBy)
		})
		if !ok || !readable {
			return // a render refuses it
		}
		want := Function.Apply(context.Background(), withConfig(now.input(t, parsed), config))
		got := Function.Apply(context.Background(), withConfig(now.input(t, lazily), config))
		if d := cmp.Diff(formatted(want.Results), formatted(got.Results)); d != "" {
			r.Fatalf("results (-parsed +lazy):\n%s", d)
		}
		if got.Failed() {
			failed++
			return
		}
		compared++
		if d := cmp.Diff(dataOf(r, want.Items), dataOf(r, got.Items)); d != "" {
			r.Fatalf("works (-parsed +lazy):\n%s", d)
		}
	})
	if !testenv.Short() && (edited == 0 || failed == 0 || compared < 100) {
		t.Errorf("%d files edited, %d packages compared, %d refused: too few to show anything", edited, compared, failed)
	}
}

func formatted(results sdk.Results) (out []string) {
	for _, result := range results {
		out = append(out, fn.FormatResult(result))
	}
	return out
}

func lazyOptions(t *testing.T, r *rapid.T, f fleet) *krm.Object {
	return jsonObject(t, map[string]any{"apiVersion": "fn.waybill.dev/v1alpha1", "kind": "BundleManifestWork", "spec": map[string]any{
		"assignment": rapid.SampledFrom([]string{sticky, sequential}).Draw(r, "assignment"), "overflow": move, "fill": 100,
		"maxSize": f.limits.Size, "maxObjects": f.limits.Objects, "allowEmptySelection": true}})
}

func withConfig(in *fn.Input, config *krm.Object) *fn.Input {
	in.Config = config
	return in
}

func textsOf(r *rapid.T, works []*krm.Object) map[string]string {
	files := map[string]string{}
	for _, o := range works {
		text, err := krm.Write([]*krm.Object{o})
		if err != nil {
			r.Fatal(err)
		}
		files[o.File()] = string(text)
	}
	return files
}

// editFile edits a file and returns 1, or 0 if there is none.
func editFile(r *rapid.T, files map[string]string) int {
	if len(files) == 0 {
		return 0
	}
	names := slices.Sorted(maps.Keys(files))
	file := rapid.SampledFrom(names).Draw(r, "file")
	lines := strings.SplitAfter(files[file], "\n")
	i := rapid.IntRange(0, len(lines)-1).Draw(r, "line")
	switch rapid.IntRange(0, 8).Draw(r, "how") {
	case 0:
		delete(files, file)
		return 1
	case 1:
		files[file] = files[rapid.SampledFrom(names).Draw(r, "other")]
		return 1
	case 2:
		lines[i] = ""
	case 3:
		lines[i] += lines[i]
	case 4:
		lines[i] = strings.TrimPrefix(lines[i], "  ")
	case 5:
		lines[i] = strings.ReplaceAll(lines[i], `"`, "'")
	case 6:
		lines[i] = "  # by hand\n   \n" + lines[i]
	case 7:
		lines[i] = strings.Replace(lines[i], "name: o", "name: 'o'o", 1)
	default:
		lines[i] = strings.TrimSuffix(lines[i], "\n") + "x\n"
	}
	files[file] = strings.Join(lines, "")
	return 1
}

func readFiles(files map[string]string, read func(string, []byte, krm.Limits) ([]*krm.Object, error)) (items []*krm.Object, ok bool) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		objs, err := read(name, []byte(files[name]), krm.Limits{})
		if err != nil {
			return nil, false
		}
		for i, o := range objs {
			o.SetPath(name, i)
			items = append(items, o)
		}
	}
	return items, true
}

func dataOf(r *rapid.T, items []*krm.Object) map[string]string {
	data := map[string]string{}
	for _, o := range ocmcheck.Works(items) {
		text, err := krm.CanonicalJSON(o.WithoutOrchestration().Node())
		if err != nil {
			r.Fatal(err)
		}
		data[o.File()] += string(text) + "\n"
	}
	return data
}

package upstream_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// made is a generated object.
func made(name, sum string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\n  annotations:\n    waybill.dev/generated-by: something\ndata:\n  sum: \"" + sum + "\"\n"
}

// withMark is an object with its mark.
func withMark(t *testing.T, object string) string {
	t.Helper()
	text, _ := merge.AddMarks(packageOf(t, map[string][]byte{"w.yaml": []byte(object)})).Get("w.yaml")
	return string(text)
}

// TestMergeOwnGenerated merges packages with generated objects: those of ours stay, and all others merge.
func TestMergeOwnGenerated(t *testing.T) {
	kpt := kptfileOf("set-labels tier=gold")
	none := kptfileText("here", "repo", "/web", "v1", "v1")
	sub := "-- sub/Kptfile --\n" + strings.TrimPrefix(kpt, "-- Kptfile --\n")
	file := func(name, text string) string { return "-- " + name + " --\n" + text }
	for name, tc := range map[string]struct {
		reason             string
		base, theirs, ours string
		want               map[string]string // of the result; "" for no such file
		leftOut            []string
		conflicts          int
		opts               merge.Options
	}{
		"Changed": {"what upstream generates is for upstream's clusters",
			kpt + file("w.yaml", made("w", "1")), kpt + file("w.yaml", made("w", "2")), kpt + file("w.yaml", made("w", "1")),
			map[string]string{"w.yaml": made("w", "1")}, []string{"w.yaml"}, 0, merge.Options{}},
		"Both": {"and is no conflict",
			kpt + file("w.yaml", made("w", "1")), kpt + file("w.yaml", made("w", "2")), kpt + file("w.yaml", made("w", "3")),
			map[string]string{"w.yaml": made("w", "3")}, []string{"w.yaml"}, 0, merge.Options{Prefer: merge.Fail}},
		"Same": {"nothing is left out where upstream changes nothing",
			kpt + file("w.yaml", made("w", "1")), kpt + file("w.yaml", made("w", "1")), kpt + file("w.yaml", made("w", "3")),
			map[string]string{"w.yaml": made("w", "3")}, nil, 0, merge.Options{}},
		"Added": {"what is new upstream was not generated here",
			kpt, kpt + file("w.yaml", made("w", "2")), kpt,
			map[string]string{"w.yaml": ""}, []string{"w.yaml"}, 0, merge.Options{Strategy: merge.CopyMerge}},
		"Deleted": {"what upstream deleted is on the clusters here",
			kpt + file("w.yaml", made("w", "1")), kpt, kpt + file("w.yaml", made("w", "1")),
			map[string]string{"w.yaml": made("w", "1")}, []string{"w.yaml"}, 0, merge.Options{Strategy: merge.ForceDeleteReplace}},
		"Mixed": {"beside it in a file, what people wrote merges",
			kpt + file("w.yaml", plain("red")+"---\n"+made("w", "1")), kpt + file("w.yaml", plain("blue")+"---\n"+made("w", "2")), kpt + file("w.yaml", cm("red")+"---\n"+made("w", "3")),
			map[string]string{"w.yaml": cm("blue") + "---\n" + made("w", "3")}, []string{"w.yaml"}, 0, merge.Options{}},
		"MixedSame": {"and keeps its bytes",
			kpt + file("w.yaml", plain("red")+"---\n"+made("w", "1")), kpt + file("w.yaml", plain("red")+"---\n"+made("w", "2")), kpt + file("w.yaml", made("w", "3")+"---\n"+cm("red")),
			map[string]string{"w.yaml": made("w", "3") + "---\n" + cm("red")}, []string{"w.yaml"}, 0, merge.Options{}},
		"InTheWay": {"both are in a file that upstream begins to use: rendering says whether one is too many",
			kpt, kpt + file("w.yaml", plain("red")), kpt + file("w.yaml", made("w", "1")),
			map[string]string{"w.yaml": cm("red") + "---\n" + made("w", "1")}, nil, 0, merge.Options{}},
		"Fail": {"a conflict leaves all as it is",
			kpt + file("cm.yaml", plain("red")) + file("w.yaml", made("w", "1")), kpt + file("cm.yaml", plain("blue")), kpt + file("cm.yaml", cm("green")) + file("w.yaml", made("w", "3")),
			map[string]string{"cm.yaml": cm("green"), "w.yaml": made("w", "3")}, []string{"w.yaml"}, 1, merge.Options{Prefer: merge.Fail}},
		"Subpackage": {"of a subpackage that upstream has still",
			kpt + sub + file("sub/w.yaml", made("w", "1")), kpt + sub, kpt + sub + file("sub/w.yaml", made("w", "1")),
			map[string]string{"sub/w.yaml": made("w", "1")}, []string{"sub/w.yaml"}, 0, merge.Options{}},
		"SubpackageGone": {"one that upstream deleted goes with all that is in it",
			kpt + sub + file("sub/w.yaml", made("w", "1")), kpt, kpt + sub + file("sub/w.yaml", made("w", "1")),
			map[string]string{"sub/w.yaml": "", "sub/Kptfile": ""}, nil, 0, merge.Options{}},
		"SubpackageStays": {"unless clusters have something else of it here, which is told",
			kpt + sub + file("sub/w.yaml", made("w", "1")), kpt, kpt + sub + file("sub/w.yaml", made("w", "3")),
			map[string]string{"sub/w.yaml": withMark(t, made("w", "3"))}, nil, 1, merge.Options{}},
		"NoFunctions": {"where nothing renders, what upstream rendered is what there is to ship",
			file("Kptfile", none) + file("w.yaml", made("w", "1")), file("Kptfile", none) + file("w.yaml", made("w", "2")), file("Kptfile", none) + file("w.yaml", made("w", "1")),
			map[string]string{"w.yaml": withMark(t, made("w", "2"))}, nil, 0, merge.Options{Strategy: merge.CopyMerge}},
	} {
		t.Run(name, func(t *testing.T) {
			base, theirs, ours := archive(t, tc.base), archive(t, tc.theirs), archive(t, tc.ours)
			res, leftOut, err := upstream.Merge(base, theirs, ours, tc.opts)
			if err != nil {
				t.Fatal(err)
			}
			for p, want := range tc.want {
				got, _ := res.Tree.Get(p)
				if diff := cmp.Diff(want, string(got)); diff != "" {
					t.Errorf("%s: %s (-want +got):\n%s", tc.reason, p, diff)
				}
			}
			if !slices.Equal(tc.leftOut, leftOut) || len(res.Conflicts) != tc.conflicts {
				t.Errorf("%s: left out %q, want %q; conflicts: %q", tc.reason, leftOut, tc.leftOut, lines(res.Conflicts))
			}
			again, _, err := upstream.Merge(theirs, theirs, res.Tree, tc.opts)
			if err != nil {
				t.Fatal(err)
			}
			sameTrees(t, "the second time", res.Tree, again.Tree)
		})
	}
}

package upstream_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/merge/diff"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// describe is a change in words.
func describe(c diff.Change) string {
	text := string(c.Kind) + " " + c.File
	if c.Field != "" {
		text += " " + c.Field
	}
	for _, v := range []*string{c.From, c.To} {
		if v != nil {
			text += " " + *v
		}
	}
	return text
}

func TestDiff(t *testing.T) {
	own := func(ref, locked string) string { return kptfileText("here", "repo", "/web", ref, locked) }
	db := func(ref, locked string) string { return kptfileText("db", "repo", "/db", ref, locked) }
	repositories := "-- v1:repo/web/cm.yaml --\n" + plain("red") + "-- v2:repo/web/cm.yaml --\n" + plain("blue") +
		"-- v1:repo/web/db/Kptfile --\n" + db("v1", "") + "-- v2:repo/web/db/Kptfile --\n" + db("v1", "") +
		"-- v1:repo/db/cm.yaml --\n" + plain("one") + "-- main:repo/db/cm.yaml --\n" + plain("two")
	for name, tc := range map[string]struct {
		reason, ours string
		opts         upstream.DiffOptions
		want         []string
		err          string
	}{
		"nothing": {
			reason: "what was fetched, marked and named is what upstream has",
			ours:   "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("red") + "-- db/Kptfile --\n" + db("v1", "v1") + "-- db/cm.yaml --\n" + cm("one"),
			opts:   upstream.DiffOptions{Type: upstream.Local},
		},
		"local": {
			reason: "each package is compared with its own upstream at the time",
			ours:   "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("green") + "-- db/Kptfile --\n" + db("main", "v1") + "-- db/cm.yaml --\n" + cm("mine"),
			opts:   upstream.DiffOptions{Type: upstream.Local},
			want:   []string{"changed cm.yaml data.color red green", "changed db/cm.yaml data.color one mine"},
		},
		"remote": {
			reason: "upstream then and now; the ref asked for is the root's alone",
			ours:   "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("green") + "-- db/Kptfile --\n" + db("main", "v1") + "-- db/cm.yaml --\n" + cm("mine"),
			opts:   upstream.DiffOptions{Type: upstream.Remote, Ref: "v2"},
			want:   []string{"changed cm.yaml data.color red blue", "changed db/cm.yaml data.color one two"},
		},
		"combined": {
			reason: "upstream now, with ours",
			ours:   "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("green") + "-- db/Kptfile --\n" + db("main", "v1") + "-- db/cm.yaml --\n" + cm("mine"),
			opts:   upstream.DiffOptions{Type: upstream.Combined, Ref: "v2"},
			want:   []string{"changed cm.yaml data.color blue green", "changed db/cm.yaml data.color two mine"},
		},
		"added": {
			reason: "a subpackage of another upstream is one addition, and then its own",
			ours: "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("red") + "-- db/Kptfile --\n" + db("v1", "v1") + "-- db/cm.yaml --\n" + cm("one") +
				"-- more/Kptfile --\n" + kptfileText("more", "repo", "/db", "main", "main") + "-- more/cm.yaml --\n" + cm("three"),
			opts: upstream.DiffOptions{Type: upstream.Local},
			want: []string{"added more", "changed more/cm.yaml data.color two three"},
		},
		"gone": {
			reason: "one that was deleted here is that",
			ours:   "-- Kptfile --\n" + own("v1", "v1") + "-- cm.yaml --\n" + cm("red"),
			opts:   upstream.DiffOptions{Type: upstream.Local},
			want:   []string{"removed db/Kptfile"},
		},
		"never fetched": {reason: "there is no then", ours: "-- Kptfile --\n" + own("v1", ""), opts: upstream.DiffOptions{Type: upstream.Local}, err: "never fetched"},
		"no upstream":   {reason: "in kpt's words", ours: "-- Kptfile --\n" + kptfileText("here", "", "", "", ""), opts: upstream.DiffOptions{Type: upstream.Local}, err: "package must have an upstream reference"},
		"type":          {reason: "what there is to choose from", ours: "-- Kptfile --\n" + own("v1", "v1"), opts: upstream.DiffOptions{Type: "hope"}, err: "want local, remote or combined"},
		"ref":           {reason: "one that is not there", ours: "-- Kptfile --\n" + own("v1", "v1"), opts: upstream.DiffOptions{Type: upstream.Remote, Ref: "v9"}, err: `"v9"`},
	} {
		t.Run(name, func(t *testing.T) {
			changes, err := upstream.Diff(t.Context(), shelfOf(t, repositories), archive(t, tc.ours), tc.opts)
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("%s: got %v, want %q", tc.reason, err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			var got []string
			for _, c := range changes {
				got = append(got, describe(c))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

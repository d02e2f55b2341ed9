package upstream_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// labelled are a package that labels all that is in it, and a subpackage with an upstream of its own: as
// upstream has them, at v1 and, changed, at v2.
func labelled() string {
	root := strings.TrimPrefix(kptfileOf("set-labels tier=gold"), "-- Kptfile --\n")
	color := func(name, color string) string {
		return strings.NewReplacer("red", color, "name: web\n", "name: "+name+"\n  labels:\n    tier: none\n").Replace(configMap)
	}
	sub := strings.NewReplacer("tier: none", "tier: some").Replace
	return "-- v1:repo/web/Kptfile --\n" + root + "-- v2:repo/web/Kptfile --\n" + root +
		"-- v1:repo/web/db/Kptfile --\n" + kptfileText("db", "repo", "/web/db", "v1", "") +
		"-- v2:repo/web/db/Kptfile --\n" + kptfileText("db", "repo", "/web/db", "v2", "") +
		"-- v1:repo/web/db/cm.yaml --\n" + color("cm", "one") + "-- v2:repo/web/db/cm.yaml --\n" + sub(color("cm", "two")) +
		"-- v1:repo/web/db/old.yaml --\n" + color("old", "one") +
		"-- v1:repo/web/cm.yaml --\n" + color("cm", "red") + "-- v2:repo/web/cm.yaml --\n" + sub(color("cm", "blue"))
}

// A subpackage is changed by the functions of what it is in, which its own upstream does not have.
func TestUpdateRendered(t *testing.T) {
	s := shelfOf(t, labelled())
	got, err := upstream.Get(t.Context(), s, kptfilev1.Git{Repo: "repo", Directory: "/web", Ref: "v1"}, upstream.GetOptions{Name: "here"})
	if err != nil {
		t.Fatal(err)
	}
	ours := rendered(t, got.Tree)
	for name, tc := range map[string]struct {
		reason    string
		render    upstream.Render
		conflicts []string
		old       bool
	}{
		"plain":    {reason: "what functions changed looks like an edit", conflicts: []string{"cm.yaml metadata.labels.tier", "db/cm.yaml metadata.labels.tier", "db/old.yaml "}, old: true},
		"rendered": {reason: "and is none when both sides are rendered", render: functions(t)},
	} {
		t.Run(name, func(t *testing.T) {
			did, err := upstream.Update(t.Context(), s, ours, upstream.UpdateOptions{Ref: "v2", Prefer: merge.Local, Render: tc.render})
			if err != nil {
				t.Fatal(err)
			}
			var conflicts []string
			for _, c := range did.Conflicts {
				conflicts = append(conflicts, c.File+" "+c.Field)
			}
			if diff := cmp.Diff(tc.conflicts, conflicts); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if there := did.Tree.Blob("db/old.yaml") != nil; there != tc.old {
				t.Errorf("%s: what upstream deleted is there: %t", tc.reason, there)
			}
			for _, file := range []string{"cm.yaml", "db/cm.yaml"} {
				if text, _ := did.Tree.Get(file); !strings.Contains(string(text), "tier: gold") || !strings.Contains(string(text), map[string]string{"cm.yaml": "blue", "db/cm.yaml": "two"}[file]) {
					t.Errorf("%s: %s is\n%s", tc.reason, file, text)
				}
			}
		})
	}
}

package fleet

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/risk"
)

// TestDeletionSettings rates a work that says in another way what becomes of its objects once it no longer holds them.
func TestDeletionSettings(t *testing.T) {
	const all, none = "  deleteOption:\n    propagationPolicy: Orphan\n", "  deleteOption:\n    propagationPolicy: Foreground\n"
	claim, both := orphaning("PersistentVolumeClaim"), orphaning("PersistentVolumeClaim", "Deployment")
	cases := map[string]struct{ reason, before, after, want string }{
		"Begin":    {"the claim stays from now on", "", claim, risk.NowOrphaned},
		"More":     {"so does the Deployment", claim, both, risk.NowOrphaned},
		"Word":     {"the same in one word is the same", both, all, ""},
		"WordMore": {"or more", claim, all, risk.NowOrphaned},
		"End":      {"nothing stays any more", claim, "", risk.NoLongerOrphaned},
		"EndWord":  {"in one word", all, none, risk.NoLongerOrphaned},
		"EndSome":  {"only the claim does", both, claim, risk.NoLongerOrphaned},
		"Other":    {"another object stays", orphaning("Deployment"), claim, risk.NoLongerOrphaned + " " + risk.NowOrphaned},
		"Said":     {"the default is the default, said or not", "", none, ""},
		"Nobody":   {"a rule about nothing in the work", "", orphaning("Service"), ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			was, is := holds("a", "PersistentVolumeClaim", "Deployment"), holds("a", "PersistentVolumeClaim", "Deployment")
			was.settings, is.settings = tc.before, tc.after
			for _, written := range []string{"as the bundler writes it", "by hand"} {
				before, after := worksOf(was), worksOf(is)
				if written == "by hand" {
					for _, files := range []map[string][]byte{before, after} {
						for path, text := range files {
							files[path] = append([]byte("# a comment\n"), text...)
						}
					}
				}
				p := compared(t, treeOf(t, before), treeOf(t, after)).Preview("")
				var got []string
				for _, r := range p.Risks {
					got = append(got, r.Name)
				}
				if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
					t.Errorf("%s, %s (-want +got):\n%s", tc.reason, written, diff)
				}
				if slices.ContainsFunc(p.Groups, func(g waybill.PreviewGroup) bool { return g.Object.Kind != "ManifestWork" }) {
					t.Errorf("%s: an object changes", tc.reason)
				}
			}
		})
	}
}

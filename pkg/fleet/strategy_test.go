package fleet

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestUpdateStrategy reports the update strategy in one line, apart from other settings.
func TestUpdateStrategy(t *testing.T) {
	config := func(resource, name, strategy string) string {
		return "  - resourceIdentifier:\n      group: \"\"\n      resource: " + resource + "\n      namespace: \"" + name + "\"\n      name: \"" + name + "\"\n    updateStrategy:\n      type: " + strategy + "\n"
	}
	all := func(resource, strategy string) string { return config(resource, "*", strategy) }
	with := func(name, configs string, objects ...string) fixture {
		w := holds(name, objects...)
		if configs != "" {
			w.settings = "  manifestConfigs:\n" + configs
		}
		return w
	}
	const line = "* changed on 1 in 1: spec.manifestConfigs[*].updateStrategy.type Update → ServerSideApply  [low update-strategy]"
	cases := map[string]struct {
		reason        string
		before, after works
		want          []string
	}{
		"Default": {"a new default, in works of several names and resources", works{with("a", "", "ConfigMap"), with("b", "", "Service", "ConfigMap/y")},
			works{with("a", all("configmaps", "ServerSideApply"), "ConfigMap"), with("b", all("configmaps", "ServerSideApply")+all("services", "ServerSideApply"), "Service", "ConfigMap/y")},
			[]string{"* changed on 1 in 2: spec.manifestConfigs[*].updateStrategy.type Update → ServerSideApply  [low update-strategy]"}},
		"Said":     {"what was said before", works{with("a", all("configmaps", "Update"), "ConfigMap")}, works{with("a", all("configmaps", "ServerSideApply"), "ConfigMap")}, []string{line}},
		"SameSaid": {"the default is no change", works{with("a", "", "ConfigMap")}, works{with("a", all("configmaps", "Update"), "ConfigMap")}, []string{"a changed on 1 in 1: spec.manifestConfigs[configmaps */*] → {updateStrategy: {type: Update}}  [ ]"}},
		"CreateOnly": {"another strategy is no way to apply", works{with("a", "", "ConfigMap")}, works{with("a", all("configmaps", "CreateOnly"), "ConfigMap")},
			[]string{"a changed on 1 in 1: spec.manifestConfigs[configmaps */*] → {updateStrategy: {type: CreateOnly}}  [high work-settings]"}},
		"WithObject": {"a config comes with the first object of its resource", works{with("a", all("configmaps", "ServerSideApply"), "ConfigMap")},
			works{with("a", all("configmaps", "ServerSideApply")+all("services", "ServerSideApply"), "ConfigMap", "Service")},
			[]string{"a changed on 1 in 1: spec.manifestConfigs[services */*] → {updateStrategy: {type: ServerSideApply}}  [ ]", "x added on 1 in 1:  [ ]"}},
		"Kept": {"configs of single objects stay in front", works{with("a", config("configmaps", "x", "CreateOnly"), "ConfigMap", "Service")},
			works{with("a", config("configmaps", "x", "CreateOnly")+all("configmaps", "ServerSideApply")+all("services", "ServerSideApply"), "ConfigMap", "Service")}, []string{line}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := compared(t, treeOf(t, worksOf(tc.before...)), treeOf(t, worksOf(tc.after...))).Preview("")
			var got []string
			for _, g := range p.Groups {
				line := fmt.Sprintf("%s %s on %d in %d:", g.Object.Name, g.Change, g.Clusters, len(g.Shapes[0].Clusters))
				for _, f := range g.Shapes[0].Fields {
					if line += " " + f.Field; f.From != nil {
						line += " " + *f.From
					}
					line += " → " + *f.To
				}
				line += fmt.Sprintf("  [%s %s]", g.Level, slices.Concat(g.Risks, []string{""})[0])
				got = append(got, line)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || p.Summary.Removed > 0 {
				t.Errorf("%s: %d removed (-want +got):\n%s", tc.reason, p.Summary.Removed, diff)
			}
		})
	}
}

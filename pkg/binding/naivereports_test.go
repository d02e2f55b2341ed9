package binding

import (
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
)

// naiveReports looks at every object on every cluster: for each it says which reports on p and q,
// the two policies of a random package should have.
func (w *randomPackage) naiveReports() map[string]bool {
	out := map[string]bool{}
	specs := map[string]control.BindingSpec{}
	for name, p := range w.policies {
		specs[name] = w.naive(p)
	}
	for key, p := range objectsOf(specs["p"]) {
		q, both := objectsOf(specs["q"])[key]
		for _, c := range specs["p"].Destinations {
			if both && slices.Contains(specs["q"].Destinations, c) {
				out[map[bool]string{true: "info", false: "warning"}[p.CreateOnly == q.CreateOnly]+" both"] = true
			}
		}
	}
	for _, name := range []string{"p", "q"} {
		for key := range objectsOf(specs[name]) {
			on, wanted := map[control.Destination]bool{}, false
			for _, spec := range specs {
				if m, ok := objectsOf(spec)[key]; ok && m.WantSingletonReportedState {
					wanted = true
					for _, c := range spec.Destinations {
						on[c] = true
					}
				}
			}
			if wanted && len(on) != 1 {
				out["singleton "+name] = true
			}
		}
	}
	return out
}

func objectsOf(s control.BindingSpec) map[string]control.Modulation {
	out := map[string]control.Modulation{}
	for _, o := range s.Workload.ClusterScope {
		out[o.Group+"/"+o.Resource+"//"+o.Name] = o.Modulation
	}
	for _, o := range s.Workload.NamespaceScope {
		out[o.Group+"/"+o.Resource+"/"+o.Namespace+"/"+o.Name] = o.Modulation
	}
	return out
}

func reportsIn(out *fn.Output) map[string]bool {
	got := map[string]bool{}
	for _, r := range out.Results {
		switch {
		case strings.Contains(r.Message, "both send"):
			got[string(r.Severity)+" both"] = true
		case strings.HasPrefix(r.Message, "Singleton reported status return"):
			got["singleton "+r.ResourceRef.Name] = true
		}
	}
	return got
}

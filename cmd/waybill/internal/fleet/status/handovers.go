package status

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// unappliedHandOvers are the clusters with a work whose hand-over no agent has applied yet: the object reports say nothing of
// these works, and to end the hand-over would delete objects there. Works of all count if they are in the package, too, or are
// those of its Bindings; a namespace leaves out all other clusters.
func unappliedHandOvers(inPackage, all []*krm.Object, namespace string) []string {
	works, known := entriesExpected(inPackage, all), map[krm.ID]bool{}
	for _, o := range all {
		if entries := works[o.ID()]; entries != "" && o.Annotation(fn.HandOver) == entries && applied(o) {
			known[o.ID()] = true
		}
	}
	clusters := map[string]bool{}
	for id := range works {
		if !known[id] && (namespace == "" || id.Namespace == namespace) {
			clusters[id.Namespace] = true
		}
	}
	return slices.Sorted(maps.Keys(clusters))
}

// entriesExpected are the numbers of hand-over entries of works. A work without a status, as packages have it, is the present one.
func entriesExpected(inPackage, all []*krm.Object) map[krm.ID]string {
	ours, policies, out := map[*krm.Object]bool{}, map[string]bool{}, map[krm.ID]string{}
	for _, o := range inPackage {
		ours[o] = true
		policies[o.Name()] = policies[o.Name()] || o.Is(control.Group, control.KindBinding)
	}
	for _, reported := range []bool{true, false} {
		for _, o := range slices.Concat(all, inPackage) {
			if !o.Is(naming.WorkGroup, naming.WorkKind) || (o.Lookup("status") != nil) != reported {
				continue
			}
			if entries := o.Annotation(fn.HandOver); entries != "" && (ours[o] || policies[o.Labels()[control.OriginBindingLabel]]) {
				out[o.ID()] = entries
			}
		}
	}
	return out
}

// warnOfHandOvers prints the clusters where a hand-over must not end yet.
func warnOfHandOvers(w io.Writer, clusters []string) {
	if len(clusters) > 0 {
		fmt.Fprintf(w, "[warning] hand-overs that are not known to be applied, in %s: do not render with handOver: finish yet\n",
			cli.SafeText(few(clusters)))
	}
}

// applied reports whether the agent has applied a work as it is now.
func applied(work *krm.Object) bool {
	generation := krm.Text(work.Lookup("metadata", "generation"))
	conditions := work.Lookup("status", "conditions")
	if conditions == nil {
		return false
	}
	for _, c := range conditions.Content {
		if krm.Text(c, "type") == "Applied" {
			return krm.Text(c, "status") == "True" && (generation == "" || krm.Text(c, "observedGeneration") == generation)
		}
	}
	return false
}

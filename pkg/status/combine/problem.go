package combine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// Problem is why a cluster does not report about what was sent to it last.
type Problem struct {
	Cluster string
	State   reports.State
	Message string
}

// Failure is the error of the cluster in results; "" for none.
func (p Problem) Failure() string {
	return reports.Manifest{State: p.State, Message: p.Message}.Failure()
}

// add adds the report of a destination.
func (o *Object) add(cluster string, r reports.Report) {
	switch {
	case r.Current():
		o.Reporting = append(o.Reporting, cluster)
	case r.Known || r.Manifest.Failure() != "":
		o.Problems = append(o.Problems, Problem{cluster, r.Manifest.State, r.Manifest.Message})
	}
}

// Silent are the destinations without a report, in order.
func (o *Object) Silent() []string {
	return slices.DeleteFunc(slices.Clone(o.Destinations), func(cluster string) bool {
		_, reports := slices.BinarySearch(o.Reporting, cluster)
		_, has := slices.BinarySearchFunc(o.Problems, cluster, func(p Problem, cluster string) int { return cmp.Compare(p.Cluster, cluster) })
		return reports || has
	})
}

// maxNamed is how many clusters a warning lists.
const maxNamed = 3

// Failures returns warnings, for each object, about clusters that could not apply it or lost it.
func (s *Summary) Failures() (out sdk.Results) {
	for _, o := range s.Objects {
		for _, state := range []reports.State{reports.Failed, reports.Missing} {
			if text := o.failures(state); text != "" {
				out = append(out, fn.NewResult(sdk.Warning, o.about, nil, "%s", text))
			}
		}
	}
	return out
}

// failures lists the clusters in a state, with the reasons; "" when there are none.
func (o *Object) failures(state reports.State) string {
	var names []string
	for _, p := range o.Problems {
		if p.State == state {
			names = append(names, fmt.Sprintf("%q: %s", p.Cluster, p.Message))
		}
	}
	if len(names) == 0 {
		return ""
	}
	what := map[reports.State]string{reports.Failed: "apply failed", reports.Missing: "the object is missing"}[state]
	noun := "clusters"
	if len(o.Destinations) == 1 {
		noun = "cluster"
	}
	text := fmt.Sprintf("Binding %q: %s in %d of %d %s: ", o.Subject.Policy, what, len(names), len(o.Destinations), noun)
	if more := len(names) - maxNamed; more > 0 {
		names = append(names[:maxNamed], fmt.Sprintf("%d more", more))
	}
	return text + strings.Join(names, "; ")
}

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

// Problem is why a cluster does not count as one that reports about what was sent to it.
type Problem struct {
	Cluster string
	State   reports.State
	Message string
}

// Failure is the error that results have of the cluster; "" for none.
func (p Problem) Failure() string {
	return reports.Manifest{State: p.State, Message: p.Message}.Failure()
}

// add notes what a destination says.
func (o *Object) add(cluster string, r reports.Report) {
	switch {
	case r.Current():
		o.Reporting = append(o.Reporting, cluster)
	case r.Known || r.Manifest.Failure() != "":
		o.Problems = append(o.Problems, Problem{cluster, r.Manifest.State, r.Manifest.Message})
	}
}

// Silent are the destinations that say nothing, in order.
func (o *Object) Silent() []string {
	return slices.DeleteFunc(slices.Clone(o.Destinations), func(cluster string) bool {
		_, reports := slices.BinarySearch(o.Reporting, cluster)
		_, has := slices.BinarySearchFunc(o.Problems, cluster, func(p Problem, cluster string) int { return cmp.Compare(p.Cluster, cluster) })
		return reports || has
	})
}

// maxNamed is how many clusters a warning names.
const maxNamed = 3

// Failures warn, for each object, of clusters that could not apply it and of those that lost it.
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

// failures says which clusters are in a state, and why; "" when none is.
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

package status

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/combine"
	"github.com/waybill-dev/waybill/pkg/status/reports"
	"github.com/waybill-dev/waybill/pkg/style"
)

// Object is the status of one object under one Binding, for scripts.
type Object struct {
	Group     string `json:"group"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Binding   string `json:"binding"`
	// Clusters are all destinations; each is in one of the other lists too.
	Clusters []string  `json:"clusters"`
	Reported []string  `json:"reported"`
	Silent   []string  `json:"silent"`
	Problems []Problem `json:"problems"`
}

// Problem is why a cluster does not count as reporting.
type Problem struct {
	Cluster string `json:"cluster"`
	State   string `json:"state"`
	Message string `json:"message"`
}

func newObject(o combine.Object) Object {
	notNil := func(names []string) []string { return append([]string{}, names...) }
	out := Object{
		Group: o.Subject.Group, Kind: o.Subject.Kind, Namespace: o.Subject.Namespace, Name: o.Subject.Name, Binding: o.Subject.Policy,
		Clusters: notNil(o.Destinations), Reported: notNil(o.Reporting), Silent: notNil(o.Silent()), Problems: []Problem{},
	}
	for _, p := range o.Problems {
		out.Problems = append(out.Problems, Problem{p.Cluster, string(p.State), p.Message})
	}
	return out
}

// printProblems prints one line for all clusters with the same problem, the worst first.
func printProblems(w io.Writer, o combine.Object) {
	clusters := map[combine.Problem][]string{}
	for _, p := range o.Problems {
		key := combine.Problem{State: p.State, Message: p.Message}
		clusters[key] = append(clusters[key], p.Cluster)
	}
	kinds := slices.SortedFunc(maps.Keys(clusters), func(a, b combine.Problem) int {
		return cmp.Or(cmp.Compare(slices.Index(worstFirst, a.State), slices.Index(worstFirst, b.State)),
			cmp.Compare(clusters[a][0], clusters[b][0]))
	})
	for _, p := range kinds {
		state := strings.ToLower(string(p.State))
		fmt.Fprintf(w, "  %s in %s: %s\n", style.Of(w).Paint(style.Word(state), state), cell(few(clusters[p])), cli.SafeText(p.Message))
	}
}

var worstFirst = []reports.State{reports.Failed, reports.Missing, reports.Stale, reports.Unknown}

// isProblem reports whether an error of a result is printed below the object already.
func isProblem(o combine.Object, e control.RowError) bool {
	return e.ColumnName == "" && slices.ContainsFunc(o.Problems, func(p combine.Problem) bool {
		return p.Cluster == e.WEC.ClusterID && p.Failure() == e.Error
	})
}

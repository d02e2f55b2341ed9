package bundling

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/bundling/bindings"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// duplicates watches for objects that several works bring to one cluster. That is allowed, and the
// same content from two policies is harmless (bind-resolve speaks of it); here it is about works
// that would fight: one that updates what the other only creates, or two sources of one object.
type duplicates struct {
	all    bool                 // some object's identity depends on the cluster: anything may meet
	shared map[*krm.Object]bool // objects that several Bindings ship
	first  map[arrival]sender
	found  map[conflict][]string // the clusters where it happens
}

type arrival struct {
	cluster string
	id      krm.ID
}

type sender struct {
	binding    string
	source     *krm.Object
	createOnly bool
}

type conflict struct{ a, b sender }

func newDuplicates(shipments []shipment) *duplicates {
	m := &duplicates{shared: map[*krm.Object]bool{}, first: map[arrival]sender{}, found: map[conflict][]string{}}
	seen := map[*krm.Object]bool{}
	for _, s := range shipments {
		for _, p := range s.payloads {
			m.all = m.all || p.renamed
			m.shared[p.source] = m.shared[p.source] || seen[p.source]
			seen[p.source] = true
		}
	}
	return m
}

// note takes down what arrives at a cluster. Bindings come by name.
func (m *duplicates) note(cluster string, bd bindings.Binding, payloadsFor []shippedObject) {
	for _, p := range payloadsFor {
		if !m.all && !m.shared[p.source] {
			continue
		}
		key := arrival{cluster, p.named.ID()}
		now := sender{bd.Binding, p.source, p.CreateOnly}
		before, met := m.first[key]
		if !met {
			m.first[key] = now
		} else if before.source != now.source || before.createOnly != now.createOnly {
			c := conflict{before, now}
			m.found[c] = append(m.found[c], cluster)
		}
	}
}

// results has one result for each conflict, whatever the number of clusters. Between Bindings it is
// a warning; within one Binding there is nobody but its author to blame.
func (m *duplicates) results() (out sdk.Results) {
	for c, clusters := range m.found {
		severity := sdk.Warning
		if c.a.binding == c.b.binding {
			severity = sdk.Error
		}
		out = append(out, fn.NewResult(severity, c.b.source, nil, "%s", c.describe(clusterList(clusters))))
	}
	slices.SortFunc(out, func(a, b *sdk.Result) int { return cmp.Compare(a.Message, b.Message) })
	return out
}

func (c conflict) describe(where string) string {
	if c.a.source != c.b.source {
		return fmt.Sprintf("Binding %q ships it as the very object that Binding %q makes of %s, on %s; the two will overwrite each other",
			c.b.binding, c.a.binding, c.a.source.Describe(), where)
	}
	keeps, updates := c.a.binding, c.b.binding
	if c.b.createOnly {
		keeps, updates = updates, keeps
	}
	return fmt.Sprintf("Binding %q is createOnly, Binding %q is not, on %s; the object will be updated there", keeps, updates, where)
}

// clusterList names the first few clusters and counts the rest.
func clusterList(clusters []string) string {
	const shown = 3
	slices.Sort(clusters)
	if len(clusters) <= shown {
		return "cluster " + strings.Join(clusters, ", ")
	}
	return fmt.Sprintf("cluster %s and %d more", strings.Join(clusters[:shown], ", "), len(clusters)-shown)
}

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

// duplicates finds objects that several works bring to one cluster. That is allowed, and equal content from two policies is
// harmless (bind-resolve reports it). It reports works that disagree: one updates what the other only creates, or they
// have two sources of one object.
type duplicates struct {
	all    bool                 // the identity of some object depends on the cluster: check all objects
	shared map[*krm.Object]bool // the sources of payloads, and whether several Bindings ship them
	none   bool                 // no object has to be checked
	first  map[clusterObject]sender
	found  map[conflict][]string // the clusters of each
}

// sender is a Binding that ships an object.
type sender struct {
	binding    string
	source     *krm.Object
	createOnly bool
	stays      bool // by its propagation policy
}

type conflict struct{ a, b sender }

func newDuplicates(shipments []shipment) *duplicates {
	d := &duplicates{none: true, shared: map[*krm.Object]bool{}, first: map[clusterObject]sender{}, found: map[conflict][]string{}}
	for _, s := range shipments {
		for _, p := range s.payloads {
			d.all = d.all || p.renamed
			_, d.shared[p.source] = d.shared[p.source]
			d.none = d.none && !d.all && !d.shared[p.source]
		}
	}
	return d
}

// add records what a Binding brings to a cluster. Bindings come in the order of their names.
func (d *duplicates) add(cluster string, bd bindings.Binding, items []shippedObject) {
	if d.none {
		return
	}
	for _, s := range items {
		if !d.all && !d.shared[s.source] {
			continue
		}
		key, now := clusterObject{cluster, s.named.ID()}, sender{bd.Binding, s.source, s.CreateOnly, s.rule != nil}
		before, twice := d.first[key]
		if !twice {
			d.first[key] = now
		} else if before.source != now.source || before.createOnly != now.createOnly || before.stays != now.stays {
			c := conflict{before, now}
			d.found[c] = append(d.found[c], cluster)
		}
	}
}

// results has one result for each conflict, whatever the number of clusters: a warning between two Bindings, an error within one,
// which its author can correct.
func (d *duplicates) results() (out sdk.Results) {
	for c, clusters := range d.found {
		severity := sdk.Warning
		if c.a.binding == c.b.binding {
			severity = sdk.Error
		}
		out = append(out, fn.NewResult(severity, c.b.source, nil, "%s", c.describe(clusterList(clusters))))
	}
	return byMessage(out)
}

func byMessage(results sdk.Results) sdk.Results {
	slices.SortFunc(results, func(a, b *sdk.Result) int { return cmp.Compare(a.Message, b.Message) })
	return results
}

func (c conflict) describe(where string) string {
	if c.a.source != c.b.source {
		return fmt.Sprintf("Binding %q ships it with the name that Binding %q gives to %s, on %s; the two will overwrite each other",
			c.b.binding, c.a.binding, c.a.source.Describe(), where)
	}
	if c.a.createOnly == c.b.createOnly {
		stays, goes := c.a.binding, c.b.binding
		if c.b.stays {
			stays, goes = goes, stays
		}
		return fmt.Sprintf("Binding %q lets it stay (propagation policy), Binding %q does not, on %s; the object will be deleted there if both "+
			"no longer ship it", stays, goes, where)
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

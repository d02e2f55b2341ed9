package bundling

import (
	"errors"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Explained is one object of a Binding on its way into a work for one cluster.
type Explained struct {
	Binding *krm.Object
	// Source is the object among the items.
	Source *krm.Object
	// Ready is the object as it ships, with templates not expanded. Do not change it.
	Ready *krm.Object
	// Sent is the object as the cluster receives it. Do not change it.
	Sent *krm.Object
	// Properties are what its templates see; nil when it has none.
	Properties map[string]string
}

// Explain computes again which objects one cluster receives of every Binding, as Run does for all clusters, and
// adds no cost to a run. The error is that of a run, except for errors about other clusters only.
func Explain(in *fn.Input, cluster string) (out []Explained, err error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return nil, err
	}
	b := newBundler(in.Items, opts)
	for _, bd := range b.bindings {
		if slices.Contains(bd.Destinations, cluster) {
			out = append(out, b.explain(b.collect(bd), cluster)...)
		}
	}
	return out, b.firstFault()
}

func (b *bundler) explain(s shipment, cluster string) (out []Explained) {
	for _, item := range b.payloadsFor(s, cluster, nil) {
		x := Explained{Binding: s.Object, Source: item.source, Ready: item.object, Sent: item.object}
		if item.values != nil {
			x.Sent, x.Properties = krm.FromNode(item.node()), b.propertiesOf(cluster)
		}
		out = append(out, x)
	}
	return out
}

// firstFault is the first error among the results.
func (b *bundler) firstFault() error {
	for _, r := range b.results {
		if r.Severity == sdk.Error {
			return errors.New(fn.FormatResult(r))
		}
	}
	return nil
}

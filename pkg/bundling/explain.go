package bundling

import (
	"errors"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/bundling/bindings"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Explained is one object of a Binding on its way into a work for one cluster.
type Explained struct {
	Binding *krm.Object
	// Source is the object among the items.
	Source *krm.Object
	// Ready is the object as it ships, with templates not filled in. Nobody may change it.
	Ready *krm.Object
	// Sent is the object as the cluster receives it. Nobody may change it.
	Sent *krm.Object
	// Properties are what its templates see; nil when it has none.
	Properties map[string]string
}

// Explain works out again what one cluster receives of every Binding, object by object, as Run does for all clusters, and
// costs a run nothing. The error is what a run would fail for; what is wrong with other clusters alone is none.
func Explain(in *fn.Input, cluster string) (out []Explained, err error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return nil, err
	}
	b := newBundler(in.Items, opts)
	list, found := bindings.Read(in.Items, opts.WDSName)
	b.results = append(b.results, found...)
	b.sources = bindings.NewSources(in.Items, b.kinds, list)
	for _, bd := range list {
		if slices.Contains(bd.Destinations, cluster) {
			out = append(out, b.explain(b.collect(bd), cluster)...)
		}
	}
	return out, b.firstFault()
}

func (b *bundler) explain(s shipment, cluster string) (out []Explained) {
	for _, item := range b.payloadsFor(s, cluster) {
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

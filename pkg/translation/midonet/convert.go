package midonet

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Converter converts objects to resources of a backend. It is safe for concurrent use.
type Converter struct {
	tenant    string
	namespace string
	enabled   []string
	ids       ids
}

// New returns a Converter. The error is that of the options.
func New(o Options) (*Converter, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Converter{tenant: o.Tenant, namespace: o.Namespace, enabled: slices.Clone(o.Converters), ids: newIDs(o.Tenant, o.Version)}, nil
}

// Ref names an object of the core group by its kind; Namespace is "" for a cluster-scoped one.
type Ref struct{ Kind, Namespace, Name string }

// converters are, by kind, the name in options and the function that converts an object with the one that it refers to.
var converters = map[string]struct {
	name    string
	convert func(c *Converter, o, referred *krm.Object) Outcome
}{
	"Node":      {ConvertNodes, (*Converter).node},
	"Pod":       {ConvertPods, (*Converter).pod},
	"Service":   {ConvertServices, (*Converter).service},
	"Endpoints": {ConvertEndpoints, (*Converter).endpoints},
}

// Handles reports whether objects of this kind are converted.
func (c *Converter) Handles(o *krm.Object) bool {
	return o.Group() == "" && slices.Contains(c.enabled, converters[o.Kind()].name)
}

// Reference is the object on which the conversion of o also depends: the Node of a Pod, the Service of Endpoints. False when
// there is none.
func (c *Converter) Reference(o *krm.Object) (Ref, bool) {
	if !c.Handles(o) {
		return Ref{}, false
	}
	if node := o.String("spec", "nodeName"); o.Kind() == "Pod" && node != "" {
		return Ref{Kind: "Node", Name: node}, true
	}
	if o.Kind() == "Endpoints" {
		return Ref{Kind: "Service", Namespace: c.namespaceOf(o), Name: o.Name()}, true
	}
	return Ref{}, false
}

func (c *Converter) namespaceOf(o *krm.Object) string {
	if ns := o.Namespace(); ns != "" {
		return ns
	}
	return c.namespace
}

// Convert converts o. Referred is the object that Reference names, nil when it does not exist; any other object counts as
// none. Neither is changed or kept. An object that is not handled has Failed.
func (c *Converter) Convert(o, referred *krm.Object) Outcome {
	if !c.Handles(o) {
		return failed(field.NotSupported(field.NewPath("kind"), shown(o.Kind()), c.kinds()))
	}
	return converters[o.Kind()].convert(c, o, referred)
}

// kinds are the converted kinds.
func (c *Converter) kinds() []string {
	all := slices.Sorted(maps.Keys(converters))
	return slices.DeleteFunc(all, func(kind string) bool { return !slices.Contains(c.enabled, converters[kind].name) })
}

// isCore reports whether o is an object of the core group with that kind and name.
func isCore(o *krm.Object, kind, name string) bool {
	return o != nil && o.Is("", kind) && o.Name() == name
}

// kindGlobal is the kind of the keys of global Translations.
const kindGlobal = "midonet-global"

// Global returns the Translations that all objects share: the tunnel zone, the router, and the chains that every bridge sends
// its traffic through.
func (c *Converter) Global() []Translation {
	l := c.list(globalNamespace)
	l.add(Key{Kind: kindGlobal, Name: "tunnel-zone"}, alone(tunnelZone{ID: c.ids.zone.String(), Name: "DefaultTunnelZone", Type: "vxlan"}))
	l.add(Key{Kind: kindGlobal, Name: "cluster-router"}, alone(router{ID: c.ids.router.String(), TenantID: c.tenant, Name: "ClusterRouter"}))
	main, services, pre := c.ids.main, c.ids.services, c.ids.main.sub("Pre Chain")
	l.add(Key{Kind: kindGlobal, Name: "chain"},
		alone(c.chain(main, "KUBE-MAIN")),
		alone(c.chain(pre, "KUBE-PRE")),
		alone(c.chain(services, "KUBE-SERVICES")),
		// The backend inserts a new rule before the others: the last one here is evaluated first.
		in(main, jump(main.sub("Jump To Services"), services)),
		in(main, jump(main.sub("Jump To Pre"), pre)),
		in(pre, rule{ID: main.sub("Reverse DNAT").String(), Type: "rev_dnat", FlowAction: "accept"}),
		in(pre, rule{ID: main.sub("Reverse SNAT").String(), Type: "rev_snat", FlowAction: "continue"}),
	)
	return l.out
}

func (c *Converter) chain(chainID id, name string) chain {
	return chain{ID: chainID.String(), TenantID: c.tenant, Name: name}
}

package bundling

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/bundling/packing"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template/expansion"
)

// shippedObject is a parcel as it goes to one cluster. There are as many as objects times clusters, so it
// ownershipBy what differs there and nothing else: nodes and text are made when somebody wants them.
type shippedObject struct {
	*payload
	values []string    // that fill its templates, in the template's order; nil when it has none
	named  *krm.Object // has the identity that the object has at the cluster
	length int         // of its compact JSON there
	instructions
}

// asIs is p for every cluster.
func (p *payload) asIs() shippedObject {
	return shippedObject{payload: p, named: p.object, length: p.length, instructions: p.instructions}
}

// weight is what it adds to its work.
func (s shippedObject) weight() packing.Weight {
	if s.config == nil {
		return packing.Weight{Object: s.length, General: s.kindConfig}
	}
	return packing.Weight{Object: s.length, Config: s.config.Length, General: s.kindConfig}
}

// referenceWeight is what a hand-over entry of it adds to its work at least. Where that cannot be said the hand-over tells why.
func (s shippedObject) referenceWeight() packing.Weight {
	id := s.named.ID()
	e, err := newReference(manifestconfig.ResourceOf(id, s.Resource), id, s.named.APIVersion())
	if err != nil {
		return packing.Weight{}
	}
	return packing.Weight{Object: e.length, Config: e.config.Length}
}

// expand is p for one cluster. What a hub looks at is checked after expansion.
func (p *payload) expand(a *expansion.Allowance, cluster string, properties map[string]string) (shippedObject, []error) {
	s := p.asIs()
	switch {
	case p.templateErr != nil:
		return s, []error{p.templateErr}
	case p.template == nil:
		return s, nil
	}
	var errs []error
	if s.values, errs = p.template.Fill(a, cluster, properties); len(errs) > 0 {
		return s, errs
	}
	for _, l := range p.leaves {
		s.length += l.Growth(s.values[l.Value])
	}
	if !p.headVaries {
		return s, nil
	}
	named := krm.FromNode(s.node())
	if p.renamed {
		s.named = named
	}
	if err := manifest.Validate(named); err != nil {
		return s, []error{fmt.Errorf("template: %s/%s: %w", cluster, expansion.Ref(p.object), err)}
	}
	return s, nil
}

// node is the object as nodes, which it shares with others.
func (s shippedObject) node() *yaml.Node {
	if s.values == nil {
		return s.object.Node()
	}
	root := s.template.Build(s.values).Node()
	for _, l := range s.leaves {
		l.Restyle(root)
	}
	return root
}

func (s shippedObject) appendTo(dst []byte) ([]byte, error) {
	return s.layout.AppendTo(dst, s.leaves, s.values)
}

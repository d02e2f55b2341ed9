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

// shippedObject is a payload for one cluster, or for all clusters if it has no values. It has only what may differ there; nodes and text
// are made when they are needed.
type shippedObject struct {
	*payload
	values []string    // of its templates, in their order; nil when it has none
	named  *krm.Object // has the identity of the object on the cluster
	instructions
}

// sentID is its identity on the cluster.
func (s shippedObject) sentID() krm.ID {
	if s.named == s.object {
		return s.payload.sentID
	}
	return s.named.ID()
}

// length is that of its compact JSON on the cluster.
func (s shippedObject) length() int {
	total := s.payload.length
	if s.values != nil {
		for _, l := range s.leaves {
			total += l.Growth(s.values[l.Value])
		}
	}
	return total
}

// weight is what it adds to its work.
func (s shippedObject) weight() packing.Weight {
	w := packing.Weight{Object: s.length(), KindConfig: s.kindConfig}
	if s.config != nil {
		w.Config = s.config.Length
	}
	if s.rule != nil {
		w.Config += s.rule.Length + 1
	}
	return w
}

// referenceWeight is the least that a hand-over entry of it adds to its work. The hand-over reports an error.
func (s shippedObject) referenceWeight() packing.Weight {
	id := s.named.ID()
	e, err := newReference(manifestconfig.ResourceOf(id, s.Resource), id, s.named.APIVersion())
	if err != nil {
		return packing.Weight{}
	}
	return packing.Weight{Object: e.length, Config: e.config.Length}
}

// expand is p for one cluster. It checks what a hub checks, after expansion.
func (p *payload) expand(a *expansion.Allowance, cluster string, properties map[string]string) (shippedObject, []error) {
	s := shippedObject{payload: p, named: p.object, instructions: p.instructions}
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

// node is the object as nodes, some of which other objects share.
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

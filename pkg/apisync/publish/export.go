package publish

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Offer is what one PublishedResource adds to an export.
type Offer struct {
	Resource *waybill.PublishedResource
	// Schema is what Schema made for it.
	Schema *krm.Object
}

// Export is an APIExport that offers the schemas, each in place of an older one of its type, and claims the other types that
// their syncer needs. Other schemas and claims stay, and so do those of PublishedResources that no longer exist. Both lists
// are sorted. If nothing changes, the result is existing itself. The order of offers does not matter.
func Export(existing *krm.Object, offers ...Offer) (*krm.Object, error) {
	if existing == nil {
		return nil, errors.New("there is no " + KindExport + "; make one, its spec may be empty")
	}
	if existing.APIVersion() != APIVersion || existing.Kind() != KindExport {
		return nil, fmt.Errorf("%s: want an %s of %s, got %s", existing.Describe(), KindExport, APIVersion, existing.APIVersion())
	}
	out := existing.DeepCopy()
	out.ExpandAliases() // entries move
	offers = slices.SortedFunc(slices.Values(offers), func(a, b Offer) int { return cmp.Compare(a.Resource.Name, b.Resource.Name) })
	changed, err := extend(out, offers)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", existing.Describe(), err)
	}
	if !changed {
		return existing, nil
	}
	return out, nil
}

// extend changes an export, and reports whether anything changed.
func extend(export *krm.Object, offers []Offer) (changed bool, err error) {
	if spec := export.Lookup("spec"); spec != nil && !krm.IsNull(spec) && spec.Kind != yaml.MappingNode {
		return false, field.TypeInvalid(field.NewPath("spec"), field.OmitValueType{}, "want a map")
	}
	schemas, errs := readSchemas(export)
	claims, faults := readClaims(export)
	if errs = append(errs, faults...); len(errs) > 0 {
		return false, errs.ToAggregate()
	}
	wanted, err := offered(schemas, offers)
	if err != nil {
		return false, err
	}
	claimed, err := mergeClaims(claims, wanted, offers)
	if err != nil {
		return false, err
	}
	schemaNode, claimNode := func(l listed) *yaml.Node { return l.node }, func(c permissionClaim) *yaml.Node { return c.node }
	schemasChanged := setList(export, schemasField, nodesOf(schemas, schemaNode), nodesOf(wanted, schemaNode))
	claimsChanged := setList(export, claimsField, nodesOf(claims, claimNode), nodesOf(claimed, claimNode))
	return schemasChanged || claimsChanged, nil
}

const (
	schemasField = "latestResourceSchemas"
	claimsField  = "permissionClaims"
)

func nodesOf[E any](entries []E, node func(E) *yaml.Node) (nodes []*yaml.Node) {
	for _, e := range entries {
		nodes = append(nodes, node(e))
	}
	return nodes
}

// entriesOf are those of a list of the spec.
func entriesOf(export *krm.Object, name string) ([]*yaml.Node, field.ErrorList) {
	n := export.Lookup("spec", name)
	switch {
	case n == nil || krm.IsNull(n):
		return nil, nil
	case !krm.IsList(n):
		return nil, field.ErrorList{field.TypeInvalid(field.NewPath("spec", name), field.OmitValueType{}, "want a list")}
	}
	return n.Content, nil
}

// setList replaces the entries of a list of the spec, and reports whether they differ.
func setList(export *krm.Object, name string, before, entries []*yaml.Node) bool {
	if slices.Equal(before, entries) {
		return false
	}
	spec := export.Lookup("spec")
	if spec == nil || krm.IsNull(spec) {
		spec = krm.MapNode()
		krm.SetField(export.Node(), "spec", spec)
	}
	list := krm.Lookup(spec, name)
	if list == nil || krm.IsNull(list) {
		list = &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
		krm.SetField(spec, name, list)
	}
	if len(list.Content) == 0 {
		list.Style = 0 // what was empty was written as []
	}
	list.Content = entries
	return true
}

// listed is an entry of latestResourceSchemas.
type listed struct {
	resource string // <plural>.<group>
	node     *yaml.Node
}

func newListed(n *yaml.Node) listed {
	_, resource, _ := strings.Cut(n.Value, ".")
	return listed{cmp.Or(resource, n.Value), n}
}

func readSchemas(export *krm.Object) (all []listed, errs field.ErrorList) {
	entries, errs := entriesOf(export, schemasField)
	for i, n := range entries {
		if n.Kind != yaml.ScalarNode || n.ShortTag() != yaml.NodeTagString {
			errs = append(errs, field.TypeInvalid(field.NewPath("spec", schemasField).Index(i), field.OmitValueType{}, "want the name of a schema"))
			continue
		}
		all = append(all, newListed(n))
	}
	return all, errs
}

// offered are the schemas, with those of offers, in the order of their types.
func offered(schemas []listed, offers []Offer) (wanted []listed, err error) {
	own := map[string]Offer{}
	for _, offer := range offers {
		resource := newListed(krm.StringNode(offer.Schema.Name())).resource
		if other, taken := own[resource]; taken {
			return nil, fmt.Errorf("the PublishedResources %s and %s both offer %s; change the projection of one", other.Resource.Name,
				offer.Resource.Name, resource)
		}
		own[resource] = offer
	}
	there := map[string]bool{}
	for _, s := range schemas {
		offer, replaced := own[s.resource]
		switch {
		case !replaced:
			wanted = append(wanted, s)
		case offer.Schema.Name() == s.node.Value && !there[s.resource]:
			there[s.resource] = true
			wanted = append(wanted, s)
		}
	}
	for _, offer := range offers {
		if s := newListed(krm.StringNode(offer.Schema.Name())); !there[s.resource] {
			wanted = append(wanted, s)
		}
	}
	slices.SortStableFunc(wanted, func(a, b listed) int {
		return cmp.Or(cmp.Compare(a.resource, b.resource), cmp.Compare(a.node.Value, b.node.Value))
	})
	return wanted, nil
}

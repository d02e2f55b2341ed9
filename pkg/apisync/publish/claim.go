package publish

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// permissionClaim is an entry of permissionClaims.
type permissionClaim struct {
	of       schema.GroupResource
	identity string
	node     *yaml.Node
}

func readClaims(export *krm.Object) (all []permissionClaim, errs field.ErrorList) {
	entries, errs := entriesOf(export, claimsField)
	for i, n := range entries {
		at, r := field.NewPath("spec", claimsField).Index(i), reader{}
		value, err := krm.Value(n)
		if err != nil {
			errs = append(errs, field.Invalid(at, field.OmitValueType{}, err.Error()))
			continue
		}
		c := permissionClaim{node: n}
		if m := r.object(value, at); m != nil {
			c.of.Resource = r.word(m, at, "resource", nil)
			c.of.Group = r.maybe(m, at, "group")
			c.identity = r.maybe(m, at, "identityHash")
		}
		errs = append(errs, r.errs...)
		all = append(all, c)
	}
	return all, errs
}

// mergeClaims adds to claims those that offers need, sorted; existing ones stay as they are.
func mergeClaims(claims []permissionClaim, schemas []listed, offers []Offer) ([]permissionClaim, error) {
	own := map[schema.GroupResource]bool{}
	for _, s := range schemas {
		own[parseResource(s.resource)] = true
	}
	there := map[schema.GroupResource]permissionClaim{}
	for _, c := range claims {
		if have, twice := there[c.of]; !twice || have.identity == "" {
			there[c.of] = c
		}
	}
	wanted := slices.Clone(claims)
	for _, need := range needed(offers, own) {
		have, is := there[need.of]
		switch {
		case !is:
			need.node = need.write()
			there[need.of] = need
			wanted = append(wanted, need)
		case need.identity != "" && have.identity != need.identity:
			return nil, fmt.Errorf("%s is claimed with identityHash %q, and related objects want %q; change one of them", need.of,
				have.identity, need.identity)
		}
	}
	slices.SortStableFunc(wanted, func(a, b permissionClaim) int {
		return cmp.Or(cmp.Compare(a.of.Group, b.of.Group), cmp.Compare(a.of.Resource, b.of.Resource))
	})
	return wanted, nil
}

// parseResource reads <plural>.<group>, where the core group is called core.
func parseResource(text string) schema.GroupResource {
	resource, group, _ := strings.Cut(text, ".")
	if group == coreGroup {
		group = ""
	}
	return schema.GroupResource{Group: group, Resource: resource}
}

// needed are the claims without which objects cannot be synced. The export's own types need none.
func needed(offers []Offer, own map[schema.GroupResource]bool) (claims []permissionClaim) {
	add := func(group, resource, identity string) {
		claims = append(claims, permissionClaim{of: schema.GroupResource{Group: group, Resource: resource}, identity: identity})
	}
	add("", "events", "")
	for _, offer := range offers {
		spec := &offer.Resource.Spec
		if len(spec.Related) > 0 || spec.Filter != nil && spec.Filter.Namespace != nil {
			add("", "namespaces", "")
		}
		if spec.EnableWorkspacePaths {
			add("core.kcp.io", "logicalclusters", "")
		}
		for i := range spec.Related {
			if of := spec.Related[i].RemoteType(); !own[of.GroupResource()] {
				add(of.Group, of.Resource, spec.Related[i].IdentityHash)
			}
		}
	}
	return claims
}

func (c permissionClaim) write() *yaml.Node {
	m := krm.MapNode()
	if c.of.Group != "" {
		krm.SetField(m, "group", krm.StringNode(c.of.Group))
	}
	krm.SetField(m, "resource", krm.StringNode(c.of.Resource))
	if c.identity != "" {
		krm.SetField(m, "identityHash", krm.StringNode(c.identity))
	}
	krm.SetField(m, "all", &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagBool, Value: "true"})
	return m
}

// maybe is the string of an optional field.
func (r *reader) maybe(of map[string]any, at *field.Path, name string) string {
	if of[name] == nil || of[name] == "" {
		return ""
	}
	return r.word(of, at, name, nil)
}

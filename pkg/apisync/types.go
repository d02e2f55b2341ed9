package apisync

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync/publish"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Type is a type of objects on one side.
type Type struct {
	schema.GroupVersionKind
	// Resource is the lower-case plural.
	Resource   string
	Namespaced bool
}

func (t Type) id(namespace, name string) krm.ID {
	if !t.Namespaced {
		namespace = ""
	}
	return krm.ID{Group: t.Group, Kind: t.Kind, Namespace: namespace, Name: name}
}

// is reports whether an object is of the type, in any version.
func (t Type) is(o *krm.Object) bool { return o.Is(t.Group, t.Kind) }

// primaryTypes are the types of primaries: that of the CustomResourceDefinition, and its projection. A conversion error
// says that they have two versions, between which only an API server converts.
func primaryTypes(
	config *waybill.PublishedResource, types workload.Types, definitions []*krm.Object,
) (local, remote Type, conversion, err error) {
	of := config.Spec.Resource
	if crd := publish.DefinitionOf(of, definitions); crd != nil {
		l, r, err := publish.Types(crd, config)
		if err == nil {
			conversion = publish.CheckSameVersion(l, r)
		}
		return fromPublished(l), fromPublished(r), conversion, err
	}
	known := types.Lookup(of.APIGroup, of.Kind)
	versions := config.Versions()
	if of.APIGroup == "" && versions == nil {
		versions = []string{"v1"} // the core group has no other
	}
	switch {
	case !known.Known:
		return local, remote, nil, fmt.Errorf("the scope and plural of %s are not known: %s", TypeName(of), GiveDefinition)
	case len(versions) != 1:
		return local, remote, nil, field.Invalid(field.NewPath("spec", "resource", "versions"), versions,
			"without a CustomResourceDefinition, name exactly one version")
	}
	local = Type{schema.GroupVersionKind{Group: of.APIGroup, Version: versions[0], Kind: of.Kind}, known.Plural, known.Namespaced}
	return local, projected(local, config.Spec.Projection), nil, nil
}

// TypeName is Kind.group, or the kind alone in the core group.
func TypeName(of waybill.PublishedType) string {
	return schema.GroupKind{Group: of.APIGroup, Kind: of.Kind}.String()
}

// GiveDefinition says what to do if a type is not known.
const GiveDefinition = "add its CustomResourceDefinition; files have no OpenAPI, so write one for a type that has none, " +
	"with its group, names, scope and versions, and the annotation " + krm.LocalConfigAnnotation + `: "true"`

// OriginResources are the types at the source of which related objects are copied.
func OriginResources(config *waybill.PublishedResource) (all []schema.GroupVersionResource) {
	for i := range config.Spec.Related {
		if e := &config.Spec.Related[i]; e.FromSource() {
			all = append(all, e.OriginType())
		}
	}
	return all
}

var namespaceType = Type{GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, Resource: "namespaces"}

// RemoteKind is what consumers call the type.
func RemoteKind(config *waybill.PublishedResource) schema.GroupKind {
	of := config.Spec.Resource
	return projected(Type{GroupVersionKind: schema.GroupVersionKind{Group: of.APIGroup, Kind: of.Kind}}, config.Spec.Projection).GroupKind()
}

// OwnerName is the name of the first owner of an object that has a type, in any version; "" when there is none.
func OwnerName(o *krm.Object, of schema.GroupKind) string {
	refs := o.Lookup("metadata", "ownerReferences")
	if !krm.IsList(refs) {
		return ""
	}
	for _, ref := range refs.Content {
		gv, err := schema.ParseGroupVersion(krm.Text(ref, "apiVersion"))
		if err == nil && gv.Group == of.Group && krm.Text(ref, "kind") == of.Kind {
			return krm.Text(ref, "name")
		}
	}
	return ""
}

// keyPattern matches a text that may be a key of an object in some cluster.
var keyPattern = lazyregexp.New(`[^\s",;|]+\|[^\s",;]+`)

// RedactOthers returns a text that names no objects of other clusters, for the consumers of one cluster.
func RedactOthers(cluster, text string) string {
	return keyPattern.ReplaceAllStringFunc(text, func(key string) string {
		if strings.HasPrefix(strings.TrimLeft(key, "("), cluster+"|") || strings.Contains(key, "("+cluster+"|") {
			return key
		}
		return "another object"
	})
}

func fromPublished(t publish.Type) Type {
	return Type{schema.GroupVersionKind{Group: t.Group, Version: t.Version, Kind: t.Kind}, t.Plural, t.Namespaced}
}

// projected is the consumers' view of a type that has no CustomResourceDefinition.
func projected(t Type, p *waybill.PublishedProjection) Type {
	if p == nil {
		return t
	}
	t.Version = cmp.Or(p.Versions[t.Version], p.Version, t.Version)
	t.Group = cmp.Or(p.Group, t.Group)
	if p.Kind != "" {
		t.Kind, t.Resource = p.Kind, strings.ToLower(p.Kind)+"s"
	}
	t.Resource = cmp.Or(p.Plural, t.Resource)
	if p.Scope != "" {
		t.Namespaced = p.Scope == "Namespaced"
	}
	return t
}

// relatedTypes are the types of an entry: at its origin, and on the other side.
func relatedTypes(e *waybill.PublishedRelated, types workload.Types, at *field.Path) (origin, copied Type, fault *field.Error) {
	if origin, fault = typeOf(types, e.OriginType(), at.Child("resource")); fault != nil || e.Projection == nil {
		return origin, origin, fault
	}
	copied, fault = typeOf(types, e.CopyType(), at.Child("projection", "resource"))
	return origin, copied, fault
}

func typeOf(types workload.Types, of schema.GroupVersionResource, at *field.Path) (Type, *field.Error) {
	group, version, resource := of.Group, of.Version, of.Resource
	kinds := types.Kinds(group, resource)
	switch len(kinds) {
	case 0:
		return Type{}, field.Invalid(at, resource, "its kind is not known: "+GiveDefinition)
	case 1:
	default:
		return Type{}, field.Invalid(at, resource, "this may be any of the kinds "+strings.Join(kinds, ", "))
	}
	known := types.Lookup(group, kinds[0])
	return Type{schema.GroupVersionKind{Group: group, Version: version, Kind: kinds[0]}, resource, known.Namespaced || !known.Known}, nil
}

// ClusterAnnotation names the cluster of a source item of a package.
const ClusterAnnotation = fn.ReservedPrefix + "cluster"

// Folders are the folders of the two sides of a package.
func Folders(config *waybill.PublishedResource) (source, destination string) {
	paths := waybill.PublishedPaths{}
	if config.Spec.Paths != nil {
		paths = *config.Spec.Paths
	}
	return path.Clean(cmp.Or(paths.Source, "source")), path.Clean(cmp.Or(paths.Destination, "destination"))
}

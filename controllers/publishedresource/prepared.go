package publishedresource

import (
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/applyset"
)

// prepared is a PublishedResource that can be reconciled, as it was when its spec last changed.
type prepared struct {
	rule       *apisync.Rule
	quiet      *apisync.Rule // the same, which writes no status back
	config     *waybill.PublishedResource
	generation string
	definition string // the generation of the CustomResourceDefinition; "" where there is none
	limit      applyset.Limit

	local, remote     live.Resource
	localGK, remoteGK schema.GroupKind
	related           []relation
	servers           map[live.CacheKey]*live.Server
	caches            map[live.CacheKey]*live.Cache
	resources         map[roleKey]live.Resource
	spaces            map[bool]bool // whether selectors look for namespaces, by whether at the source
	memory            *memory
}

// roleKey is a type at the source, or at the destination.
type roleKey struct {
	source bool
	schema.GroupKind
}

// relation is an entry of spec.related.
type relation struct {
	identifier string
	fromSource bool // origins are at the source
	origin     live.Resource
	copied     live.Resource
	anywhere   bool            // which namespaces, is looked for
	byOwner    bool            // watch
	selects    labels.Selector // likewise; nil: none
}

// namespaces is the type of Namespaces.
var namespaces = live.Resource{GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}}

var namespaceGK = schema.GroupKind{Kind: "Namespace"}

// complete notes what each type is for.
func (w *worker) complete(r *prepared, types *live.Types) (err error) {
	local, remote := r.rule.Types()
	asKind := func(t apisync.Type) live.Resource {
		gvr := schema.GroupVersionResource{Group: t.Group, Version: t.Version, Resource: t.Resource}
		return live.Resource{GroupVersionResource: gvr, Namespaced: t.Namespaced}
	}
	r.local, r.remote, r.localGK, r.remoteGK = asKind(local), asKind(remote), local.GroupKind(), remote.GroupKind()
	r.servers, r.resources, r.spaces = map[live.CacheKey]*live.Server{}, map[roleKey]live.Resource{}, map[bool]bool{}
	err = errors.Join(w.use(r, false, r.local, r.localGK), w.use(r, true, r.remote, r.remoteGK))
	if f := r.config.Spec.Filter; f != nil && f.Namespace != nil {
		err = errors.Join(err, w.use(r, true, namespaces, namespaceGK))
	}
	for i := range r.config.Spec.Related {
		err = errors.Join(err, w.relate(r, types, &r.config.Spec.Related[i]))
	}
	limit, errLimit := applyset.ParseLimit(r.config.MaxDeletions())
	r.limit = limit
	types.Lookup("", namespaceGK.Kind)
	return errors.Join(err, errLimit)
}

// use has a type followed on one side. One type in two versions would be there twice.
func (w *worker) use(r *prepared, source bool, k live.Resource, gk schema.GroupKind) error {
	role := roleKey{source, gk}
	if other, is := r.resources[role]; is && other.Version != k.Version {
		return fmt.Errorf("%s is named in the versions %s and %s; want one", gk, other.Version, k.Version)
	}
	r.resources[role] = k
	if !source {
		r.servers[live.CacheKey{Resource: k}] = w.controller.home.Server
		return nil
	}
	for _, s := range w.controller.workspaces {
		r.servers[live.CacheKey{Server: s.Name, Resource: k}] = s.Server
	}
	return nil
}

// relate notes an entry of spec.related.
func (w *worker) relate(r *prepared, types *live.Types, e *waybill.PublishedRelated) (err error) {
	rel := relation{identifier: e.Identifier, fromSource: e.FromSource(), anywhere: e.Object.Namespace != nil}
	asKind := func(of schema.GroupVersionResource) (live.Resource, schema.GroupKind) {
		gk := schema.GroupKind{Group: of.Group, Kind: types.Kinds(of.Group, of.Resource)[0]} // the Rule has asked
		known := types.Lookup(gk.Group, gk.Kind)
		return live.Resource{GroupVersionResource: of, Namespaced: known.Namespaced || !known.Known}, gk
	}
	origin, originGK := asKind(e.OriginType())
	copied, copiedGK := asKind(e.CopyType())
	rel.origin, rel.copied = origin, copied
	err = errors.Join(w.use(r, rel.fromSource, origin, originGK), w.use(r, !rel.fromSource, copied, copiedGK))
	if l := e.Object.Namespace; l != nil && l.Selector != nil {
		r.spaces[rel.fromSource] = true
		err = errors.Join(err, w.use(r, rel.fromSource, namespaces, namespaceGK))
	}
	if watch := e.Watch; watch != nil {
		rel.byOwner = watch.ByOwner != nil
		if watch.BySelector != nil {
			var errSelector error
			rel.selects, errSelector = metav1.LabelSelectorAsSelector(watch.BySelector)
			err = errors.Join(err, errSelector)
		}
	}
	r.related = append(r.related, rel)
	return err
}

// originKinds are the types at the source whose objects may have the finalizer, but for primaries.
func (r *prepared) originKinds() (kinds []live.Resource) {
	for _, rel := range r.related {
		if rel.fromSource && rel.origin != r.remote {
			kinds = append(kinds, rel.origin)
		}
	}
	return kinds
}

// cache is that of a type in a cluster of the source, or in the destination for an empty name; nil for none.
func (r *prepared) cache(cluster string, k live.Resource) *live.Cache {
	return r.caches[live.CacheKey{Server: cluster, Resource: k}]
}

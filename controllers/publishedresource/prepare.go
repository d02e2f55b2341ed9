package publishedresource

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/apisync/publish"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// prepared is a PublishedResource that can be reconciled, as it was when its spec last changed.
type prepared struct {
	rule       *apisync.Rule
	config     *waybill.PublishedResource
	generation string
	definition string // the generation of the CustomResourceDefinition; "" where there is none

	local, remote     live.Resource
	localGK, remoteGK schema.GroupKind
	related           []relation
	servers           map[live.CacheKey]*live.Server
	caches            map[live.CacheKey]*live.Cache
	types             map[apisync.Role]apisync.Type
	memory            *memory
}

// relation is an entry of spec.related.
type relation struct {
	apisync.Relation
	origin, copied live.Resource
}

var (
	namespaces    = live.Resource{GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}}
	definitionsOf = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
)

func resourceOf(t apisync.Type) live.Resource {
	return live.Resource{GroupVersionResource: t.GroupVersion().WithResource(t.Resource), Namespaced: t.Namespaced}
}

// prepare compiles a PublishedResource. A fault says what is wrong, and whether another attempt may help.
func (w *worker) prepare(ctx context.Context, o *krm.Object) (*prepared, *live.Fault) {
	invalid := func(err error) *live.Fault {
		return &live.Fault{Reason: waybill.ReasonValidationError, Message: live.OneLine(err.Error()), Stalled: true}
	}
	unavailable := func(what string, err error) *live.Fault {
		return &live.Fault{Reason: waybill.ReasonUnavailable, Message: what + ": " + live.OneLine(err.Error())}
	}
	config, err := waybill.ReadPublishedResource(o)
	if err != nil {
		return nil, &live.Fault{Reason: waybill.ReasonValidationError, Message: err.Error(), Stalled: true}
	}
	servers := []*live.Server{w.controller.home.Server}
	for _, s := range w.controller.workspaces {
		servers = append(servers, s.Server)
	}
	types := live.NewTypes(servers...)
	crds, definition, err := w.definitions(ctx, types, config)
	if err != nil {
		return nil, unavailable("the CustomResourceDefinition cannot be read", err)
	}
	rule, faults := apisync.New(config, types, crds)
	switch missing, failed := types.Missing(); {
	case len(faults) > 0 && failed != nil:
		return nil, unavailable("API servers do not say which types they serve", failed)
	case len(faults) > 0 && len(missing) > 0:
		return nil, &live.Fault{Reason: waybill.ReasonNotServed, Poll: true,
			Message: "no API server serves " + strings.Join(missing, ", ") + "; the controller checks again from time to time"}
	case len(faults) > 0:
		return nil, invalid(faults.ToAggregate())
	}
	r := &prepared{rule: rule, config: config, generation: applyset.Generation(o), definition: definition}
	if err := w.findResources(r); err != nil {
		return nil, invalid(err)
	}
	types.Lookup("", "Namespace") // which rounds ask for
	types.Freeze()
	return r, nil
}

// definitions are the CustomResourceDefinition of the type, if it has one that may be read, and its generation.
func (w *worker) definitions(ctx context.Context, types *live.Types, config *waybill.PublishedResource) ([]*krm.Object, string, error) {
	of := config.Spec.Resource
	plural := types.Lookup(of.APIGroup, of.Kind).Plural
	if plural == "" {
		return nil, "", nil
	}
	name := publish.DefinitionName(schema.GroupResource{Group: of.APIGroup, Resource: plural})
	u, err := w.controller.home.Objects.Resource(definitionsOf).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	crd, err := live.FromUnstructured(u)
	if err != nil {
		return nil, "", err
	}
	return []*krm.Object{crd}, applyset.Generation(crd), nil
}

// isOutdated reports whether the CustomResourceDefinition is another one by now.
func (w *worker) isOutdated(ctx context.Context) bool {
	types := live.NewTypes(w.controller.home.Server)
	_, now, err := w.definitions(ctx, types, w.prepared.config)
	return err == nil && now != w.prepared.definition
}

// findResources notes each type that is needed, and on which servers.
func (w *worker) findResources(r *prepared) (err error) {
	local, remote := r.rule.PrimaryTypes()
	r.local, r.remote, r.localGK, r.remoteGK = resourceOf(local), resourceOf(remote), local.GroupKind(), remote.GroupKind()
	for _, rel := range r.rule.Relations() {
		r.related = append(r.related, relation{rel, resourceOf(rel.Origin), resourceOf(rel.Copied)})
	}
	r.types, err = r.rule.Types()
	r.servers = map[live.CacheKey]*live.Server{}
	for role, t := range r.types {
		servers := []*server{w.controller.home}
		if role.AtSource {
			servers = w.controller.workspaces
		}
		for _, s := range servers {
			r.servers[live.CacheKey{Server: s.Name, Resource: resourceOf(t)}] = s.Server
		}
	}
	return err
}

// originTypes are the types at the source whose objects may have the finalizer, but for primaries.
func (p *prepared) originTypes() (types []live.Resource) {
	for _, rel := range p.related {
		if rel.FromSource && rel.origin != p.remote {
			types = append(types, rel.origin)
		}
	}
	return types
}

// cache is that of a type in a workspace, or in the destination for an empty name; nil for none.
func (p *prepared) cache(server string, k live.Resource) *live.Cache {
	return p.caches[live.CacheKey{Server: server, Resource: k}]
}

// cacheFor is the cache that holds the object of a reference if it exists; nil where the type is not named.
func (p *prepared) cacheFor(ref applyset.Ref) *live.Cache {
	t, is := p.types[apisync.RoleOf(ref)]
	if !is {
		return nil
	}
	return p.cache(ref.Place, resourceOf(t))
}

// get is the object of a reference; nil where it is not known.
func (p *prepared) get(ref applyset.Ref) *krm.Object {
	if c := p.cacheFor(ref); c != nil {
		return c.Get(keyOf(ref))
	}
	return nil
}

func keyOf(ref applyset.Ref) live.Key { return live.Key{Namespace: ref.Namespace, Name: ref.Name} }

// refOf is the reference that a key stands for. A text that is no key refers to nothing.
func refOf(key string) applyset.Ref {
	cluster, id, _ := applyset.ParseKey(key)
	return applyset.Ref{Place: cluster, ID: id}
}

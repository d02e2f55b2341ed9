package apisync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync/mutation"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template/text"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Relation says which objects an entry of spec.related relates, for callers that read the objects of a Snapshot.
type Relation struct {
	FromSource     bool // origins are at the source, copies at the destination; or the other way round
	Origin, Copied Type
	// Anywhere says that an origin need not be in the namespace of its primary.
	Anywhere bool
	// WatchOwners says that an origin, or a copy, names its primary as an owner. WatchSelector selects the primaries that a
	// change of any of them concerns; nil selects none.
	WatchOwners   bool
	WatchSelector labels.Selector
}

// related is a compiled entry of spec.related.
type related struct {
	Relation
	entry           *waybill.PublishedRelated
	names           *locator
	namespaces      *locator // nil: those of the primaries
	mutation        *mutation.Mutation
	cleanup         string
	adopt           applyset.Adoption
	permits         permits
	advertisePrefix string
	proven          atomic.Bool // it has found an origin, so that it is not misspelt
}

func newRelated(e *waybill.PublishedRelated, types workload.Types, at *field.Path) (*related, field.ErrorList) {
	r := &related{
		Relation: Relation{FromSource: e.FromSource()}, entry: e, cleanup: e.Policy(), adopt: adoptions[e.Adoption()],
		advertisePrefix: relatedPrefix + e.Identifier + ".",
		permits:         permits{at, e.AllowedNames, e.AllowedNamespaces, e.AllowedSourceNamespaces},
	}
	var errs field.ErrorList
	if e.Identifier == primaryEdge {
		errs = append(errs, field.Invalid(at.Child("identifier"), e.Identifier, "primaries have this name"))
	}
	var fault *field.Error
	if r.Origin, r.Copied, fault = relatedTypes(e, types, at); fault != nil {
		errs = append(errs, fault)
	}
	var faults field.ErrorList
	r.names, faults = newLocator(&e.Object.RelatedLocator, at.Child("object"))
	errs = append(errs, faults...)
	if e.Object.Namespace != nil {
		r.namespaces, faults = newLocator(e.Object.Namespace, at.Child("object", "namespace"))
		errs = append(errs, faults...)
	}
	r.Anywhere = r.namespaces != nil || !r.Origin.Namespaced
	if e.Watch != nil {
		r.WatchOwners, r.WatchSelector = e.Watch.ByOwner != nil, selectorOf(e.Watch.BySelector)
	}
	var err error
	r.mutation, err = mutation.New(e.Mutation, at.Child("mutation"))
	return r, append(errs, fieldErrors(at.Child("mutation"), err)...)
}

// Relations are the entries of spec.related.
func (r *Rule) Relations() (all []Relation) {
	for _, k := range r.related {
		all = append(all, k.Relation)
	}
	return all
}

// Role is a type at the source, or at the destination.
type Role struct {
	AtSource bool
	schema.GroupKind
}

// RoleOf is the role of an object.
func RoleOf(ref applyset.Ref) Role {
	return Role{ref.Place != "", schema.GroupKind{Group: ref.Group, Kind: ref.Kind}}
}

// Types are the types of the objects that a Snapshot has. One in two versions is an error: its objects would be there twice.
func (r *Rule) Types() (map[Role]Type, error) {
	all := map[Role]Type{}
	var errs []error
	add := func(atSource bool, t Type) {
		role := Role{atSource, t.GroupKind()}
		if other, is := all[role]; is && other.Version != t.Version {
			errs = append(errs, fmt.Errorf("%s is named in the versions %s and %s; want one", t.GroupKind(), other.Version, t.Version))
		}
		all[role] = t
	}
	add(false, r.local)
	add(true, r.remote)
	if r.namespaces != nil {
		add(true, namespaceType)
	}
	for _, k := range r.related {
		add(k.FromSource, k.Origin)
		add(!k.FromSource, k.Copied)
		if r.SelectsNamespaces(k.FromSource) {
			add(k.FromSource, namespaceType)
		}
	}
	return all, errors.Join(errs...)
}

// SelectsNamespaces reports whether selectors of entries select namespaces at the source, or at the destination.
func (r *Rule) SelectsNamespaces(atSource bool) bool {
	return slices.ContainsFunc(r.related, func(k *related) bool {
		return k.FromSource == atSource && k.namespaces != nil && k.namespaces.selector != nil
	})
}

// sides are the places of origins and copies for a primary.
func (r *related) sides(p *primary) (origins, copies Place) {
	source, destination := Place{Source, p.cluster}, Place{Side: Destination}
	if !r.FromSource {
		return destination, source
	}
	return source, destination
}

// pair is an origin and its copy.
type pair struct {
	origin *krm.Object
	key    string // of the origin
	to     target
	copy   applyset.Ref
}

func (p pair) equals(other pair) bool { return p.key == other.key && p.to == other.to }

// found holds the related objects of a primary by one entry.
type found struct {
	pairs   []pair
	pending bool // not known yet: one side does not name what the other names
	err     error
	// unmatched describes the selector that matches nothing, where there are no pairs.
	unmatched string
	// empty is the reference or template that gives nothing, where there are no pairs.
	empty *emptyLocator
	// absent is the first named origin that does not exist, where there are no pairs.
	absent string
}

// find finds the related objects of a primary that has a copy.
func (x *index) find(ctx context.Context, r *related, p *primary) (f found) {
	q := &query{x: x, r: r, p: p, ctx: ctx, left: text.NewAllowance()}
	q.origins, q.copies = r.sides(p)
	namespaces, known, err := q.namespaces()
	if err != nil || !known {
		return found{pending: !known, err: err}
	}
	for _, namespace := range namespaces {
		if err := cmp.Or(q.check(namespace, true), q.permitNamespaces(namespace)); err != nil {
			return found{err: err}
		}
		names, known, err := q.matches(r.names, namespace.origin, false)
		if err != nil || !known {
			return found{pending: !known, err: err}
		}
		for _, name := range names {
			if err := cmp.Or(q.check(name, false), q.permitName(name)); err != nil {
				return found{err: err}
			}
			if one, is := q.pair(namespace, name); is {
				f.pairs = append(f.pairs, one)
				r.proven.Store(true)
			} else {
				q.absent = cmp.Or(q.absent, one.key)
			}
		}
	}
	f = q.x.dedupePairs(f.pairs)
	if len(f.pairs) == 0 {
		f.unmatched, f.empty, f.absent = q.unmatched, q.empty, q.absent
	}
	return f
}

// check refuses names that no API server accepts: consumers wrote some of them.
func (q *query) check(m namePair, ofNamespaces bool) error {
	switch {
	case m.copy == "":
		return nil
	case ofNamespaces && len(validation.IsDNS1123Label(m.copy)) > 0:
		return errors.New("the namespace of the copy is not valid: " + validation.IsDNS1123Label(m.copy)[0])
	case !ofNamespaces && len(content.IsPathSegmentName(m.copy)) > 0:
		return errors.New("the name of the copy is not valid: it " + content.IsPathSegmentName(m.copy)[0])
	case !ofNamespaces && len(m.copy) > validation.DNS1123SubdomainMaxLength:
		return fmt.Errorf("the name of the copy is longer than %d bytes", validation.DNS1123SubdomainMaxLength)
	case !ofNamespaces && strings.ContainsFunc(m.copy, func(c rune) bool { return c <= ' ' || c == 0x7f }):
		return errors.New("the name of the copy is not valid: it has white space")
	}
	return nil
}

// pair is the pair of two names, if that origin exists.
func (q *query) pair(namespace, name namePair) (one pair, is bool) {
	ref := applyset.Ref{Place: q.origins.engineName(), ID: q.r.Origin.id(namespace.origin, name.origin)}
	o := q.x.byRef[ref]
	if o == nil || isDeleting(o) || q.isCopy(o) {
		return pair{key: ref.ID.String()}, false
	}
	to := target{q.r.Copied, namespace.copy, name.copy}
	return pair{o, ref.String(), to, applyset.Ref{Place: q.copies.engineName(), ID: to.id()}}, true
}

// dedupePairs sorts pairs and removes duplicates. Two origins for one copy are an error, and so is an origin that exists
// twice.
func (x *index) dedupePairs(pairs []pair) found {
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.to.namespace, b.to.namespace), cmp.Compare(a.to.name, b.to.name))
	})
	pairs = slices.CompactFunc(pairs, pair.equals)
	first := map[target]string{}
	for _, one := range pairs {
		if x.ambiguous[one.key] {
			return found{err: fmt.Errorf("%s occurs twice, also as %s; remove one", one.key, one.origin.Describe())}
		}
		if other, taken := first[one.to]; taken {
			return found{err: fmt.Errorf("%s and %s would both become %s", other, one.key, one.copy.ID)}
		}
		first[one.to] = one.key
	}
	return found{pairs: pairs}
}

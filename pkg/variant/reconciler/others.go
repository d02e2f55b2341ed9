package reconciler

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// others is what the PackageVariants of a namespace want that are not being deleted, as one pass sees it.
type others struct {
	once   sync.Once
	err    error
	living map[string]bool            // owners
	going  map[string]bool            // owners that are being deleted
	wanted map[string]variant.Claim   // of owners that live
	all    bool                       // there are no other owners in the namespace
	byRef  map[string][]variant.Claim // short
	unread []variant.Claim
}

// observeOthers finds out about other variants, where that matters: when something would be retired, or belongs to another
// variant.
func (p *pass) observeOthers(ctx context.Context, pv *porchconfig.PackageVariant, w *world) error {
	owner := variant.Owner(pv)
	matters := func(r variant.Revision) bool {
		wanted := pv.DeletionTimestamp.IsZero() && r.Repo == pv.Spec.Downstream.Repo && r.Package == pv.Spec.Downstream.Package
		return r.Owner == owner && !wanted || r.Owner != owner && r.Owner != "" && wanted
	}
	if !slices.ContainsFunc(w.Downstream, matters) {
		return nil
	}
	o, err := p.others(ctx, pv.Namespace)
	if err != nil {
		return err
	}
	w.Living, w.Released = o.living, map[string]bool{}
	for _, r := range w.Downstream {
		w.Released[r.Owner] = o.released(r.Owner, pv.Namespace) || o.wantsOther(r)
		if r.Owner == owner {
			w.Claims = append(w.Claims, o.byRef[shortRef(r.Self.Ref)]...)
		}
	}
	w.Claims = append(w.Claims, o.unread...)
	w.Claims = slices.DeleteFunc(w.Claims, func(c variant.Claim) bool { return c.Variant == pv.Name })
	return nil
}

// released reports whether an owner is known to hold on to its packages no longer. Where all variants of the namespace
// are known, that is one that is not there any more. Where others may be, as in files that were not read, it
// is one that is being deleted: it keeps what a variant wants that adopts.
func (o *others) released(owner, namespace string) bool {
	if !o.all {
		return o.going[owner]
	}
	return !o.going[owner] && !o.living[owner] && strings.HasPrefix(owner, porchconfig.KindPackageVariant+" "+namespace+"/")
}

// wantsOther reports whether the owner of r is there and wants another package than that of r. Revisions that were made since
// others was read do not matter: it compares names of packages, and refs only of what may be a mirror.
func (o *others) wantsOther(r variant.Revision) bool {
	c, known := o.wanted[r.Owner]
	switch {
	case !known:
		return false
	case c.Repo == r.Repo:
		return c.Package != r.Package
	case c.Address == "" || c.Address == r.Address:
		return !variant.EndAlike(c.Package, r.Package)
	}
	return !slices.ContainsFunc(o.byRef[shortRef(r.Self.Ref)], func(other variant.Claim) bool { return other.Variant == c.Variant })
}

// others asks once in a pass.
func (p *pass) others(ctx context.Context, namespace string) (*others, error) {
	p.mu.Lock()
	o := p.wishes[namespace]
	if o == nil {
		o = &others{living: map[string]bool{}, going: map[string]bool{}, wanted: map[string]variant.Claim{}, byRef: map[string][]variant.Claim{}}
		p.wishes[namespace] = o
	}
	p.mu.Unlock()
	o.once.Do(func() { o.err = p.readOthers(ctx, namespace, o) })
	return o, o.err
}

func (p *pass) readOthers(ctx context.Context, namespace string, o *others) error {
	pvs := p.all
	if p.Variants != nil {
		var err error
		if pvs, err = p.Variants(ctx, namespace); err != nil {
			return err
		}
		o.all = true
	}
	if p.Unexpanded != nil {
		for _, set := range p.Unexpanded(namespace) {
			o.unread = append(o.unread, variant.Claim{Set: set})
		}
	}
	for _, pv := range pvs {
		switch {
		case pv.Namespace != namespace:
			continue
		case !pv.DeletionTimestamp.IsZero():
			o.going[variant.Owner(pv)] = true
			continue
		}
		o.living[variant.Owner(pv)] = true
		if d := pv.Spec.Downstream; d != nil {
			p.readClaims(ctx, pv, variant.Claim{Variant: pv.Name, Adopts: pv.Spec.Adopts(), Repo: d.Repo, Package: d.Package}, o)
		}
	}
	return nil
}

// readClaims adds the revisions of the package that a variant names.
func (p *pass) readClaims(ctx context.Context, pv *porchconfig.PackageVariant, c variant.Claim, o *others) {
	repo, err := p.open(ctx, pv.Namespace, c.Repo)
	var l *look
	if err == nil {
		l, err = p.look(repo)
	}
	if err == nil {
		c.Address = repo.Address
	}
	o.wanted[variant.Owner(pv)] = c
	if err != nil { // also where there is none of that name, which may be misspelt
		o.unread = append(o.unread, c)
		return
	}
	for _, i := range l.byPackage[c.Package] {
		plain := found{l.revisions[i], repo}.plain()
		c.Revision = &plain
		ref := shortRef(plain.Self.Ref)
		o.byRef[ref] = append(o.byRef[ref], c)
	}
}

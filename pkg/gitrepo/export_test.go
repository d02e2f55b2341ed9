package gitrepo

import (
	"cmp"
	"context"

	"github.com/waybill-dev/waybill/pkg/gitrepo/transport"
)

// ResolvePackageRef is FetchPackage up to the answer what the ref stands for.
func ResolvePackageRef(ctx context.Context, url, dir, ref string, opts Options) (Resolved, error) {
	q, err := newQuery(url, dir, ref, opts)
	if err != nil {
		return Resolved{}, err
	}
	if id, err := ParseHash(q.ref); err == nil {
		return Resolved{Ref: q.ref, Commit: id, target: id}, nil
	}
	var found Resolved
	var none error
	err = q.remote.Read(ctx, func(_ context.Context, s *transport.Session) error {
		found, none = q.resolve(s.Refs)
		return nil
	})
	return found, cmp.Or(err, none)
}

// Outside counts the objects that only deltas in the view keep in memory.
func (r *Repo) Outside() (n int) {
	for _, o := range r.store {
		if base := o.Base(); base != nil && r.store[base.ID] != base {
			n++
		}
	}
	return n
}

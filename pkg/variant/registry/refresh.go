package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// tag is what a registry said about a tag.
type tag struct {
	digest string
	round  int // of the refresh that asked for the digest; 0 for a tag that was not asked for
}

// atATime is how many requests are sent at a time.
const atATime = 8

// Refresh reads the packages and their tags, and what numbered tags name.
func (s *Store) Refresh(ctx context.Context) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	names, err := s.readPackages(ctx)
	if err != nil {
		return err
	}
	tags, err := s.readTags(ctx, names)
	if err != nil {
		return err
	}
	s.mu.Lock()
	was, round := s.shown, s.round+1
	s.mu.Unlock()
	now, err := s.resolve(ctx, tags, was, round)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown, s.round = now, round
	return nil
}

// readTags reads the tags of packages. A repository that is not there, or all of whose tags were deleted, has none; if that is so of all
// packages, it is an error.
func (s *Store) readTags(ctx context.Context, names []string) (map[string][]string, error) {
	lists := make([][]string, len(names))
	err := each(ctx, len(names), func(ctx context.Context, i int) error {
		all, err := s.client.Tags(ctx, s.of(names[i]))
		if err != nil && !errors.Is(err, oci.ErrNotFound) {
			return err
		}
		lists[i] = slices.DeleteFunc(all, func(t string) bool { return !isShown(t) })
		return nil
	})
	out, numbered := map[string][]string{}, 0
	for i, name := range names {
		for _, t := range lists[i] {
			out[name] = append(out[name], t)
			if numberOf(t) > 0 {
				numbered++
			}
		}
	}
	switch {
	case err != nil:
		return nil, err
	case len(out) == 0:
		return nil, fmt.Errorf("no package of %s has a tag: push one by 'waybill pkg push', or correct spec.oci.registry or the annotation %s",
			s.URL(), PackagesAnnotation)
	case numbered > s.limits.Revisions:
		return nil, fmt.Errorf("the packages of %s have %d revisions, and more than %d are not read: name some of the packages in "+
			"the annotation %s", s.URL(), numbered, s.limits.Revisions, PackagesAnnotation)
	}
	return out, nil
}

// place is a tag of a package.
type place struct {
	pkg, tag string
	round    int // that asked last
}

// resolve asks what numbered tags name: those that are new, and of the others those that were not asked for longest. A tag that was
// deleted meanwhile is left out.
func (s *Store) resolve(ctx context.Context, tags map[string][]string, was map[string]map[string]tag, round int,
) (map[string]map[string]tag, error) {
	now := map[string]map[string]tag{}
	var unknown, known []place
	for pkg, all := range tags {
		now[pkg] = map[string]tag{}
		for _, t := range all {
			old := was[pkg][t]
			now[pkg][t] = old
			switch {
			case numberOf(t) < 1:
			case old.digest == "":
				unknown = append(unknown, place{pkg, t, 0})
			default:
				known = append(known, place{pkg, t, old.round})
			}
		}
	}
	slices.SortFunc(known, func(a, b place) int {
		return cmp.Or(a.round-b.round, cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.tag, b.tag))
	})
	ask := append(unknown, known[:min(len(known), s.limits.Checks)]...)
	digests := make([]string, len(ask))
	err := each(ctx, len(ask), func(ctx context.Context, i int) (err error) {
		digests[i], err = s.client.Resolve(ctx, s.of(ask[i].pkg).WithTag(ask[i].tag))
		if errors.Is(err, oci.ErrNotFound) {
			err = nil
		}
		return err
	})
	for i, p := range ask {
		if digests[i] == "" {
			delete(now[p.pkg], p.tag)
			continue
		}
		now[p.pkg][p.tag] = tag{digests[i], round}
	}
	return now, err
}

// each calls do for each index below n, several at a time, until one fails.
func each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	g, each := errgroup.WithContext(ctx)
	g.SetLimit(atATime)
	for i := 0; i < n && each.Err() == nil; i++ {
		g.Go(func() error { return do(each, i) })
	}
	return cmp.Or(g.Wait(), context.Cause(ctx))
}

// release is a tag of a published revision.
var release = lazyregexp.New(`^v[1-9][0-9]*$`)

// numberOf is the number of a revision with that tag, revision.Placeholder for others.
func numberOf(t string) int {
	if !release.MatchString(t) {
		return revision.Placeholder
	}
	n, err := strconv.ParseUint(t[1:], 10, 31)
	if err != nil {
		return revision.Placeholder
	}
	return int(n)
}

// tagName is what the specification allows.
var tagName = lazyregexp.New(`^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$`)

// isShown reports whether a tag is a name, and not that of a signature, or of what else is attached to an artifact: sha256-… .
func isShown(t string) bool { return tagName.MatchString(t) && !strings.HasPrefix(t, "sha256-") }

package gitrepo

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
	"github.com/waybill-dev/waybill/pkg/gitrepo/transport"
)

// Of a server that can filter, a Repo has all commits and tags, and the trees and files of the newest commits: those of branches, and the
// newest tag of each directory. It fetches those of another commit when they are needed. So what is transferred and kept does not
// grow with the history, except by its commits. A tree that is here is here with all that is below it.

// isPartial reports whether trees may be left out. A view that has them stays as it is.
func (r *Repo) isPartial(s *transport.Session) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return s.CanFilter() && !r.unfiltered && (r.partial || len(r.store) == 0)
}

// refusesFilter reports whether a server said that it does not apply a filter (uploadpackfilter in Git's configuration there).
func (r *Repo) refusesFilter(err error) bool {
	failed, ok := errors.AsType[*UnreachableError](err)
	return ok && strings.Contains(strings.ReplaceAll(failed.Err.Error(), r.URL(), ""), "filter")
}

// addTrees adds to the new objects the trees and files of the newest commits that are not here yet.
func (r *Repo) addTrees(ctx context.Context, refs map[string]Hash, got objectMap) (map[Hash]*pack.Object, error) {
	all := layers{got, r}
	want := map[Hash]bool{}
	for _, c := range newest(all, refs) {
		if o, err := all.object(c.Tree); o == nil && err == nil {
			want[c.Hash] = true
		}
	}
	trees, err := r.fetchTrees(ctx, sorted(want))
	if err != nil {
		return nil, withRefs(err, refs)
	}
	out := maps.Clone(map[Hash]*pack.Object(got))
	if out == nil {
		out = map[Hash]*pack.Object{}
	}
	maps.Copy(out, trees)
	return out, nil
}

// layers looks for an object in several sources.
type layers []objects

func (l layers) object(id Hash) (*pack.Object, error) {
	for _, from := range l {
		if o, err := from.object(id); o != nil || err != nil {
			return o, err
		}
	}
	return nil, nil
}

// newest returns the commits of branches, and for each directory of tags the newest one.
func newest(from objects, refs map[string]Hash) []Commit {
	var out []Commit
	latest := map[string]Commit{}
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		id, err := peel(from, refs[name])
		if err != nil || id.IsZero() {
			continue
		}
		c, err := decodeCommit(from, id)
		if err != nil { // who reads it learns why
			continue
		}
		dir := path.Dir(name)
		switch was, found := latest[dir]; {
		case strings.HasPrefix(name, heads):
			out = append(out, c)
		case !found || !c.Committer.When.Before(was.Committer.When):
			latest[dir] = c
		}
	}
	return slices.AppendSeq(out, maps.Values(latest))
}

// fetchTrees fetches commits with their trees and files, but not those that commits in the view have.
func (r *Repo) fetchTrees(ctx context.Context, commits []Hash) (got objectMap, err error) {
	if len(commits) == 0 {
		return nil, nil
	}
	request := transport.Request{Wants: commits, Haves: r.haveTrees(), Shallow: true, Wide: true}
	err = r.remote.Read(ctx, func(ctx context.Context, s *transport.Session) (err error) {
		if s.Refs != nil { // it has become empty
			got, err = s.Fetch(ctx, request)
		}
		return err
	})
	return got, err
}

// mostHaves is how many commits a request names that the view has with their trees. Those of branches are first.
const mostHaves = 256

func (r *Repo) haveTrees() []Hash {
	have := map[Hash]bool{}
	refs := r.Refs()
	slices.SortStableFunc(refs, func(a, b Ref) int { // main and other short names before drafts, tags last
		return cmp.Or(strings.Compare(a.Name[:len(tags)-1], b.Name[:len(tags)-1]), cmp.Compare(len(a.Name), len(b.Name)))
	})
	for _, ref := range refs {
		if len(have) < mostHaves && r.HasTree(ref.Commit) {
			have[ref.Commit] = true
		}
	}
	return sorted(have)
}

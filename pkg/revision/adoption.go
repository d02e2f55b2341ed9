package revision

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// A branch of each package records who adopted its published revisions and proposals, whose commits must stay as they are. Each of
// its commits names the adopted ones by id, so that a later tag of the same name is another revision; the newest that names one counts.
// Porch does not read branches of other names than its own.
const (
	adoptedPrefix = "refs/heads/waybill/adopted/"
	adoptedSuffix = "/revisions" // so that the branches of eu and eu/shop can exist at once
)

// Adoption is an owner who takes over revisions that were not made for it.
type Adoption struct {
	Owner    Owner
	Trailers Trailers
	// Labels and Annotations are merged over those of the Kptfile, which does not change.
	Labels, Annotations map[string]string
	Stamp
}

// Adopt records in one push that an owner takes over published revisions and proposals of one package, as they were read: if another client
// adopted some meanwhile, the error is a *gitrepo.StaleError. Drafts are adopted by UpdateDraft.
func (s *Store) Adopt(ctx context.Context, revs []Revision, by Adoption) error {
	const op = "adopt"
	if len(revs) == 0 {
		return nil
	}
	newest := slices.MaxFunc(revs, func(a, b Revision) int { return cmp.Or(cmp.Compare(a.Revision, b.Revision), cmp.Compare(a.Ref, b.Ref)) })
	if err := by.Owner.check(); err != nil {
		return newest.refuse(op, "%s", err)
	}
	parent := newest.Adoptions
	if parent.IsZero() {
		parent = newest.Commit
	}
	stage := s.repo.Stage()
	root, err := stage.Root(parent)
	if err != nil {
		return newest.wrap(op, err)
	}
	id, err := s.commit(stage, root, by.message(newest.Path, revs), by.Stamp, parent)
	if err == nil {
		branch := gitrepo.RefUpdate{Name: adoptedPrefix + newest.Path + adoptedSuffix, Old: newest.Adoptions, New: id}
		err = s.retry(ctx, func() error { return stage.Push(ctx, []gitrepo.RefUpdate{branch}) })
	}
	return newest.wrap(op, err)
}

func (a Adoption) message(path string, revs []Revision) string {
	trailers := slices.Clone(a.Trailers)
	for _, commit := range slices.Sorted(maps.Keys(commitsOf(revs))) {
		trailers = append(trailers, Trailer{TrailerAdopted, commit})
	}
	for key, values := range map[string]map[string]string{TrailerLabels: a.Labels, TrailerAnnotations: a.Annotations} {
		if len(values) > 0 {
			trailers = append(trailers, Trailer{key, encodeMap(values)})
		}
	}
	slices.SortStableFunc(trailers, func(a, b Trailer) int { return cmp.Compare(a.Key, b.Key) })
	return "Adopting package revisions of " + path + "\n\n" + FormatTrailers(a.Owner, trailers)
}

func commitsOf(revs []Revision) map[string]bool {
	out := map[string]bool{}
	for _, rev := range revs {
		out[rev.Commit.String()] = true
	}
	return out
}

// encodeMap writes a map as JSON without white space, which a trailer does not keep.
func encodeMap(m map[string]string) string {
	data, _ := json.Marshal(m) // a map of texts has no error
	var b strings.Builder
	for _, r := range string(data) {
		if unicode.IsSpace(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func decodeMap(text string) (m map[string]string) {
	if json.Unmarshal([]byte(text), &m) != nil {
		return nil
	}
	return m
}

// applyAdoption makes rev the revision of the owner who adopted its commit, if one did.
func (s *Store) applyAdoption(rev *Revision) error {
	ref, ok := s.repo.Ref(adoptedPrefix + rev.Path + adoptedSuffix)
	if rev.Adoptions = ref.Target; !ok || ref.Commit.IsZero() {
		return nil
	}
	adopted, err := s.adoptions(ref.Commit)
	if err != nil {
		return fmt.Errorf("branch %s: %w", ref.Short(), err)
	}
	if by, ok := adopted[rev.Commit.String()]; ok {
		rev.Owner, rev.Trailers, rev.Labels, rev.Annotations = by.Owner, by.Trailers, by.Labels, by.Annotations
		rev.Adopted, rev.Foreign = true, false
	}
	return nil
}

// adoptions reads a branch of adoptions: who adopted which commit. It ends at the first commit that Waybill did not make for an owner,
// which is the revision that the branch began with.
func (s *Store) adoptions(head gitrepo.Hash) (map[string]Adoption, error) {
	s.mu.Lock()
	known, ok := s.adopted[head]
	s.mu.Unlock()
	if ok {
		return known, nil
	}
	out := map[string]Adoption{}
	for id, left := head, maxTraced; left > 0; left-- {
		c, err := s.repo.Commit(id)
		if err != nil {
			return nil, err
		}
		trailers := parseTrailers(c.Message)
		if !isOurs(c) || trailers.Get(TrailerAdopted) == "" || len(c.Parents) != 1 {
			break
		}
		a := Adoption{Owner: parseOwner(c.Message), Trailers: trailers.ofOwner(),
			Labels: decodeMap(trailers.Get(TrailerLabels)), Annotations: decodeMap(trailers.Get(TrailerAnnotations))}
		for _, t := range trailers {
			if _, newer := out[t.Value]; t.Key == TrailerAdopted && !newer {
				out[t.Value] = a
			}
		}
		id = c.Parents[0]
	}
	s.mu.Lock()
	s.adopted[head] = out
	s.mu.Unlock()
	return out, nil
}

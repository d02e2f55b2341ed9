package publish

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet"
)

// State is what a run does, or did, with an artifact.
type State string

// States of artifacts.
const (
	Changed   State = "changed" // its tag has to move
	Pushed    State = "pushed"
	Unchanged State = "unchanged"
	Gone      State = "gone" // the revision does not have its clusters; it stays in the registry
)

// Step is one artifact of a run.
type Step struct {
	Entry
	State State

	content *Content
}

// state is what the registry says about earlier runs.
type state struct {
	digest           string // of current; "" without one
	current, pending *Index // pending is nil if it is finished
}

// state reads the index, and that of a run that is not finished.
func (p *Publisher) state(ctx context.Context) (*state, error) {
	var s state
	var err error
	if s.digest, s.current, err = p.load(ctx, p.Channel); err != nil {
		return nil, err
	}
	pending, err := p.Registry.Digest(ctx, "", p.pendingTag())
	if err == nil && pending != "" && pending != s.digest {
		_, s.pending, err = p.load(ctx, p.pendingTag())
	}
	return &s, err
}

// moving are the names whose tags may name something else than the current index says: those that this run announced, and
// those that another run moves, or has moved.
func (s *state) moving(announced map[string]bool) map[string]bool {
	out := map[string]bool{}
	maps.Copy(out, announced)
	if s.pending == nil {
		return out
	}
	for _, name := range s.pending.Moving {
		out[name] = true
	}
	for _, e := range s.pending.Artifacts {
		if now := s.current.entry(e.Name); now == nil || now.Digest != e.Digest {
			out[e.Name] = true
		}
	}
	return out
}

// load returns the index at a tag; nil if there is none.
func (p *Publisher) load(ctx context.Context, tag string) (digest string, x *Index, err error) {
	digest, files, err := p.Registry.Files(ctx, "", tag)
	if err != nil || digest == "" {
		return "", nil, err
	}
	if x, err = readIndex(files); err != nil {
		return "", nil, fmt.Errorf("tag %q: %w", tag, err)
	}
	return digest, x, nil
}

// plan is what one attempt does.
type plan struct {
	have  *state
	steps []Step // sorted by name; the gone ones last
	index Index
}

func (p *Publisher) plan(ctx context.Context, have *state, contents []Content) (*plan, error) {
	for _, x := range []*Index{have.current, have.pending} {
		if err := p.admit(ctx, x); err != nil {
			return nil, err
		}
	}
	if !p.AllowMoves {
		if err := checkMoves(have.current, contents); err != nil {
			return nil, err
		}
	}
	out := &plan{have: have, steps: make([]Step, len(contents)), index: Index{APIVersion: waybill.APIVersion, Kind: Kind,
		Revision: p.Revision, Commit: p.Commit, Number: p.Number, Source: p.Source, Path: p.Path, By: p.By, Content: p.Content}}
	moving := have.moving(p.announced)
	err := fleet.InParallel(len(contents), func(i int) (err error) {
		out.steps[i] = p.step(&contents[i], have.current, moving)
		return nil
	})
	if err == nil && p.CheckTags {
		err = p.checkTags(ctx, out.steps)
	}
	if err == nil {
		err = cmp.Or(checkFiles(out.steps), p.checkRevision(ctx, have.current))
	}
	out.addGone(have.current)
	return out, err
}

// step compares the content of an artifact with the index.
func (p *Publisher) step(c *Content, have *Index, moving map[string]bool) Step {
	s := Step{Entry: Entry{Name: c.Name, Files: sum(c.Files)}, State: Changed, content: c}
	if p.By != ByCluster {
		s.Clusters = c.Clusters
	}
	if e := have.entry(c.Name); e != nil && e.Files == s.Files && !moving[c.Name] {
		s.State, s.Digest = Unchanged, e.Digest
	}
	return s
}

// checkTags asks for the tags of the artifacts that are unchanged as the index says.
func (p *Publisher) checkTags(ctx context.Context, steps []Step) error {
	return p.each(ctx, "checking", steps, Unchanged, func(s *Step) error {
		digest, err := p.Registry.Digest(ctx, s.Name, p.Channel)
		if err == nil && digest != s.Digest {
			s.State, s.Digest = Changed, ""
		}
		return err
	})
}

// addGone adds the earlier artifacts that contents lack.
func (p *plan) addGone(have *Index) {
	if have == nil {
		return
	}
	names := map[string]bool{}
	for _, s := range p.steps {
		names[s.Name] = true
	}
	gone := map[string]Entry{}
	for _, e := range slices.Concat(have.Gone, have.Artifacts) {
		if !names[e.Name] {
			gone[e.Name] = e
		}
	}
	for _, name := range slices.Sorted(maps.Keys(gone)) {
		p.index.Gone = append(p.index.Gone, gone[name])
		p.steps = append(p.steps, Step{Entry: gone[name], State: Gone})
	}
}

// admit refuses to replace an index of something else, or of a revision that is not older.
func (p *Publisher) admit(ctx context.Context, x *Index) error {
	switch {
	case x == nil:
		return nil
	case !p.sameForm(x):
		return p.otherForm(x, p.Channel)
	case p.AllowOlder:
		if p.allowed == nil {
			p.allowed = map[string]bool{}
		}
		p.allowed[x.Commit] = true
		return nil
	}
	older, err := p.isOlder(ctx, x)
	if err == nil && !older {
		err = &OlderError{Have: x.Revision, Commit: p.Commit}
	}
	return err
}

// isOlder reports whether the revision of an index may be replaced by the one to publish.
func (p *Publisher) isOlder(ctx context.Context, x *Index) (bool, error) {
	if x.Commit == p.Commit || p.allowed[x.Commit] {
		return true, nil
	}
	return p.Older(ctx, x.Commit)
}

package publish

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/waybill-dev/waybill/pkg/oci"
)

const (
	// concurrency is how many artifacts are sent at a time.
	concurrency = 16
	// movesAtOnce is how many tags move between two looks at other runs.
	movesAtOnce = 64
)

// execute sends contents, and then moves the tags.
func (p *Publisher) execute(ctx context.Context, plan *plan) error {
	err := p.each(ctx, "pushing", plan.steps, Changed, func(s *Step) (err error) {
		s.Digest, err = p.Registry.Push(ctx, s.Name, p.Revision, s.content.Files, source(p.Source))
		return err
	})
	if err != nil {
		return err
	}
	plan.finishIndex()
	if plan.same() {
		return nil
	}
	own, err := p.announce(ctx, plan)
	if err != nil {
		return err
	}
	if err := p.move(ctx, plan, own); err != nil {
		return err
	}
	return p.finish(ctx, plan, own)
}

// finishIndex fills in the artifacts, and the names whose tags have to move.
func (p *plan) finishIndex() {
	for _, s := range p.steps {
		if s.State != Gone {
			p.index.Artifacts = append(p.index.Artifacts, s.Entry)
		}
		if s.State == Changed {
			p.index.Moving = append(p.index.Moving, s.Name)
		}
	}
}

// same reports whether an earlier run has done all of it.
func (p *plan) same() bool {
	have := p.have.current
	return len(p.index.Moving) == 0 && p.have.pending == nil &&
		have != nil && have.Commit == p.index.Commit && have.Revision == p.index.Revision
}

// announce says which tags may move, before they do.
func (p *Publisher) announce(ctx context.Context, plan *plan) (own tags, err error) {
	own.current = plan.have.digest
	for _, name := range plan.index.Moving {
		p.announced[name] = true
	}
	if own.pending, err = p.pushIndex(ctx, plan.index, p.pendingTag()); err == nil {
		err = p.confirm(ctx, own)
	}
	return own, err
}

func (p *Publisher) pushIndex(ctx context.Context, x Index, tag string) (string, error) {
	tree, err := x.tree()
	if err != nil {
		return "", err
	}
	annotations := source(x.Source)
	annotations[oci.Revision] = x.Commit
	return p.Registry.Push(ctx, "", tag, tree, annotations)
}

// source is the annotation that names a repository. No other annotation of an artifact depends on the revision: equal files stay equal.
func source(url string) map[string]string {
	if url == "" {
		return map[string]string{}
	}
	return map[string]string{oci.Source: url}
}

// move moves the tags that clusters follow.
func (p *Publisher) move(ctx context.Context, plan *plan, own tags) error {
	for some := range slices.Chunk(plan.steps, movesAtOnce) {
		if !slices.ContainsFunc(some, func(s Step) bool { return s.State == Changed }) {
			continue
		}
		if err := p.confirm(ctx, own); err != nil {
			return err
		}
		err := p.each(ctx, "tagging", some, Changed, func(s *Step) error {
			err := p.Registry.Tag(ctx, s.Name, s.Digest, p.Channel)
			if err == nil {
				s.State = Pushed
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// finish moves the tags of the index, and looks whether another run came between.
func (p *Publisher) finish(ctx context.Context, plan *plan, own tags) error {
	done := plan.index
	done.Moving = nil
	if _, err := p.pushIndex(ctx, done, p.Revision); err != nil {
		return err
	}
	if err := p.confirm(ctx, own); err != nil {
		return err
	}
	p.finished = true
	var err error
	if own.current, err = p.pushIndex(ctx, done, p.Channel); err != nil {
		return err
	}
	if err := p.confirm(ctx, own); err != nil {
		return err
	}
	_, err = p.pushIndex(ctx, done, p.pendingTag())
	return err
}

// each calls do for the steps in a state, some at a time. The first error ends it.
func (p *Publisher) each(ctx context.Context, doing string, steps []Step, in State, do func(*Step) error) error {
	var todo []*Step
	for i := range steps {
		if steps[i].State == in {
			todo = append(todo, &steps[i])
		}
	}
	var done atomic.Int64
	var mu sync.Mutex
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(concurrency)
	for _, s := range todo {
		work.Go(func() error {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			if err := do(s); err != nil {
				return err
			}
			if n := int(done.Add(1)); p.Observe != nil {
				mu.Lock()
				defer mu.Unlock()
				p.Observe(doing, n, len(todo))
			}
			return nil
		})
	}
	return work.Wait()
}

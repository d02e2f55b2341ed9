package publish

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
)

// tags are the digests that the tags of the index have as long as no other run changes them.
type tags struct{ pending, current string }

// confirm returns nil as long as no other run has announced itself, or has finished.
func (p *Publisher) confirm(ctx context.Context, own tags) error {
	pending, err := p.Registry.Digest(ctx, "", p.pendingTag())
	if err != nil {
		return err
	}
	current, err := p.Registry.Digest(ctx, "", p.Channel)
	if err != nil || own == (tags{pending, current}) {
		return err
	}
	other, err := p.newer(ctx)
	if err != nil {
		return err
	}
	if other == nil { // an older run, which notices this one when it looks next
		return errAgain
	}
	return p.giveWay(ctx, other)
}

// overtaken gives way if a newer run is why a later attempt of this run fails.
func (p *Publisher) overtaken(ctx context.Context, err error) error {
	if _, older := errors.AsType[*OlderError](err); !older || len(p.announced) == 0 {
		return err
	}
	other, failed := p.newer(ctx)
	if failed != nil || other == nil {
		return cmp.Or(failed, err)
	}
	return p.giveWay(ctx, other)
}

// takeBack says of what a run has pushed, and another run has replaced, that it is still to be done.
func takeBack(steps []Step, err error) {
	if _, ok := errors.AsType[*OvertakenError](err); !ok {
		return
	}
	for i := range steps {
		if steps[i].State == Pushed {
			steps[i].State = Changed
		}
	}
}

// newer returns the newest index of runs that are not older than this one; nil if there is none.
func (p *Publisher) newer(ctx context.Context) (newest *Index, err error) {
	for _, tag := range []string{p.pendingTag(), p.Channel} {
		_, x, err := p.load(ctx, tag)
		if err != nil || x == nil {
			return newest, err
		}
		older, err := p.isOlder(ctx, x)
		if err != nil {
			return nil, err
		}
		if !older && (newest == nil || x.Number > newest.Number) {
			newest = x
		}
	}
	return newest, nil
}

// giveWay gives the artifacts of another run the tags that this run may have moved, until no newer run has come between.
func (p *Publisher) giveWay(ctx context.Context, other *Index) error {
	for range attempts {
		if err := p.giveBack(ctx, other); err != nil {
			return err
		}
		latest, err := p.newer(ctx)
		if err != nil {
			return err
		}
		if latest == nil || latest.Commit == other.Commit {
			return &OvertakenError{By: other.Revision}
		}
		other = latest
	}
	return errAgain
}

func (p *Publisher) giveBack(ctx context.Context, other *Index) error {
	for _, name := range slices.Sorted(maps.Keys(p.announced)) {
		if e := other.entry(name); e != nil {
			if err := p.Registry.Tag(ctx, name, e.Digest, p.Channel); err != nil {
				return err
			}
		}
	}
	if !p.finished {
		return nil
	}
	index := *other // if that run is killed now, the pending index still has what is moving
	index.Moving = nil
	_, err := p.pushIndex(ctx, index, p.Channel)
	return err
}

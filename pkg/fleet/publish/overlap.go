package publish

import (
	"context"
	"maps"
	"slices"
)

// confirm returns nil as long as no other run has announced itself.
func (p *Publisher) confirm(ctx context.Context, own string) error {
	digest, err := p.Registry.Digest(ctx, "", p.pendingTag())
	if err != nil || digest == own {
		return err
	}
	digest, other, err := p.load(ctx, p.pendingTag())
	if err != nil {
		return err
	}
	if other == nil {
		return errAgain
	}
	older, err := p.isOlder(ctx, other)
	if err != nil {
		return err
	}
	if older { // that run notices this one when it looks next
		return errAgain
	}
	return p.giveWay(ctx, digest, other)
}

// giveWay gives the artifacts of another run the tags that this run has moved, until no third run has come between.
func (p *Publisher) giveWay(ctx context.Context, digest string, other *Index) error {
	for range attempts {
		if err := p.giveBack(ctx, other); err != nil {
			return err
		}
		now, latest, err := p.load(ctx, p.pendingTag())
		if err != nil {
			return err
		}
		if now == digest || latest == nil {
			return &OvertakenError{By: other.Revision}
		}
		digest, other = now, latest
	}
	return errAgain
}

func (p *Publisher) giveBack(ctx context.Context, other *Index) error {
	for _, name := range slices.Sorted(maps.Keys(p.moved)) {
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

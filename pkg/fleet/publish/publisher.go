package publish

import (
	"context"
	"errors"
	"fmt"
)

// Publisher publishes one revision.
type Publisher struct {
	Options
	Registry Registry
	// Commit is the revision, and Revision the tag that names it.
	Commit, Revision string
	// Number is how many commits the branch had. It decides which of two other runs is newer.
	Number int
	// Path is the folder in the repository.
	Path string
	// Source is the URL of the repository, for an annotation of the artifacts; "" for none. What does not change keeps its annotation.
	Source string
	// Channel is the tag that clusters follow.
	Channel string
	// Older reports whether a commit is an ancestor of Commit. It is false for a commit that the repository does not have.
	Older func(ctx context.Context, commit string) (bool, error)
	// AllowOlder publishes even if the registry has a revision that is not older.
	AllowOlder bool
	// AllowMoves lets clusters change from one group to another.
	AllowMoves bool
	// CheckTags asks for the tag of each artifact, and does not trust the index.
	CheckTags bool
	// Observe is called after each artifact that was sent or tagged; it may be nil.
	Observe func(doing string, done, total int)

	announced map[string]bool // names whose tags this run may have moved
	finished  bool            // it may have moved the tag of the index
	allowed   map[string]bool // commits that AllowOlder is about
}

// pendingTag is the tag of the index of a run that is not finished, or of the last one.
func (p *Publisher) pendingTag() string { return p.Channel + ".pending" }

// OlderError says that the registry has a revision that is not older than the one to publish.
type OlderError struct{ Have, Commit string }

func (e *OlderError) Error() string {
	return fmt.Sprintf("the registry has revision %s, and its commit is not among the ancestors of commit %s here: publish a newer revision; "+
		"if this clone lacks the commit, fetch the whole history first; --allow-older goes back", e.Have, short(e.Commit))
}

// OvertakenError says that another run published a revision that is not older, at the same time.
type OvertakenError struct{ By string }

func (e *OvertakenError) Error() string {
	return fmt.Sprintf("another run publishes revision %s, which is not older: its artifacts stay in force", e.By)
}

// errAgain means that another run changed what the plan is based on.
var errAgain = errors.New("other runs change the registry at the same time")

// attempts is how often a run makes a new plan.
const attempts = 5

// Plan compares contents with what the registry has, and writes nothing.
func (p *Publisher) Plan(ctx context.Context, contents []Content) ([]Step, error) {
	have, err := p.state(ctx)
	if err != nil {
		return nil, err
	}
	plan, err := p.plan(ctx, have, contents)
	if err != nil {
		return nil, err
	}
	return plan.steps, nil
}

// Run publishes contents. It returns what it did for each artifact, also together with an error.
func (p *Publisher) Run(ctx context.Context, contents []Content) (steps []Step, err error) {
	p.announced = map[string]bool{}
	for range attempts {
		have, err := p.state(ctx)
		if err != nil {
			return steps, err
		}
		plan, err := p.plan(ctx, have, contents)
		if err != nil {
			err = p.overtaken(ctx, err)
			takeBack(steps, err)
			return steps, err
		}
		if steps, err = plan.steps, p.execute(ctx, plan); !errors.Is(err, errAgain) {
			takeBack(steps, err)
			return steps, err
		}
	}
	return steps, fmt.Errorf("%w: run one at a time for each prefix and tag, and try again", errAgain)
}

func short(commit string) string { return commit[:min(12, len(commit))] }

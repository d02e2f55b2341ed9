package reconciler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// queue is the new drafts that wait for a push to one repository.
type queue struct {
	repo  *snapshot.Repository
	store snapshot.Batcher
	tasks []*task

	created    bool   // a draft was
	rejection  string // by the server, of the last draft that was pushed by itself
	rejections int    // with this text, one after the other
}

// queue returns the queue of a repository, the same for the whole batch: what the repository refused counts for all.
func (b *batch) queue(repo *snapshot.Repository, store snapshot.Batcher) *queue {
	for _, q := range b.queues {
		if q.repo == repo {
			return q
		}
	}
	b.queues = append(b.queues, &queue{repo: repo, store: store})
	return b.queues[len(b.queues)-1]
}

// create makes drafts in one push, or none.
type create func(context.Context, []revision.DraftRequest) ([]revision.Revision, error)

// push pushes drafts together, and returns those that are to start over. When the repository's rules
// refuse one, the others are pushed without it; when the push is rejected, each half is pushed by itself, and once: so it takes few
// pushes to find the one draft that a server does not accept.
func (q *queue) push(ctx context.Context, drafts []*task, create create) (outdated []*task) {
	if len(drafts) == 0 {
		return nil
	}
	if q.closed() {
		fail(drafts, fmt.Errorf("create draft: not tried, as the repository refused %d others in the same words: %s", maxRejections, q.rejection))
		return nil
	}
	requests := make([]revision.DraftRequest, len(drafts))
	for i, t := range drafts {
		requests[i] = *t.outcome.create
	}
	_, err := create(ctx, requests)
	if err == nil {
		q.created = true
		return nil
	}
	if shared := sharedError(ctx, err); shared != nil {
		fail(drafts, shared)
		return nil
	}
	i := refused(err, requests)
	switch {
	case i >= 0:
		return append(q.push(ctx, slices.Concat(drafts[:i], drafts[i+1:]), create), drafts[i])
	case len(drafts) == 1 && q.isRejection(err):
		fail(drafts, err)
		return nil
	case len(drafts) == 1:
		return drafts
	}
	half := len(drafts) / 2
	return append(q.push(ctx, drafts[:half], q.store.CreateDraftsOnce), q.push(ctx, drafts[half:], q.store.CreateDraftsOnce)...)
}

func fail(tasks []*task, err error) {
	for _, t := range tasks {
		t.err = err
	}
}

// sharedError returns an error that is none of a draft's, nil when there is none: it would come again with
// any other draft, and nothing was pushed.
func sharedError(ctx context.Context, err error) error {
	var unreachable *gitrepo.UnreachableError
	var auth *gitrepo.AuthError
	switch {
	case errors.As(err, &auth):
		return fmt.Errorf("create draft: %w", auth)
	case errors.As(err, &unreachable) && !unreachable.Sent:
		return fmt.Errorf("create draft: %w", unreachable)
	}
	return ctx.Err()
}

// refused returns the index of the draft that the repository's rules refuse, -1 when they refuse none. Where two want to be
// the same draft it is the later one.
func refused(err error, requests []revision.DraftRequest) int {
	var refused *revision.RefusedError
	if !errors.As(err, &refused) {
		return -1
	}
	for i, r := range slices.Backward(requests) {
		if r.Package == refused.Package && r.Workspace == refused.Workspace {
			return i
		}
	}
	return -1
}

// maxRejections is after how many rejections with the same text, and no accepted draft, nothing more is pushed to a
// repository: a thousand more would take long.
const maxRejections = 32

// closed reports whether the repository accepts no draft at all.
func (q *queue) closed() bool { return !q.created && q.rejections >= maxRejections }

// isRejection reports whether err is a server's rejection of one draft, and counts it.
func (q *queue) isRejection(err error) bool {
	var rejected *gitrepo.RejectedError
	if !errors.As(err, &rejected) {
		return false
	}
	text := strings.TrimSuffix(strings.ReplaceAll(rejected.Status+": "+rejected.Message, rejected.Ref, "it"), ": ")
	if text != q.rejection {
		q.rejection, q.rejections = text, 0
	}
	q.rejections++
	return true
}

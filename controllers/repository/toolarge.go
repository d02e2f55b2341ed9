package repository

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// tooLargeError says that a repository exceeds the bounds. The Repository's Ready condition keeps the message,
// also for the next leader: the controller does not fetch the repository again while the refs and the bounds are
// those at the end of the message.
type tooLargeError struct{ message string }

func (e *tooLargeError) Error() string { return e.message }

// tooLarge is err, which fetching a repository gave, as a *tooLargeError where the repository exceeds the bounds.
func tooLarge(err error, opts gitrepo.Options) error {
	var pack *gitrepo.PackError
	var over *gitrepo.BoundsError
	if !errors.As(err, &pack) || pack.Refs == "" || !errors.As(err, &over) || over.Shared {
		return err
	}
	return &tooLargeError{strings.TrimSuffix(live.TruncateTo(err.Error(), live.MaxMessage/2), ".") + tooLargeSuffix(pack.Refs, opts)}
}

// tooLargeSuffix is the end of such a message: which refs were too large, and for which bounds.
func tooLargeSuffix(refs string, opts gitrepo.Options) string {
	return fmt.Sprintf("; the controller fetches it again when its refs or these bounds change (refs %s; %s)", refs, opts.Bounds)
}

// stillTooLarge asks a repository that was too large for its refs only. It returns the same error while nothing has
// changed, and nil where the repository is to be fetched.
func stillTooLarge(ctx context.Context, obj *porchconfig.Repository, opts gitrepo.Options) error {
	was := readyCondition(obj)
	if was == nil || was.Reason != reasonTooLarge || was.ObservedGeneration != obj.Generation {
		return nil
	}
	refs, err := gitrepo.RefsDigest(ctx, obj.Spec.Git.Repo, opts)
	if err == nil && !strings.HasSuffix(was.Message, tooLargeSuffix(refs, opts)) {
		return nil
	}
	return &tooLargeError{was.Message} // also where the server does not answer: nothing is known to have changed
}

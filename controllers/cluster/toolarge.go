package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// tooLargeError says that a repository holds more than is taken. The Repository's Ready condition keeps the message,
// also for the next leader: the controller does not fetch the repository again while the refs and the bounds are
// those at the end of the message.
type tooLargeError struct{ message string }

func (e *tooLargeError) Error() string { return e.message }

// tooLarge is err, which fetching a repository gave, as a *tooLargeError where the repository passes the bounds.
func tooLarge(err error, opts gitrepo.Options) error {
	var pack *gitrepo.PackError
	var over *gitrepo.BoundsError
	if !errors.As(err, &pack) || pack.Refs == "" || !errors.As(err, &over) || over.Shared {
		return err
	}
	return &tooLargeError{strings.TrimSuffix(bounded(err.Error(), mostMessage/2), ".") + remembered(pack.Refs, opts)}
}

// remembered is the end of such a message: which refs were too large, and for which bounds.
func remembered(refs string, opts gitrepo.Options) string {
	return fmt.Sprintf("; the controller fetches it again when its refs or these bounds change (refs %s; %s)", refs, opts.Bounds)
}

// stillTooLarge asks a repository that was too large for its refs only. It returns the same error while nothing has
// changed, and nil where the repository is to be fetched.
func stillTooLarge(ctx context.Context, obj *porchconfig.Repository, opts gitrepo.Options) error {
	was := meta.FindStatusCondition(obj.Status.Conditions, porchconfig.ConditionReady)
	if was == nil || was.Reason != reasonTooLarge || was.ObservedGeneration != obj.Generation {
		return nil
	}
	refs, err := gitrepo.RefsDigest(ctx, obj.Spec.Git.Repo, opts)
	if err == nil && !strings.HasSuffix(was.Message, remembered(refs, opts)) {
		return nil
	}
	return &tooLargeError{was.Message} // also where the server does not answer: nothing is known to have changed
}

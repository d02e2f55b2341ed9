package porchstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// current is the object of a revision that is in memory as rev says.
func (s *Store) current(rev revision.Revision) (*porch.PackageRevision, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.items[rev.Name]
	if i == nil || i.rev.Target != rev.Target || i.rev.Lifecycle != rev.Lifecycle {
		return nil, s.stale(rev)
	}
	return i.obj.DeepCopy(), nil
}

// unchanged asks whether a revision still is as rev says.
func (s *Store) unchanged(ctx context.Context, rev revision.Revision) error {
	var o porch.PackageRevision
	err := s.get(ctx, rev.Name, &o)
	if apierrors.IsNotFound(err) || err == nil && (target(o.ResourceVersion) != rev.Target || o.Spec.Lifecycle != rev.Lifecycle) {
		return s.stale(rev)
	}
	return err
}

// stale says that another client changed a revision.
func (s *Store) stale(rev revision.Revision) error {
	return &gitrepo.StaleError{URL: s.url, Ref: rev.Ref, Want: rev.Target}
}

// failed is the error of a write: that of Porch, unless the revision has changed, which Porch says in many ways.
func (s *Store) failed(ctx context.Context, op string, rev revision.Revision, err error) error {
	s.mark(false, rev.Name)
	if apierrors.IsConflict(err) {
		return s.stale(rev)
	}
	if apierrors.IsInternalError(err) || apierrors.IsNotFound(err) || apierrors.IsInvalid(err) {
		if changed := s.unchanged(ctx, rev); changed != nil {
			return changed
		}
	}
	return s.problem(op, rev, err)
}

// notCreated is the error of a draft that Porch did not make: that of Porch, unless another client made it.
func (s *Store) notCreated(ctx context.Context, rev revision.Revision, err error) error {
	var o porch.PackageRevision
	s.mark(false, rev.Name)
	exists := s.client.Get(ctx, client.ObjectKey{Namespace: s.of.Namespace, Name: rev.Name}, &o) == nil
	if exists || apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
		return &revision.RefusedError{Op: "create draft", Package: rev.Package, Workspace: rev.Workspace, Exists: true,
			Reason: "the workspace exists already"}
	}
	return s.problem("create draft", rev, err)
}

// passes reports whether an error of Porch passes by itself: Porch 1.5.3 with its CR cache reads its clone of a repository while another
// request writes it.
func passes(err error) bool {
	return err != nil && (errors.Is(err, errShortList) || strings.Contains(err.Error(), "ref file is empty") ||
		strings.Contains(err.Error(), "cannot find draft package branch"))
}

// errShortList is an empty list of a repository that had revisions: Porch leaves out what it cannot read.
var errShortList = errors.New("the list is empty")

// again makes a request, and makes it again a few times while its error passes.
func (s *Store) again(ctx context.Context, request func() error) error {
	return retry.OnError(wait.Backoff{Steps: 5, Duration: 200 * time.Millisecond, Factor: 2, Jitter: 0.5}, func(err error) bool {
		return passes(err) && ctx.Err() == nil
	}, request)
}

// problem says what Porch did not do.
func (s *Store) problem(op string, rev revision.Revision, err error) error {
	advice := ""
	if apierrors.IsForbidden(err) {
		advice = "; grant it on porch.kpt.dev"
	}
	return fmt.Errorf("%s of package %q, workspace %q, in Porch: %w%s", op, rev.Package, rev.Workspace, oneLine{err}, advice)
}

// oneLine is an error of Porch, whose renders fail with many lines, in one.
type oneLine struct{ error }

func (e oneLine) Error() string {
	return live.TruncateTo(strings.Join(strings.Fields(e.error.Error()), " "), live.MaxMessage)
}

func (e oneLine) Unwrap() error { return e.error }

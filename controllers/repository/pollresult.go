package repository

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// pollResult is what a poll found.
type pollResult struct {
	at, next     time.Time
	packages     int
	commit       string // of the main branch; empty when there is none
	scheduleErr  error  // what is wrong with the schedule
	branchErr    error  // that there is no main branch, and none will be made
	branchToMake string
	overlap      string // with which Repositories, and how; empty when there are none
}

func (r *Reconciler) poll(ctx context.Context, obj *porchconfig.Repository) (pollResult, error) {
	p := pollResult{at: r.options.Now()}
	p.next, p.scheduleErr = nextPoll(obj, p.at, r.options.PollInterval)
	e, err := r.cache.refresh(ctx, obj, refreshOptions{poll: true})
	if err != nil {
		return p, err
	}
	e.mu.Lock()
	store, git := e.repo.Store, e.git
	e.mu.Unlock()
	revisions, err := store.List()
	p.packages = snapshot.CountPackages(revisions)
	p.overlap = r.cache.overlap(key{Namespace: obj.Namespace, Name: obj.Name}, e, revisions)
	p.checkBranch(git, obj.Spec.Git)
	return p, err
}

// checkBranch looks for the branch of published revisions. Without it nothing can be drafted or approved there, and
// Porch does not take such a repository either; unless the first draft may make it.
func (p *pollResult) checkBranch(git *gitrepo.Repo, spec *porchconfig.GitRepository) {
	if git == nil { // Porch looks for it
		return
	}
	name := spec.BranchName()
	switch ref, ok := git.Ref("refs/heads/" + name); {
	case ok:
		p.commit = ref.Commit.String()
	case spec.CreateBranch:
		p.branchToMake = name
	default:
		p.branchErr = fmt.Errorf("the repository has no branch %q: push one, or set spec.git.createBranch", name)
	}
}

// Reasons of a Repository's Ready condition.
const (
	// reasonReady: the last read succeeded.
	reasonReady = "Ready"
	// reasonError: the last read failed; what an earlier one found stays.
	reasonError = "Error"
	// reasonReconciling: the repository has not been read yet.
	reasonReconciling = "Reconciling"
	// reasonTooLarge: the repository is larger than the limits of the controller.
	reasonTooLarge = "TooLarge"
)

// writeTo puts the result into the status. A poll that failed leaves what the last one found.
func (p *pollResult) writeTo(s *porchconfig.RepositoryStatus, obj *porchconfig.Repository, err error) {
	live.SetCondition(&s.Conditions, p.ready(err, obj.Generation), p.at)
	meta.RemoveStatusCondition(&s.Conditions, porchconfig.ConditionWaybillReady)
	s.ObservedGeneration = obj.Generation
	s.NextFullSyncTime = seconds(p.next)
	if err != nil {
		return
	}
	p.writeOverlap(s, obj)
	s.LastFullSyncTime = seconds(p.at)
	s.PackageCount, s.GitCommitHash = p.packages, p.commit
	if sync := obj.Spec.Sync; sync != nil && sync.RunOnceAt != nil && !sync.RunOnceAt.After(p.at) {
		s.ObservedRunOnceAt = sync.RunOnceAt
	}
}

// writeOwn puts the result into the conditions that Porch does not have. The rest of the status is Porch's.
func (p *pollResult) writeOwn(s *porchconfig.RepositoryStatus, obj *porchconfig.Repository, err error) {
	c := p.ready(err, obj.Generation)
	c.Type = porchconfig.ConditionWaybillReady
	live.SetCondition(&s.Conditions, c, p.at)
	if err == nil {
		p.writeOverlap(s, obj)
	}
}

func (p *pollResult) writeOverlap(s *porchconfig.RepositoryStatus, obj *porchconfig.Repository) {
	if p.overlap == "" {
		meta.RemoveStatusCondition(&s.Conditions, porchconfig.ConditionOverlapping)
		return
	} // it stops no draft, and so does not touch Ready
	live.SetCondition(&s.Conditions, metav1.Condition{Type: porchconfig.ConditionOverlapping, Status: metav1.ConditionTrue,
		Reason: porchconfig.ReasonOverlapping, Message: p.overlap, ObservedGeneration: obj.Generation}, p.at)
}

// ready is the Ready condition.
func (p *pollResult) ready(err error, generation int64) metav1.Condition {
	c := metav1.Condition{Type: porchconfig.ConditionReady, Status: metav1.ConditionTrue, Reason: reasonReady,
		Message: "the repository can be read", ObservedGeneration: generation}
	switch {
	case err != nil:
		c.Status, c.Reason, c.Message = metav1.ConditionFalse, reasonError, live.TruncateTo(err.Error(), live.MaxMessage)
		if large := new(tooLargeError); errors.As(err, &large) {
			c.Reason = reasonTooLarge
		}
		return c
	case p.branchErr != nil:
		c.Status, c.Reason, c.Message = metav1.ConditionFalse, reasonError, p.branchErr.Error()
		return c
	case p.branchToMake != "":
		c.Message += fmt.Sprintf("; its branch %q is made with the first draft", p.branchToMake)
	}
	if p.scheduleErr != nil {
		c.Message += fmt.Sprintf(", at the usual interval: %v", p.scheduleErr)
	}
	return c
}

func seconds(t time.Time) *metav1.Time { return new(metav1.NewTime(t.Truncate(time.Second))) }

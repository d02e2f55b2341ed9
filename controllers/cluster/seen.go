package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// seen is what a look found.
type seen struct {
	at, next time.Time
	packages int
	commit   string // of the main branch; empty when there is none
	schedule error  // what is wrong with it
	branch   error  // that there is none, and none will be made
	toMake   string // the branch that will be made
	overlap  string // with which Repositories, and how; empty when there are none
}

func (p *poller) see(ctx context.Context, obj *porchconfig.Repository) (seen, error) {
	s := seen{at: p.options.Now()}
	s.next, s.schedule = nextLook(obj, s.at, p.options.PollInterval)
	e, err := p.repositories.look(ctx, obj, visit{poll: true})
	if err != nil {
		return s, err
	}
	e.mu.Lock()
	store, git := e.repo.Store, e.git
	e.mu.Unlock()
	revisions, err := store.List()
	s.packages = newSurvey(revisions).packages()
	s.overlap = p.repositories.overlap(key{Namespace: obj.Namespace, Name: obj.Name}, e, revisions)
	s.seeBranch(git, obj.Spec.Git)
	return s, err
}

// seeBranch looks where the branch is of what is published. Without it nothing can be drafted or approved
// there, and Porch does not take such a repository either; unless it may be made with the first draft, as
// in a repository that is empty.
func (s *seen) seeBranch(git *gitrepo.Repo, spec *porchconfig.GitRepository) {
	name := spec.BranchName()
	switch ref, ok := git.Ref("refs/heads/" + name); {
	case ok:
		s.commit = ref.Commit.String()
	case spec.CreateBranch:
		s.toMake = name
	default:
		s.branch = fmt.Errorf("the repository has no branch %q: push one, or set spec.git.createBranch", name)
	}
}

// Reasons of a Repository's Ready condition.
const (
	reasonReady       = "Ready"
	reasonError       = "Error"
	reasonReconciling = "Reconciling"
	reasonTooLarge    = "TooLarge"
)

// record puts what was seen into the status. A look that failed leaves what was seen before.
func (s *seen) record(status *porchconfig.RepositoryStatus, obj *porchconfig.Repository, err error, next time.Time) {
	setCondition(&status.Conditions, s.condition(err, obj.Generation), s.at)
	status.ObservedGeneration = obj.Generation
	status.NextFullSyncTime = seconds(next)
	if err != nil {
		return
	}
	s.recordOverlap(status, obj.Generation)
	status.LastFullSyncTime = seconds(s.at)
	status.PackageCount, status.GitCommitHash = s.packages, s.commit
	if sync := obj.Spec.Sync; sync != nil && sync.RunOnceAt != nil && !sync.RunOnceAt.After(s.at) {
		status.ObservedRunOnceAt = sync.RunOnceAt
	}
}

// recordOverlap says which other Repositories show the same. That keeps nothing from being drafted: it is no matter of Ready.
func (s *seen) recordOverlap(status *porchconfig.RepositoryStatus, generation int64) {
	if s.overlap == "" {
		meta.RemoveStatusCondition(&status.Conditions, porchconfig.ConditionOverlapping)
		return
	}
	setCondition(&status.Conditions, metav1.Condition{
		Type: porchconfig.ConditionOverlapping, Status: metav1.ConditionTrue, Reason: porchconfig.ReasonOverlapping, Message: s.overlap,
		ObservedGeneration: generation,
	}, s.at)
}

func (s *seen) condition(err error, generation int64) metav1.Condition {
	c := metav1.Condition{Type: porchconfig.ConditionReady, Status: metav1.ConditionTrue, Reason: reasonReady,
		Message: "the repository can be read", ObservedGeneration: generation}
	switch {
	case err != nil:
		c.Status, c.Reason, c.Message = metav1.ConditionFalse, reasonError, bounded(err.Error(), mostMessage)
		if big := new(tooLargeError); errors.As(err, &big) {
			c.Reason = reasonTooLarge
		}
	case s.branch != nil:
		c.Status, c.Reason, c.Message = metav1.ConditionFalse, reasonError, s.branch.Error()
	case s.toMake != "":
		c.Message += fmt.Sprintf("; its branch %q is made with the first draft", s.toMake)
	}
	if c.Status == metav1.ConditionTrue && s.schedule != nil {
		c.Message += fmt.Sprintf(", at the usual interval: %v", s.schedule)
	}
	return c
}

func seconds(t time.Time) *metav1.Time { return new(metav1.NewTime(t.Truncate(time.Second))) }

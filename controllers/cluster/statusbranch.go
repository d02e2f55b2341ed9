package cluster

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/waybill-dev/waybill/controllers/combinedstatus/branch"
	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// statusRepository is the way to the repository that what clusters report is kept in: that of a Repository
// object, which is open for variants, too.
type statusRepository struct {
	*repositories
	at key
}

var _ branch.Repository = statusRepository{}

// Open returns the repository, and what its object says about it.
func (s statusRepository) Open(ctx context.Context) (out branch.Opened, err error) {
	var obj porchconfig.Repository
	if err := s.objects.Get(ctx, s.at, &obj); apierrors.IsNotFound(err) {
		return out, &packagevariant.NoRepositoryError{Namespace: s.at.Namespace, Name: s.at.Name}
	} else if err != nil {
		return out, fmt.Errorf("repository %s: %w", s.at, plain(err))
	}
	e, err := s.look(ctx, &obj, visit{maxAge: s.options.Fresh})
	if err != nil {
		return out, repositoryError(s.at, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	git := obj.Spec.Git
	return branch.Opened{Repo: e.git, Branch: git.BranchName(), Directory: git.Directory, Author: git.Author, Email: git.Email}, nil
}

// Reopen has the repository opened anew when it is next wanted.
func (s statusRepository) Reopen() { s.reopen(s.at) }

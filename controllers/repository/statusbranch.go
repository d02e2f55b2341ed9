package repository

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/repository/access"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/fleet/statusbranch"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// statusBranch is the repository in which the status controller keeps what clusters report.
type statusBranch struct {
	cache *Cache
	at    key
}

// StatusBranch gives the status controller the repository of a Repository object.
func (c *Cache) StatusBranch(at types.NamespacedName) statusbranch.Repository {
	c.status = at
	return statusBranch{c, at}
}

// Open returns the repository, and what its object says about it.
func (s statusBranch) Open(ctx context.Context) (out statusbranch.Opened, err error) {
	obj, err := access.Get(ctx, reader{s.cache.objects}, s.at)
	if snapshot.IsNoRepository(err) {
		return out, err
	} else if err != nil {
		return out, access.Error(s.at, err)
	}
	e, err := s.cache.refresh(ctx, obj, refreshOptions{maxAge: s.cache.options.Fresh})
	if err != nil {
		return out, access.Error(s.at, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	git := obj.Spec.Git
	if e.git == nil || git == nil {
		return out, access.Error(s.at, fmt.Errorf("spec.type %q: want a repository of type %q, to commit to", obj.Spec.Type,
			porchconfig.RepositoryTypeGit))
	}
	return statusbranch.Opened{Repo: e.git, Branch: git.BranchName(), Directory: git.Directory, Author: git.Author, Email: git.Email}, nil
}

// Reopen has the repository opened again when it is next read.
func (s statusBranch) Reopen() { s.cache.Reopen(s.at) }

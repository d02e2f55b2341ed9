package revision

import (
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// Lock is where a revision can be found, in the terms of a Kptfile's upstreamLock.
type Lock struct {
	Repo      string // URL without credentials
	Directory string // of the package in the repository, in full
	Ref       string // short: net/upf/v3, drafts/net/upf/w, main
	Commit    string
}

// Lock says where rev can be found.
func (s *Store) Lock(rev Revision) Lock {
	repo := s.repo.URL()
	if !strings.HasSuffix(repo, ".git") {
		repo += ".git"
	}
	return Lock{Repo: repo, Directory: rev.Path, Ref: gitrepo.Ref{Name: rev.Ref}.Short(), Commit: rev.Commit.String()}
}

package revision

import (
	"cmp"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// Identity is a person or program, as commits name it.
type Identity struct {
	Name  string
	Email string
}

// porchIdentity is the committer of every commit, and the author of those without a named user.
var porchIdentity = Identity{Name: "Package Orchestration Service", Email: "porch@kpt.dev"}

// Stamp is the user who asked for a change, and the time. Neither comes from the environment: the same Stamp gives the same
// commit. The zero Stamp is Porch's service, at the time of the parent commit.
type Stamp struct {
	User Identity
	When time.Time
}

// author is the repository's author, else the user, else Porch's service.
func (s *Store) author(user Identity) Identity {
	for _, id := range []Identity{{s.cfg.Author, s.cfg.Email}, user} {
		if id != (Identity{}) {
			return Identity{Name: cmp.Or(id.Name, id.Email), Email: id.Email}
		}
	}
	return porchIdentity
}

// commit stages a commit that is no older than its parents, than the stamp, and than the
// beginning of Unix time.
func (s *Store) commit(stage *gitrepo.Stage, tree gitrepo.Hash, msg string, by Stamp, parents ...gitrepo.Hash) (gitrepo.Hash, error) {
	when := time.Unix(0, 0)
	if by.When.After(when) {
		when = by.When
	}
	for _, p := range parents {
		at, err := stage.CommitTime(p)
		if err != nil {
			return gitrepo.Hash{}, err
		}
		if at.After(when) {
			when = at
		}
	}
	author := s.author(by.User)
	return stage.Commit(gitrepo.Commit{
		Tree: tree, Parents: parents, Message: msg,
		Author:    gitrepo.Signature{Name: author.Name, Email: author.Email, When: when},
		Committer: gitrepo.Signature{Name: porchIdentity.Name, Email: porchIdentity.Email, When: when},
	})
}

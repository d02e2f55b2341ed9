package statusbranch

import (
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

// committer is that of our commits.
var committer = gitrepo.Signature{Name: "Waybill", Email: "controller@waybill.dev"}

// trailer names the branch, the commit and the directory of the package.
const trailer = "Waybill-Status-Of"

func message(summary string, from location) string {
	return fmt.Sprintf("%s: %s\n\n%s: %s@%s %s\n", combine.Name, summary, trailer, from.branch, from.commit, from.dir)
}

// branchSize is the size of the branch's objects that were counted.
type branchSize struct {
	bytes   int64
	objects map[gitrepo.Hash]struct{}
}

// mustRestart reports whether the branch is full, and can restart: all its commits are ours.
func (p *Publisher) mustRestart(repo *gitrepo.Repo, tip gitrepo.Hash) (bool, error) {
	p.overLimit = false
	if p.size.objects == nil {
		p.size.objects = map[gitrepo.Hash]struct{}{}
	}
	more, err := repo.Weight(tip, p.size.objects)
	if err != nil {
		return false, err
	}
	p.size.bytes += more
	n, ours, err := countCommits(repo, tip)
	full := p.size.bytes >= p.options.MaxBytes || n >= p.options.MaxCommits
	p.overLimit = full && (!ours || p.appendURL == repo.URL())
	return full && !p.overLimit, err
}

// countCommits counts back to the first commit, or to one that is not ours.
func countCommits(repo *gitrepo.Repo, tip gitrepo.Hash) (n int, ours bool, err error) {
	for at := tip; !at.IsZero(); n++ {
		c, err := repo.Commit(at)
		if err != nil || len(c.Parents) > 1 || !isOurs(c) {
			return n, false, err
		}
		at = gitrepo.Hash{}
		if len(c.Parents) == 1 {
			at = c.Parents[0]
		}
	}
	return n, true, nil
}

func isOurs(c gitrepo.Commit) bool {
	return c.Committer.Name == committer.Name && c.Committer.Email == committer.Email && strings.Contains(c.Message, "\n"+trailer+": ")
}

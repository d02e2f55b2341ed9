package branch

import (
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

const generator = combine.Name

// committer is who makes the commits.
var committer = gitrepo.Signature{Name: "Waybill", Email: "controller@waybill.dev"}

// trailer names what a commit is about: branch, commit and directory of the package.
const trailer = "Waybill-Status-Of"

// message says what changes, and what it is about.
func message(words string, from source) string {
	return fmt.Sprintf("%s: %s\n\n%s: %s@%s %s\n", generator, words, trailer, from.branch, from.commit, from.dir)
}

// weighed is what is known of the weight of the branch.
type weighed struct {
	bytes   int64
	objects map[gitrepo.Hash]struct{}
}

// full reports whether the branch holds as much as is to be kept, and can begin anew: all commits are ours.
func (k *Keeper) full(repo *gitrepo.Repo, tip gitrepo.Hash) (bool, error) {
	k.grown = false
	if k.weighed.objects == nil {
		k.weighed.objects = map[gitrepo.Hash]struct{}{}
	}
	more, err := repo.Weight(tip, k.weighed.objects)
	if err != nil {
		return false, err
	}
	k.weighed.bytes += more
	n, ours, err := count(repo, tip)
	full := k.weighed.bytes >= k.options.Weight || n >= k.options.History
	k.grown = full && (!ours || k.linear == repo.URL())
	return full && !k.grown, err
}

// count counts commits back to the first, or to one that is not ours.
func count(repo *gitrepo.Repo, tip gitrepo.Hash) (n int, ours bool, err error) {
	for at := tip; !at.IsZero(); n++ {
		c, err := repo.Commit(at)
		if err != nil || len(c.Parents) > 1 || !madeHere(c) {
			return n, false, err
		}
		at = gitrepo.Hash{}
		if len(c.Parents) == 1 {
			at = c.Parents[0]
		}
	}
	return n, true, nil
}

func madeHere(c gitrepo.Commit) bool {
	return c.Committer.Name == committer.Name && c.Committer.Email == committer.Email && strings.Contains(c.Message, "\n"+trailer+": ")
}

package branch

import (
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

const generator = combine.Name

// committer is who makes the commits.
var committer = gitrepo.Signature{Name: "Waybill", Email: "controller@waybill.dev"}

// trailer names what a commit is about: branch, commit and directory of the package.
const trailer = "Waybill-Status-Of"

// message says how the directory changes, and what it is about.
func message(before, after pkgtree.Tree, from source) string {
	var changed, added, gone int
	for _, at := range before.Diff(after) {
		switch {
		case at == reportFile:
		case before.Blob(at) == nil:
			added++
		case after.Blob(at) == nil:
			gone++
		default:
			changed++
		}
	}
	return fmt.Sprintf("%s: %d changed, %d new, %d gone\n\n%s: %s@%s %s\n",
		generator, changed, added, gone, trailer, from.branch, from.commit, from.dir)
}

// full reports whether the branch holds as many commits as are to be kept, all of them ours.
func (k *Keeper) full(repo *gitrepo.Repo, tip gitrepo.Hash) (bool, error) {
	if k.linear {
		return false, nil
	}
	n := 0
	for at := tip; !at.IsZero(); n++ {
		c, err := repo.Commit(at)
		if err != nil || len(c.Parents) > 1 || !madeHere(c) {
			return false, err
		}
		at = gitrepo.Hash{}
		if len(c.Parents) == 1 {
			at = c.Parents[0]
		}
	}
	return n >= k.options.History, nil
}

func madeHere(c gitrepo.Commit) bool {
	return c.Committer.Name == committer.Name && c.Committer.Email == committer.Email && strings.Contains(c.Message, "\n"+trailer+": ")
}

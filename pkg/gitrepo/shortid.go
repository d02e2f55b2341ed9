package gitrepo

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
)

// isShortID reports whether name may be the beginning of a commit's id: four digits or more, as in Git.
func isShortID(name string) bool {
	const least = 4
	return len(name) >= least && len(name) < 2*len(Hash{}) && strings.Trim(strings.ToLower(name), "0123456789abcdef") == ""
}

// byPrefix finds the commit that begins like that among those that branches and tags stand at, if it is the only one.
// What else there is shows no list of refs.
func byPrefix(adv *packp.AdvRefs, prefix string) (Resolved, bool) {
	var found Resolved
	refs, ids := wanted(adv), map[Hash]bool{}
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		commit := refs[name]
		if peeled, ok := adv.Peeled[name]; ok {
			commit = peeled
		}
		if strings.HasPrefix(commit.String(), strings.ToLower(prefix)) {
			found, ids[commit] = Resolved{Ref: commit.String(), Commit: commit, target: refs[name]}, true
		}
	}
	return found, isShortID(prefix) && len(ids) == 1
}

package gitrepo

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
)

// Resolved is what a package's ref stands for.
type Resolved struct {
	// Ref is the name as kpt writes it into upstreamLock.ref: short, with the directory that the
	// lookup put before it; in full where it was given with heads/ or tags/; the branch that stands for an empty ref
	// or for HEAD; a commit id as a whole, in lowercase.
	Ref string
	// Full is the ref in full, empty for a commit id.
	Full string
	// Commit is the commit it leads to, tags peeled. (kpt 1.0.0-beta.56 writes the id of the tag itself.)
	Commit Hash

	target Hash // what the ref holds
}

// resolve finds what the ref stands for among those that the server lists; nil means that it has none. An empty ref is
// the default branch of the repository, and so is HEAD; the beginning of a commit id, of four digits or more, is the
// commit at which a branch or tag stands. Names are looked up as kpt does: v2, for a package in a/b, is the tag
// a/b/v2, else the tag a/v2, else the branch v2, else the tag v2, else the branch a/b/v2, else the branch a/v2. A name
// that does not exist is a *RefError.
func (q *query) resolve(adv *packp.AdvRefs) (Resolved, error) {
	none := &RefError{URL: q.remote.URL(), Name: q.ref}
	if adv == nil {
		return Resolved{}, none
	}
	names := candidates(q.dir, q.ref)
	if q.ref == "" || q.ref == "HEAD" {
		name, err := defaultBranch(adv)
		if err != nil {
			return Resolved{}, err
		}
		names = []string{name}
	}
	for _, full := range names {
		if id, ok := adv.References[full]; ok {
			return resolved(adv, full, id, q.ref), nil
		}
	}
	if r, ok := byPrefix(adv, q.ref); ok {
		return r, nil
	}
	return Resolved{}, none
}

func resolved(adv *packp.AdvRefs, full string, target Hash, given string) Resolved {
	r := Resolved{Full: full, Ref: Ref{Name: full}.Short(), Commit: target, target: target}
	if given == full || "refs/"+given == full {
		r.Ref = full
	}
	if peeled, ok := adv.Peeled[full]; ok {
		r.Commit = peeled
	}
	return r
}

// defaultBranch is the branch that the server's HEAD names. kpt 1.0.0-beta.56 asks for nothing else
// either: it has no use for a HEAD that is detached.
func defaultBranch(adv *packp.AdvRefs) (string, error) {
	for _, link := range adv.Capabilities.Get(capability.SymRef) {
		name, ok := strings.CutPrefix(link, "HEAD:")
		if !ok {
			continue
		}
		if err := checkRefName(name); err != nil {
			return "", err
		}
		if strings.HasPrefix(name, heads) {
			return name, nil
		}
	}
	return "", &RefNameError{Reason: "stands for the default branch, and the repository names none: give a branch, tag or commit"}
}

// isShortID reports whether name may be the beginning of a commit's id: four digits or more, as in Git.
func isShortID(name string) bool {
	const least = 4
	return len(name) >= least && len(name) < 2*len(Hash{}) && strings.Trim(strings.ToLower(name), "0123456789abcdef") == ""
}

// byPrefix finds the commit that begins like that among those that branches and tags stand at, if it is the only one.
// What else there is shows no list of refs.
func byPrefix(adv *packp.AdvRefs, prefix string) (Resolved, bool) {
	var found Resolved
	refs, ids := branchesAndTags(adv), map[Hash]bool{}
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

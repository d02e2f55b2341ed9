package revision

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// The bounds of looking for the beginning of a draft, in commits: along one line, and in all.
const (
	longestDraft = 200
	mostTraced   = 1000
)

// trace follows a revision's commits back to the one whose task created it. It trusts what commits
// annotated for this very package and workspace say; others may lie on the way. A draft whose beginning is not
// found may hold anything, and counts as worked on by others.
func (s *Store) trace(f *facts, newest gitrepo.Hash, path, workspace string, tagged bool) error {
	t := &tracer{store: s, path: path, workspace: workspace, seen: map[gitrepo.Hash]bool{}}
	steps, begun, err := t.back(newest, longestDraft)
	if err != nil {
		return err
	}
	for _, step := range steps {
		if f.owner == (Owner{}) {
			f.owner, f.trailers = step.owner, parseTrailers(step.Message)
		}
		if step.begins {
			f.task = step.annotation.Task
		}
	}
	f.foreign = !begun && !tagged && f.owner != (Owner{}) || slices.ContainsFunc(steps, func(step tracedCommit) bool {
		return !step.approval && ownerOf(step.Commit, step.owner) != f.owner
	})
	return nil
}

// tracer looks for the commits that a revision is made of.
type tracer struct {
	store           *Store
	path, workspace string
	seen            map[gitrepo.Hash]bool
}

// tracedCommit is a commit on the way back.
type tracedCommit struct {
	gitrepo.Commit
	annotation Annotation
	owner      Owner
	approval   bool // it merges the draft into the main branch
	begins     bool // the draft
}

// back follows commits, newest first, to the one that the draft begins with, and says whether it was found.
func (t *tracer) back(id gitrepo.Hash, left int) (steps []tracedCommit, begun bool, err error) {
	for ; left > 0 && !t.seen[id] && len(t.seen) < mostTraced; left-- {
		t.seen[id] = true
		step, theirs, err := t.read(id)
		if err != nil || theirs {
			return steps, false, err
		}
		steps = append(steps, step)
		switch n := len(step.Parents); {
		case step.begins || n == 0:
			return steps, step.begins, nil
		case n > 1 && !step.approval:
			rest, begun, err := t.eitherWay(step.Parents, left-1)
			return append(steps, rest...), begun, err
		default:
			id = step.Parents[n-1]
		}
	}
	return steps, false, nil
}

// eitherWay goes back from a merge that is not ours: somebody merged the draft into another branch, or
// another branch into the draft.
func (t *tracer) eitherWay(parents []gitrepo.Hash, left int) (steps []tracedCommit, begun bool, err error) {
	for i, parent := range slices.Backward(parents) {
		found, begun, err := t.back(parent, left)
		if begun || err != nil {
			return found, begun, err
		}
		if i == len(parents)-1 {
			steps = found
		}
	}
	return steps, false, nil
}

// read reads a commit; one of another revision is theirs, and where this one begins is not known then.
func (t *tracer) read(id gitrepo.Hash) (step tracedCommit, theirs bool, err error) {
	step.Commit, err = t.store.repo.Commit(id)
	if err != nil {
		return step, false, err
	}
	a, ours := annotationFor(step.Message, t.path)
	if ours = ours && a.Workspace == t.workspace; !ours {
		return step, len(ParseAnnotations(step.Message)) > 0, nil
	}
	step.annotation, step.owner = a, parseOwner(step.Message)
	step.approval = a.Task == nil && len(step.Parents) == 2
	step.begins = a.Task != nil && a.Task.Creates()
	return step, false, nil
}

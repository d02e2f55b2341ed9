package revision

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// The bounds of the search for the first commit of a draft, in commits: along one line, and in all.
const (
	maxDraftLength = 200
	maxTraced      = 1000
)

// trace follows a revision's commits back to the one whose task created it. It uses the annotations
// for this package and workspace; other commits may be between. A draft whose first commit is not
// found may hold anything, and counts as foreign. What the owner has adopted does not.
func (s *Store) trace(f *facts, newest gitrepo.Hash, path, workspace string, tagged bool) error {
	t := &tracer{store: s, path: path, workspace: workspace, seen: map[gitrepo.Hash]bool{}}
	steps, begun, err := t.back(newest, maxDraftLength)
	if err != nil {
		return err
	}
	since := steps // the owner has it
	for i, step := range steps {
		trailers := parseTrailers(step.Message)
		if f.owner == (Owner{}) {
			f.owner, f.trailers = step.owner, trailers.ofOwner()
		}
		if !f.adopted && trailers.Get(TrailerAdopted) != "" && f.owner != (Owner{}) && ownerOf(step.Commit, step.owner) == f.owner {
			f.adopted, since = true, steps[:i+1]
		}
		if step.begins {
			f.task = step.annotation.Task
		}
	}
	f.foreign = !begun && !tagged && !f.adopted && f.owner != (Owner{}) || slices.ContainsFunc(since, func(step tracedCommit) bool {
		return !step.approval && ownerOf(step.Commit, step.owner) != f.owner
	})
	return nil
}

// tracer finds the commits of a revision.
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

// back follows commits, newest first, to the first commit of the draft, and reports whether it was found.
func (t *tracer) back(id gitrepo.Hash, left int) (steps []tracedCommit, begun bool, err error) {
	for ; left > 0 && !t.seen[id] && len(t.seen) < maxTraced; left-- {
		t.seen[id] = true
		step, other, err := t.read(id)
		if err != nil || other {
			return steps, false, err
		}
		steps = append(steps, step)
		switch n := len(step.Parents); {
		case step.begins || n == 0:
			return steps, step.begins, nil
		case n > 1 && !step.approval:
			rest, begun, err := t.anyParent(step.Parents, left-1)
			return append(steps, rest...), begun, err
		default:
			id = step.Parents[n-1]
		}
	}
	return steps, false, nil
}

// anyParent continues behind a merge by a user: of the draft into another branch, or
// of another branch into the draft.
func (t *tracer) anyParent(parents []gitrepo.Hash, left int) (steps []tracedCommit, begun bool, err error) {
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

// read reads a commit. other is true for a commit of another revision: then the first commit is not found.
func (t *tracer) read(id gitrepo.Hash) (step tracedCommit, other bool, err error) {
	step.Commit, err = t.store.repo.Commit(id)
	if err != nil {
		return step, false, err
	}
	a, ours := annotationFor(step.Message, t.path)
	if ours = ours && a.Workspace == t.workspace; !ours {
		return step, len(parseAnnotations(step.Message)) > 0, nil
	}
	step.annotation, step.owner = a, parseOwner(step.Message)
	step.approval = a.Task == nil && len(step.Parents) == 2
	step.begins = a.Task != nil && a.Task.Creates()
	return step, false, nil
}

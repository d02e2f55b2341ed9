package revision

import (
	"bytes"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Loss is a change of a file on the main branch that an approval undoes: it was committed there after the
// draft's base, and the draft does not have it.
type Loss struct {
	Path    string // in the repository; of the whole package if main holds a file that a package cannot hold
	Deleted bool   // from main: the draft brings it back
	Mode    bool   // only the file mode is undone: the file is executable on main and not in the draft, or the reverse
	// Commit is the newest commit of the main branch that changed the file, Author its author's email and Subject
	// the first line of its message. Commit is zero if it is not pushed yet.
	Commit  gitrepo.Hash
	Author  string
	Subject string
}

// losses are the changes that an approval of rev undoes, by path. Porch replaces the whole package on the main
// branch: what is on main, and neither in the draft's base nor in the draft, would be lost.
func (b *bundle) losses(rev Revision) ([]Loss, error) {
	now, gone, err := b.onMain(rev)
	if err != nil || now.commit.IsZero() {
		return nil, err
	}
	base, err := b.baseOf(rev)
	if err != nil {
		return nil, err
	}
	if gone {
		return b.removed(rev, base, now)
	}
	main, err := b.store.content(now)
	if err != nil { // for example a link, which no draft can hold
		if same, err := b.sameDir(now, base.content); same || err != nil {
			return nil, err
		}
		return b.blame([]Loss{{Path: rev.Path}}, rev.Path, now)
	}
	return b.undone(rev, base, now, main)
}

// removed is the loss of the deletion of a package that was on the main branch when the draft last merged it.
func (b *bundle) removed(rev Revision, base draftBase, now origin) ([]Loss, error) {
	then, err := b.dirID(origin{commit: base.merged, path: rev.Path})
	if err != nil || then.IsZero() {
		return nil, err
	}
	return b.blame([]Loss{{Path: rev.Path, Deleted: true}}, rev.Path, now)
}

// undone are the losses in a package that is on main.
func (b *bundle) undone(rev Revision, from draftBase, now origin, main content) ([]Loss, error) {
	base, draft := b.files(from.content), b.files(origin{commit: rev.Commit, path: rev.Path})
	forked, merged := b.files(origin{commit: from.forked, path: rev.Path}), b.files(origin{commit: from.merged, path: rev.Path})
	var out []Loss
	for _, p := range main.changed(base) {
		if seen := merged.same(main, p) && !forked.same(main, p); seen { // by the user who merged main
			continue
		}
		l := Loss{Path: path.Join(rev.Path, p), Deleted: main.Blob(p) == nil}
		if l.Mode = hasContent(p, draft, base, main); !l.Mode || !hasMode(p, draft, base, main) {
			out = append(out, l)
		}
	}
	out, err := b.blame(out, rev.Path, now)
	if err != nil {
		return nil, err
	}
	return b.dropWithdrawn(rev, out)
}

// hasContent reports whether a draft has the changes of a file on main since its base.
func hasContent(p string, draft, base, main content) bool {
	is := main.Blob(p)
	return is.Equal(draft.Blob(p)) || is.Equal(base.Blob(p)) || hasLines(draft.Blob(p), base.Blob(p), is)
}

// hasMode is hasContent for the file's mode.
func hasMode(p string, draft, base, main content) bool {
	is := main.executable[p]
	return is == draft.executable[p] || is == base.executable[p]
}

// hasLines reports whether a draft's file has the changes between its base and main: every line
// that was added, and none that was removed. Then a user copied the changes by hand.
func hasLines(draft, base, main *pkgtree.Blob) bool {
	if draft == nil || main == nil {
		return false
	}
	was, is, has := lines(base), lines(main), lines(draft)
	for line, n := range is {
		if n > was[line] && has[line] < n {
			return false
		}
	}
	for line, n := range was {
		if n > is[line] && has[line] > is[line] {
			return false
		}
	}
	return true
}

// lines counts the lines of a file.
func lines(b *pkgtree.Blob) map[string]int {
	out := map[string]int{}
	if b != nil {
		for line := range bytes.Lines(b.Data()) {
			out[string(line)]++
		}
	}
	return out
}

// dropWithdrawn leaves out the changes of revisions that were published and then deleted: the user who deletes
// a revision does not want its changes.
func (b *bundle) dropWithdrawn(rev Revision, losses []Loss) (out []Loss, err error) {
	for _, l := range losses {
		withdrawn := false
		if !l.Commit.IsZero() {
			c, err := b.store.repo.Commit(l.Commit)
			if err != nil {
				return nil, err
			}
			a, ours := annotationFor(c.Message, rev.Path)
			withdrawn = ours && a.Task == nil && isOurs(c) &&
				!b.published.workspaces[[2]string{rev.Package, a.Workspace}]
		}
		if !withdrawn {
			out = append(out, l)
		}
	}
	return out, nil
}

// onMain is the place of a package's content on the main branch, with the staged commits, or gone if there is no package.
// The place is zero when the content is that of rev: then nothing can be lost.
func (b *bundle) onMain(rev Revision) (at origin, gone bool, err error) {
	root, err := b.stage.Root(b.head)
	if err != nil {
		return origin{}, false, err
	}
	now := origin{commit: b.base, path: rev.Path}
	there, err := b.stage.DirID(root, rev.Path)
	if err != nil || there.IsZero() {
		return now, true, err
	}
	if mine, err := b.store.repo.DirID(rev.Commit, rev.Path); err != nil || mine == there {
		return origin{}, false, err
	}
	if staged, ok := b.merged[rev.Path]; ok {
		return origin{commit: staged.Commit, path: rev.Path, name: staged.Workspace}, false, nil
	}
	return now, false, nil
}

// sameDir reports whether two places have the same content.
func (b *bundle) sameDir(x, y origin) (bool, error) {
	one, err := b.dirID(x)
	if err != nil {
		return false, err
	}
	other, err := b.dirID(y)
	return one == other, err
}

// dirID is the tree at a place, zero for none.
func (b *bundle) dirID(at origin) (gitrepo.Hash, error) {
	if at.commit.IsZero() {
		return gitrepo.Hash{}, nil
	}
	root, err := b.stage.Root(at.commit)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	return b.stage.DirID(root, at.path)
}

// blame fills in the newest commit of the main branch that changed the file of each loss.
func (b *bundle) blame(losses []Loss, dir string, now origin) ([]Loss, error) {
	if now.name != "" { // the change is staged in this push
		for i := range losses {
			losses[i].Subject = "the approval of workspace " + now.name + " just before"
		}
		return losses, nil
	}
	for at, left := now.commit, len(losses); left > 0 && !at.IsZero(); {
		c, err := b.store.repo.Commit(at)
		if err != nil {
			return nil, err
		}
		here, before := origin{commit: at, path: dir}, origin{path: dir}
		if len(c.Parents) > 0 {
			before.commit = c.Parents[0]
		}
		if same, err := b.sameDir(here, before); err != nil {
			return nil, err
		} else if !same {
			left -= b.assign(losses, c, dir, here, before)
		}
		at = before.commit
	}
	return losses, nil
}

// assign sets a commit for the losses that it made and no newer commit did, and counts them.
func (b *bundle) assign(losses []Loss, c gitrepo.Commit, dir string, here, before origin) (n int) {
	is, was := b.files(here), b.files(before)
	for i := range losses {
		l := &losses[i]
		in := strings.TrimPrefix(l.Path, dir+"/")
		if !l.Commit.IsZero() || l.Path != dir && is.same(was, in) {
			continue
		}
		l.Commit, l.Author = c.Hash, c.Author.Email
		l.Subject, _, _ = strings.Cut(c.Message, "\n")
		n++
	}
	return n
}

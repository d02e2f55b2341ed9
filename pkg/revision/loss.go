package revision

import (
	"bytes"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Loss is a file of the main branch that an approval undoes: somebody changed it there since what the
// draft rests on, and the draft has it otherwise.
type Loss struct {
	Path    string // in the repository; of the whole package where main holds what a package cannot
	Deleted bool   // from main: the draft brings it back
	Mode    bool   // of the file is all that is undone: it is executable on main and not in the draft, or the reverse
	// Commit is the newest on the main branch that changed it, Author its author's email and Subject
	// the first line of its message. A Commit that is not pushed yet is zero.
	Commit  gitrepo.Hash
	Author  string
	Subject string
}

// losses are the files that an approval of rev undoes, by path. Porch replaces the package on the main
// branch wholesale. Whatever of main is not from what the draft rests on, and not in the draft, would go.
func (b *bundle) losses(rev Revision) ([]Loss, error) {
	now, gone, err := b.onMain(rev)
	if err != nil || now.commit.IsZero() {
		return nil, err
	}
	on, err := b.restsOn(rev)
	if err != nil {
		return nil, err
	}
	if gone {
		return b.removed(rev, on, now)
	}
	main, err := b.store.content(now)
	if err != nil { // a link, say: what a draft holds instead is never the same
		if same, err := b.sameDir(now, on.base); same || err != nil {
			return nil, err
		}
		return b.blame([]Loss{{Path: rev.Path}}, rev.Path, now)
	}
	return b.undone(rev, on, now, main)
}

// removed is the loss of a package that was on the main branch when the draft last saw it, and is not now.
func (b *bundle) removed(rev Revision, on rest, now origin) ([]Loss, error) {
	then, err := b.dirID(origin{commit: on.merged, path: rev.Path})
	if err != nil || then.IsZero() {
		return nil, err
	}
	return b.blame([]Loss{{Path: rev.Path, Deleted: true}}, rev.Path, now)
}

// undone compares the files of a package, which main holds.
func (b *bundle) undone(rev Revision, on rest, now origin, main content) ([]Loss, error) {
	base, draft := b.files(on.base), b.files(origin{commit: rev.Commit, path: rev.Path})
	began, merged := b.files(origin{commit: on.began, path: rev.Path}), b.files(origin{commit: on.merged, path: rev.Path})
	var out []Loss
	for _, p := range main.changed(base) {
		if seen := merged.same(main, p) && !began.same(main, p); seen { // by the one who merged main
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
	return b.inForce(rev, out)
}

// hasContent reports whether a draft has the content of a file on main, as far as that is not the one it began with.
func hasContent(p string, draft, base, main content) bool {
	is := main.Blob(p)
	return sameFile(is, draft.Blob(p)) || sameFile(is, base.Blob(p)) || holds(draft.Blob(p), base.Blob(p), is)
}

// hasMode is hasContent for the file's mode.
func hasMode(p string, draft, base, main content) bool {
	is := main.executable[p]
	return is == draft.executable[p] || is == base.executable[p]
}

// holds reports whether a draft's file has what main's has and the one it began with does not: every line
// that came, and none that went. Then somebody brought it in by hand.
func holds(draft, base, main *pkgtree.Blob) bool {
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

// inForce leaves out what a revision brought to the main branch that was published then and is not any more:
// whoever deletes a revision does not want it.
func (b *bundle) inForce(rev Revision, losses []Loss) (out []Loss, err error) {
	for _, l := range losses {
		withdrawn := false
		if !l.Commit.IsZero() {
			c, err := b.store.repo.Commit(l.Commit)
			if err != nil {
				return nil, err
			}
			a, ours := annotationFor(c.Message, rev.Path)
			withdrawn = ours && a.Task == nil && ownerOf(c, Owner{Name: "us"}) != (Owner{}) &&
				!b.published.workspaces[[2]string{rev.Package, a.Workspace}]
		}
		if !withdrawn {
			out = append(out, l)
		}
	}
	return out, nil
}

// onMain is where a package's content on the main branch comes from, with what is staged there, or that it
// is gone. It is nowhere when it is there as rev has it: then nothing can be lost.
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
	if staged, ok := b.joined[rev.Path]; ok {
		return origin{commit: staged.Commit, path: rev.Path, name: staged.Workspace}, false, nil
	}
	return now, false, nil
}

// sameDir reports whether two commits have the same at their places.
func (b *bundle) sameDir(x, y origin) (bool, error) {
	one, err := b.dirID(x)
	if err != nil {
		return false, err
	}
	other, err := b.dirID(y)
	return one == other, err
}

// dirID is what is at a place, zero for nothing.
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

// blame says of each loss which commit of the main branch it is of: the newest that changed the file.
func (b *bundle) blame(losses []Loss, dir string, now origin) ([]Loss, error) {
	if now.name != "" { // it is staged, and no commit of others
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
			left -= b.charge(losses, c, dir, here, before)
		}
		at = before.commit
	}
	return losses, nil
}

// charge notes a commit for the losses that it accounts for and no newer one does, and counts them.
func (b *bundle) charge(losses []Loss, c gitrepo.Commit, dir string, here, before origin) (n int) {
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

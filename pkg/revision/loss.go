package revision

import (
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
	// Commit is the newest on the main branch that changed it, Author its author's email and Subject
	// the first line of its message. A Commit that is not pushed yet is zero.
	Commit  gitrepo.Hash
	Author  string
	Subject string
}

// losses are the files that an approval of rev undoes, by path. Porch replaces the package on the main
// branch wholesale; what a draft rests on is the revision that it continues or, without one, the main
// branch where it left that. Whatever of main is not from there, and not in the draft, would go.
func (b *bundle) losses(rev Revision) ([]Loss, error) {
	now, err := b.onMain(rev)
	if err != nil || now.commit.IsZero() {
		return nil, err
	}
	base, err := b.restsOn(rev)
	if err != nil {
		return nil, err
	}
	main, err := b.store.repo.Package(now.commit, now.path)
	if err != nil { // a link, say: what a draft holds instead is never the same
		main = pkgtree.Tree{}
		if same, err := b.sameDir(now, base); same || err != nil {
			return nil, err
		}
		return b.blame([]Loss{{Path: rev.Path}}, rev.Path, now)
	}
	then, draft := b.files(base), b.files(origin{commit: rev.Commit, path: rev.Path})
	var out []Loss
	for _, p := range main.Diff(then) {
		if !sameFile(main.Blob(p), draft.Blob(p)) {
			out = append(out, Loss{Path: path.Join(rev.Path, p), Deleted: main.Blob(p) == nil})
		}
	}
	return b.blame(out, rev.Path, now)
}

func sameFile(a, b *pkgtree.Blob) bool { return a == b || a != nil && b != nil && a.Equal(b) }

// onMain is where a package's content on the main branch comes from, with what is staged there. It is
// nowhere when the package is not on main, or is there as rev has it: then nothing can be lost.
func (b *bundle) onMain(rev Revision) (origin, error) {
	root, err := b.stage.Root(b.head)
	if err != nil {
		return origin{}, err
	}
	there, err := b.stage.DirID(root, rev.Path)
	if err != nil || there.IsZero() {
		return origin{}, err
	}
	if mine, err := b.store.repo.DirID(rev.Commit, rev.Path); err != nil || mine == there {
		return origin{}, err
	}
	if staged, ok := b.joined[rev.Path]; ok {
		return origin{commit: staged.Commit, path: rev.Path, name: staged.Workspace}, nil
	}
	return origin{commit: b.base, path: rev.Path}, nil
}

// files are those of a package, none where it is not there or cannot be read.
func (b *bundle) files(at origin) pkgtree.Tree {
	if at.commit.IsZero() {
		return pkgtree.Tree{}
	}
	tree, err := b.store.repo.Package(at.commit, at.path)
	if err != nil {
		return pkgtree.Tree{}
	}
	return tree
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
		if !l.Commit.IsZero() || l.Path != dir && sameFile(is.Blob(in), was.Blob(in)) {
			continue
		}
		l.Commit, l.Author = c.Hash, c.Author.Email
		l.Subject, _, _ = strings.Cut(c.Message, "\n")
		n++
	}
	return n
}

package branch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// folder is the directory of a package that combine-status files its results in.
const folder = "status"

// write puts what came of a look on the branch, if it is not there. The commit is zero then.
func (k *Keeper) write(ctx context.Context, at Opened, from source, s *surveyed) (gitrepo.Hash, error) {
	ref, _ := at.Repo.Ref("refs/heads/" + k.options.Branch)
	stage := at.Repo.Stage()
	root, err := stage.Root(ref.Commit)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	dir := path.Join(from.dir, folder)
	there, err := stage.DirID(root, dir)
	if err != nil || k.stands == (standing{s, there}) {
		return gitrepo.Hash{}, err
	}
	before, err := filesOf(at.Repo, ref.Commit, dir, there)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	after, err := s.over(before, dir)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	if after.Equal(before) {
		k.stands = standing{s, there}
		return gitrepo.Hash{}, nil
	}
	if root, err = stage.ReplaceDir(root, dir, after); err != nil {
		return gitrepo.Hash{}, err
	}
	id, err := k.push(ctx, at, stage, ref, gitrepo.Commit{Tree: root, Message: message(before, after, from)})
	if err != nil {
		return gitrepo.Hash{}, err
	}
	k.stands.survey = s
	k.stands.folder, err = stage.DirID(root, dir)
	return id, err
}

// filesOf are the files of a directory that may not be there.
func filesOf(repo *gitrepo.Repo, commit gitrepo.Hash, dir string, id gitrepo.Hash) (pkgtree.Tree, error) {
	if id.IsZero() {
		return pkgtree.Tree{}, nil
	}
	return repo.Package(commit, dir)
}

// over is what the directory should hold instead of before. Files that are not ours stay; so do all, when
// too much is wrong to tell what they should be.
func (s *surveyed) over(before pkgtree.Tree, dir string) (pkgtree.Tree, error) {
	files := maps.Collect(before.All())
	delete(files, reportFile)
	if s.report != nil {
		files[reportFile] = pkgtree.NewBlob(s.report)
	}
	if s.failed {
		return pkgtree.FromBlobs(files)
	}
	maps.DeleteFunc(files, func(at string, b *pkgtree.Blob) bool { return generated(at, b.Data()) })
	for at, blob := range s.files.Sub(folder).All() {
		if files[at] != nil {
			return pkgtree.Tree{}, fmt.Errorf("%s is in the way, and not of %s; move it", path.Join(dir, at), generator)
		}
		files[at] = blob
	}
	out, err := pkgtree.FromBlobs(files)
	if err != nil {
		err = fmt.Errorf("directory %q: %w", dir, err)
	}
	return out, err
}

// generated reports whether a file holds what combine-status generated, and nothing else.
func generated(at string, data []byte) bool {
	if path.Ext(at) != ".yaml" || !bytes.Contains(data, []byte(generator)) {
		return false
	}
	objects, err := krm.Read(at, data, krm.Limits{})
	for _, o := range objects {
		if !isOurs(o) {
			return false
		}
	}
	return err == nil && len(objects) > 0
}

// push makes the commit and moves the branch to it. Where the server wants every commit to follow the one
// before, it does.
func (k *Keeper) push(ctx context.Context, at Opened, stage *gitrepo.Stage, ref gitrepo.Ref, c gitrepo.Commit) (id gitrepo.Hash, err error) {
	anew, err := k.full(at.Repo, ref.Commit)
	if err != nil {
		return id, err
	}
	if !ref.Commit.IsZero() && !anew {
		c.Parents = []gitrepo.Hash{ref.Commit}
	}
	c.Author = gitrepo.Signature{Name: cmp.Or(at.Author, at.Email, committer.Name), Email: cmp.Or(at.Email, committer.Email)}
	c.Committer = committer
	c.Author.When = k.options.Now()
	c.Committer.When = c.Author.When
	if id, err = stage.Commit(c); err != nil {
		return id, err
	}
	err = stage.Push(ctx, []gitrepo.RefUpdate{{Name: "refs/heads/" + k.options.Branch, Old: ref.Target, New: id}})
	var rejected *gitrepo.RejectedError
	switch {
	case anew && errors.As(err, &rejected):
		k.linear = true
		return k.push(ctx, at, stage, ref, c)
	case anew && err == nil:
		k.repository.Reopen() // which forgets the commits that nothing leads to any more
	}
	return id, err
}

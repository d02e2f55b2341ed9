package branch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
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
	changes, words, err := s.changes(at.Repo, ref.Commit, dir, there)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	if len(changes) == 0 {
		k.stands = standing{s, there}
		return gitrepo.Hash{}, nil
	}
	if root, err = stage.ChangeFiles(root, dir, changes); err != nil {
		return gitrepo.Hash{}, err
	}
	id, err := k.push(ctx, at, stage, ref, gitrepo.Commit{Tree: root, Message: message(words, from)})
	if err != nil {
		return gitrepo.Hash{}, err
	}
	k.reopened, k.stands.survey = false, s
	k.stands.folder, err = stage.DirID(root, dir)
	return id, err
}

// changes are the files of the directory that have to be others, or go, and that in words. Files that are
// not ours stay; so do all, when too much is wrong to tell what they should be.
func (s *surveyed) changes(repo *gitrepo.Repo, commit gitrepo.Hash, dir string, id gitrepo.Hash) (map[string]*pkgtree.Blob, string, error) {
	var before pkgtree.Tree
	if !id.IsZero() {
		var err error
		if before, err = repo.Files(commit, dir); err != nil {
			return nil, "", err
		}
	}
	c := changes{before: before, files: map[string]*pkgtree.Blob{}}
	if !s.failed {
		if err := c.results(s.files.Sub(folder), dir); err != nil {
			return nil, "", err
		}
	}
	words := c.words()
	if have, is := before.Get(reportFile); s.report == nil && is {
		c.files[reportFile] = nil
	} else if s.report != nil && !bytes.Equal(have, s.report) {
		c.files[reportFile] = pkgtree.NewBlob(s.report)
	}
	return c.files, words, nil
}

// changes collects what is different.
type changes struct {
	before                pkgtree.Tree
	files                 map[string]*pkgtree.Blob
	changed, added, taken int
}

// results compares with what there should be.
func (c *changes) results(want pkgtree.Tree, dir string) error {
	for at, blob := range want.All() {
		have, is := c.before.Get(at)
		switch {
		case !is:
			c.added++
		case bytes.Equal(have, blob.Data()):
			continue
		case !generated(at, have):
			return fmt.Errorf("%s is in the way, and not of %s; move it", path.Join(dir, at), generator)
		default:
			c.changed++
		}
		c.files[at] = blob
	}
	for at, blob := range c.before.All() {
		if want.Blob(at) == nil && generated(at, blob.Data()) {
			c.taken++
			c.files[at] = nil
		}
	}
	return nil
}

func (c *changes) words() string {
	if len(c.files) == 0 {
		return reportFile
	}
	return fmt.Sprintf("%d changed, %d new, %d gone", c.changed, c.added, c.taken)
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
func (k *Keeper) push(ctx context.Context, at Opened, stage *gitrepo.Stage, ref gitrepo.Ref, c gitrepo.Commit) (gitrepo.Hash, error) {
	anew, err := k.full(at.Repo, ref.Commit)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	if anew {
		id, err := k.commit(ctx, at, stage, ref, c)
		var rejected *gitrepo.RejectedError
		if err == nil {
			k.weighed = weighed{}
			k.repository.Reopen() // which forgets the commits that nothing leads to any more
		}
		if !errors.As(err, &rejected) {
			return id, err
		}
	}
	if !ref.Commit.IsZero() {
		c.Parents = []gitrepo.Hash{ref.Commit}
	}
	id, err := k.commit(ctx, at, stage, ref, c)
	if anew && err == nil { // the server minds only that the branch begins anew
		k.linear = at.Repo.URL()
	}
	return id, err
}

func (k *Keeper) commit(ctx context.Context, at Opened, stage *gitrepo.Stage, ref gitrepo.Ref, c gitrepo.Commit) (gitrepo.Hash, error) {
	c.Author = gitrepo.Signature{Name: cmp.Or(at.Author, at.Email, committer.Name), Email: cmp.Or(at.Email, committer.Email)}
	c.Committer = committer
	c.Author.When = k.options.Now()
	c.Committer.When = c.Author.When
	id, err := stage.Commit(c)
	if err != nil {
		return id, err
	}
	return id, stage.Push(ctx, []gitrepo.RefUpdate{{Name: "refs/heads/" + k.options.Branch, Old: ref.Target, New: id}})
}

package statusbranch

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
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

// resultsDir is the directory of a package where combine-status writes its results.
const resultsDir = "status"

// published is what the branch holds since the last Publish.
type published struct {
	combined *combined
	dir      gitrepo.Hash // of the results
}

// commitChanges commits results that the branch does not have. Without any it returns a zero hash.
func (p *Publisher) commitChanges(ctx context.Context, opened Opened, from location, c *combined) (id gitrepo.Hash, err error) {
	ref, _ := opened.Repo.Ref("refs/heads/" + p.options.Branch)
	stage := opened.Repo.Stage()
	root, err := stage.Root(ref.Commit)
	if err != nil {
		return id, err
	}
	dir := path.Join(from.dir, resultsDir)
	have, err := stage.DirID(root, dir)
	if err != nil || p.published == (published{c, have}) {
		return id, err
	}
	files, summary, err := c.changes(opened.Repo, ref.Commit, dir, have)
	if err != nil {
		return id, err
	}
	if len(files) == 0 {
		p.published = published{c, have}
		return id, nil
	}
	if root, err = stage.ChangeFiles(root, dir, files); err != nil {
		return id, err
	}
	id, err = p.push(ctx, opened, stage, ref, gitrepo.Commit{Tree: root, Message: message(summary, from)})
	if err != nil {
		return gitrepo.Hash{}, err
	}
	p.reopened, p.published.combined = false, c
	p.published.dir, err = stage.DirID(root, dir)
	return id, err
}

// changes returns the files of the directory that change (nil: deleted), and a summary. Files that are not
// generated stay; so do all others when the package failed.
func (c *combined) changes(repo *gitrepo.Repo, commit gitrepo.Hash, dir string, id gitrepo.Hash) (map[string]*pkgtree.Blob, string, error) {
	var before pkgtree.Tree
	if !id.IsZero() {
		var err error
		if before, err = repo.Files(commit, dir); err != nil {
			return nil, "", err
		}
	}
	diff := fileDiff{before: before, files: map[string]*pkgtree.Blob{}}
	if !c.failed {
		if err := diff.compare(c.files.Sub(resultsDir), dir); err != nil {
			return nil, "", err
		}
	}
	summary := diff.summary()
	if have, is := before.Get(reportFile); c.report == nil && is {
		diff.files[reportFile] = nil
	} else if c.report != nil && !bytes.Equal(have, c.report) {
		diff.files[reportFile] = pkgtree.NewBlob(c.report)
	}
	return diff.files, summary, nil
}

// fileDiff collects the files that change.
type fileDiff struct {
	before                  pkgtree.Tree
	files                   map[string]*pkgtree.Blob
	changed, added, deleted int
}

func (d *fileDiff) compare(want pkgtree.Tree, dir string) error {
	for at, blob := range want.All() {
		have, is := d.before.Get(at)
		switch {
		case !is:
			d.added++
		case bytes.Equal(have, blob.Data()):
			continue
		case !generated(at, have):
			return fmt.Errorf("%s is in the way, and not of %s; move it", path.Join(dir, at), combine.Name)
		default:
			d.changed++
		}
		d.files[at] = blob
	}
	for at, blob := range d.before.All() {
		if want.Blob(at) == nil && generated(at, blob.Data()) {
			d.deleted++
			d.files[at] = nil
		}
	}
	return nil
}

func (d *fileDiff) summary() string {
	if len(d.files) == 0 {
		return reportFile
	}
	return fmt.Sprintf("%d changed, %d new, %d gone", d.changed, d.added, d.deleted)
}

// generated reports whether a file holds what combine-status generated, and nothing else.
func generated(at string, data []byte) bool {
	if path.Ext(at) != ".yaml" || !bytes.Contains(data, []byte(combine.Name)) {
		return false
	}
	objects, err := krm.Read(at, data, krm.Limits{})
	for _, o := range objects {
		if !isGenerated(o) {
			return false
		}
	}
	return err == nil && len(objects) > 0
}

// push commits, and moves the branch to the commit. A full branch restarts with the commit as its first one,
// unless the server refuses that.
func (p *Publisher) push(
	ctx context.Context, opened Opened, stage *gitrepo.Stage, ref gitrepo.Ref, c gitrepo.Commit,
) (gitrepo.Hash, error) {
	restart, err := p.mustRestart(opened.Repo, ref.Commit)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	if restart {
		id, err := p.commit(ctx, opened, stage, ref, c)
		var rejected *gitrepo.RejectedError
		if err == nil {
			p.weight = weight{}
			p.repository.Reopen() // frees the memory of the old commits
		}
		if !errors.As(err, &rejected) {
			return id, err
		}
	}
	if !ref.Commit.IsZero() {
		c.Parents = []gitrepo.Hash{ref.Commit}
	}
	id, err := p.commit(ctx, opened, stage, ref, c)
	if restart && err == nil { // the server refuses only the restart
		p.appendURL = opened.Repo.URL()
	}
	return id, err
}

func (p *Publisher) commit(
	ctx context.Context, opened Opened, stage *gitrepo.Stage, ref gitrepo.Ref, c gitrepo.Commit,
) (gitrepo.Hash, error) {
	c.Author = gitrepo.Signature{Name: cmp.Or(opened.Author, opened.Email, committer.Name), Email: cmp.Or(opened.Email, committer.Email)}
	c.Committer = committer
	c.Author.When = p.options.Now()
	c.Committer.When = c.Author.When
	id, err := stage.Commit(c)
	if err != nil {
		return id, err
	}
	return id, stage.Push(ctx, []gitrepo.RefUpdate{{Name: "refs/heads/" + p.options.Branch, Old: ref.Target, New: id}})
}

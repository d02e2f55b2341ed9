package local_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// personal is what people do to revisions, the more usual things more often.
var personal = []string{"publish all", "publish all", "publish all", "publish", "commit", "commit", "propose", "approve", "reject", "delete", "propose deletion", "undo deletion", "copy", "main"}

func (m *model) userActs() {
	what := choose(m, personal...)
	if what == "commit" {
		m.commitOnDraft(numbers.Draw(m.rt, "which"), func(files map[string]string) { m.change(files, localKeys, "local") })
		return
	}
	m.by(what, numbers.Draw(m.rt, "which"))
}

// by does what a person does, to one of the revisions that it can be done to.
func (m *model) by(what string, which int) {
	m.Helper()
	switch what {
	case "commit":
		m.commitOnDraft(which, func(files map[string]string) { put(files, "greeting", fmt.Sprintf("local-%d", m.next())) })
	case "copy":
		m.copyRevision(which)
	case "publish all":
		for range m.observe().revisions {
			m.step("publish", 0)
		}
	case "main":
		m.did("a user commits to main")
		m.commit("main", map[string]*string{"notes.txt": text(fmt.Sprint(m.next()))})
	default:
		m.step(what, which)
	}
}

// commitOnDraft puts a commit without any of our trailers on an open draft.
func (m *model) commitOnDraft(which int, edit func(map[string]string)) {
	m.Helper()
	var drafts []*rev
	for _, r := range m.observe().revisions {
		if r.stage == "drafts" {
			drafts = append(drafts, r)
		}
	}
	if len(drafts) == 0 {
		return
	}
	r := drafts[which%len(drafts)]
	m.did("a user commits on %s", r.ref)
	was := m.filesOf(r)
	is := maps.Clone(was)
	edit(is)
	m.commitFiles(strings.TrimPrefix(r.ref, "heads/"), changes(r.pkg, was, is))
}

func (m *model) commitFiles(branch string, files map[string]*string) {
	m.Helper()
	gittest.Commit(m, m.path("deployments.git"), gittest.Change{Branch: branch, Files: files, Message: "by hand\n", When: m.when()})
}

// copyRevision begins a draft of a user's own where another revision is.
func (m *model) copyRevision(which int) {
	m.Helper()
	revs := m.observe().revisions
	if len(revs) == 0 {
		return
	}
	r := revs[which%len(revs)]
	ws := fmt.Sprintf("mine-%d", m.next())
	m.byHand[r.pkg+"/"+ws] = true
	m.did("a user begins drafts/%s/%s on %s", r.pkg, ws, r.ref)
	m.git("branch", "drafts/"+r.pkg+"/"+ws, r.tip)
}

// step takes a revision a step through its life, as rpkg does. What the rules refuse is not done.
func (m *model) step(what string, which int) {
	m.Helper()
	s := m.store()
	all, err := s.List()
	if err != nil {
		m.Fatal(err)
	}
	from := map[string][]porch.Lifecycle{
		"publish": {porch.Draft}, "propose": {porch.Draft}, "approve": {porch.Proposed}, "reject": {porch.Proposed},
		"delete": {porch.Draft, porch.Proposed, porch.DeletionProposed}, "propose deletion": {porch.Published}, "undo deletion": {porch.DeletionProposed},
	}[what]
	var fit []revision.Revision
	for _, r := range all {
		for _, l := range from {
			if r.Lifecycle == l && r.Revision != revision.Placeholder {
				fit = append(fit, r)
			}
		}
	}
	if len(fit) == 0 {
		return
	}
	r := fit[which%len(fit)]
	m.did("a user does %s of %s", what, strings.TrimPrefix(r.Ref, "refs/"))
	var late *gitrepo.StaleError
	switch err := m.take(s, what, r); {
	case errors.As(err, &late):
		m.did("  too late")
	case err != nil:
		m.Fatalf("%s of %s: %v", what, r.Ref, err)
	}
}

func (m *model) take(s *revision.Store, what string, r revision.Revision) (err error) {
	now := revision.Stamp{When: m.when()}
	switch what {
	case "publish":
		if r, err = s.Propose(ctx, r); err == nil {
			_, err = s.Approve(ctx, r, now)
		}
	case "propose":
		_, err = s.Propose(ctx, r)
	case "approve":
		_, err = s.Approve(ctx, r, now)
	case "reject":
		_, err = s.Reject(ctx, r)
	case "delete":
		err = s.Delete(ctx, r, now)
	case "propose deletion":
		_, err = s.ProposeDeletion(ctx, r)
	case "undo deletion":
		_, err = s.UndoDeletion(ctx, r)
	}
	return err
}

package revision_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// legal are the steps that each stage of the life cycle allows.
var legal = map[revision.Op][]string{
	revision.OpPropose: {"Draft"}, revision.OpReject: {"Proposed"}, revision.OpApprove: {"Proposed"},
	revision.OpProposeDeletion: {"Published"}, revision.OpUndoDeletion: {"DeletionProposed"},
	revision.OpDelete: {"Draft", "Proposed", "DeletionProposed"},
}

var ops = []revision.Op{revision.OpPropose, revision.OpReject, revision.OpApprove, revision.OpProposeDeletion, revision.OpUndoDeletion, revision.OpDelete}

// walk is a random history of one repository.
type walk struct {
	*testing.T
	rt    *rapid.T
	dir   string
	store *revision.Store
	porch *porchReader
	n     int // of the step: content and times differ by it
	taken map[revision.Op]int
}

// bits draws all numbers with the same probability. Rapid's own numbers are mostly small, and walks
// with them would repeat the same few steps.
var bits = rapid.Custom(func(rt *rapid.T) (n int) {
	for _, set := range rapid.SliceOfN(rapid.Bool(), 10, 10).Draw(rt, "bits") {
		if n *= 2; set {
			n++
		}
	}
	return n
})

// pick draws one of several.
func pick[E any](rt *rapid.T, what string, from []E) E { return from[bits.Draw(rt, what)%len(from)] }

// TestPorchSeesTheSame takes repositories through long random histories, in which users also write to them with
// git. After every step an independent reader sees what the Store lists.
func TestPorchSeesTheSame(t *testing.T) {
	testenv.Checks(t, 8) // of 25 steps each, which all ask git a lot
	taken := map[revision.Op]int{}
	defer func() {
		for _, op := range ops {
			if taken[op] == 0 && !t.Failed() && !testenv.Short() {
				t.Errorf("no walk contains the step %s", op)
			}
		}
	}()
	rapid.Check(t, func(rt *rapid.T) {
		cfg := revision.Config{Directory: rapid.SampledFrom([]string{"", "deploy"}).Draw(rt, "directory")}
		dir, store := newRepo(t, cfg)
		w := &walk{T: t, rt: rt, dir: dir, store: store, porch: newPorch(t, dir, cfg), taken: taken}
		gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{w.hand() + "/Kptfile": ""})})
		w.check("main")
		for w.n = range 25 {
			main := gittest.Git(t, dir, "rev-parse", "main")
			pick(rt, "step", []func(){w.create, w.create, w.update, w.change, w.change, w.change, w.userWrite, w.userWrite})()
			w.check(main)
		}
		gittest.Fsck(t, dir)
	})
}

// check checks what must hold after every step.
func (w *walk) check(main string) {
	w.Helper()
	if err := w.store.Refresh(ctx); err != nil {
		w.rt.Fatal(err)
	}
	if diff := cmp.Diff(w.porch.read(), asPorch(list(w, w.store))); diff != "" {
		w.rt.Fatalf("step %d: Porch sees something else (-Porch +store):\n%s\n%s", w.n, diff, gittest.Refs(w, w.dir))
	}
	gittest.Git(w, w.dir, "merge-base", "--is-ancestor", main, "main") // or fails: what was on main stays in its history
}

// create makes drafts, which the rules may refuse.
func (w *walk) create() {
	var reqs []revision.DraftRequest
	for n := range pick(w.rt, "drafts", []int{1, 3}) {
		req := initDraft(w, pick(w.rt, "package", []string{"a", "b/x", "net", "net/upf"}), fmt.Sprint("w", w.n, "-", n))
		req.Stamp, req.Owner = later(w.n), owner
		reqs = append(reqs, req)
	}
	w.checkUnmovedOnError(func() error { _, err := w.store.CreateDrafts(ctx, reqs); return err }, nil)
}

// update gives a draft new content.
func (w *walk) update() {
	revs := slices.DeleteFunc(list(w, w.store), func(r revision.Revision) bool { return r.Lifecycle != "Draft" })
	if len(revs) == 0 {
		return
	}
	rev := pick(w.rt, "draft", revs)
	if _, err := w.store.UpdateDraft(ctx, rev, revision.Update{Content: pkg(w, fmt.Sprint(w.n)), Owner: owner, Stamp: later(w.n)}); err != nil {
		w.rt.Fatalf("update of %s: %v", rev.Name, err)
	}
}

// change takes up to six steps at once; a user may write to main just before. Steps that all rules allow
// must succeed, and steps that a rule forbids must fail.
func (w *walk) change() {
	revs := list(w, w.store)
	var changes []revision.Change
	allowed, unsure := true, false // packages may be nested, and tags made with git may exist already
	for range min(pick(w.rt, "changes", []int{1, 3, 6}), len(revs)) {
		at := pick(w.rt, "revision", indexes(revs))
		rev := revs[at]
		revs = slices.Delete(revs, at, at+1)
		fit := slices.DeleteFunc(slices.Clone(ops), func(op revision.Op) bool { return !slices.Contains(legal[op], string(rev.Lifecycle)) })
		if at := slices.Index(fit, revision.OpDelete); len(fit) > 1 && at >= 0 {
			fit = slices.Concat(fit, slices.Delete(slices.Clone(fit), at, at+1)) // deletions end lives: half as many of them
		}
		if bits.Draw(w.rt, "stray")%40 == 0 {
			fit = ops
		}
		op := pick(w.rt, "op", fit)
		changes = append(changes, revision.Change{Op: op, Revision: rev})
		allowed = allowed && slices.Contains(legal[op], string(rev.Lifecycle)) && !w.occupied(op, rev)
		unsure = unsure || op == revision.OpApprove && (strings.HasPrefix(rev.Package, "net") || rev.Path == w.hand())
	}
	if rapid.Bool().Draw(w.rt, "meanwhile") {
		gittest.Commit(w, w.dir, gittest.Change{Files: gittest.Files(map[string]string{"meanwhile": fmt.Sprint(w.n)}), When: later(w.n).When})
	}
	var got []revision.Revision
	w.checkUnmovedOnError(func() (err error) {
		got, err = w.store.ChangeAll(ctx, changes, later(w.n))
		return err
	}, func(err error) {
		if (err == nil) != allowed && (!allowed || !unsure) {
			w.rt.Fatalf("%v: allowed %v, got %v", changes, allowed, err)
		}
	})
	for i := range got {
		w.taken[changes[i].Op]++
	}
	w.checkResults(changes, got)
}

// occupied reports whether the branch that a proposal or a rejection would make exists, because a user made it with git.
func (w *walk) occupied(op revision.Op, rev revision.Revision) bool {
	of, draft := strings.CutPrefix(rev.Ref, "refs/heads/drafts/")
	if draft && op == revision.OpPropose {
		return strings.Contains(gittest.Refs(w, w.dir)+"\n", "refs/heads/proposed/"+of+"\n")
	}
	of, proposed := strings.CutPrefix(rev.Ref, "refs/heads/proposed/")
	return proposed && op == revision.OpReject && strings.Contains(gittest.Refs(w, w.dir)+"\n", "refs/heads/drafts/"+of+"\n")
}

func indexes[E any](from []E) []int {
	out := make([]int, len(from))
	for i := range out {
		out[i] = i
	}
	return out
}

// checkResults fails unless the results of a change are listed after it, and the approved ones are in main's history
// and not nested in another published package.
func (w *walk) checkResults(changes []revision.Change, got []revision.Revision) {
	listed := list(w, w.store)
	for i, r := range got {
		if changes[i].Op == revision.OpDelete {
			continue
		}
		at := slices.IndexFunc(listed, func(o revision.Revision) bool { return o.Ref == r.Ref && o.Path == r.Path })
		if at < 0 || !cmp.Equal(listed[at], r) {
			w.rt.Fatalf("the result %+v is not listed", r)
		}
		if changes[i].Op != revision.OpApprove {
			continue
		}
		gittest.Git(w, w.dir, "merge-base", "--is-ancestor", r.Ref, "main") // or fails
		for _, o := range listed {
			if o.Lifecycle.IsPublished() && (strings.HasPrefix(o.Path, r.Path+"/") || strings.HasPrefix(r.Path, o.Path+"/")) {
				w.rt.Fatalf("%s was approved although there is %s", r.Name, o.Name)
			}
		}
	}
}

// checkUnmovedOnError runs f. It fails the test if f failed for another reason than a rule, or moved a ref although it failed.
func (w *walk) checkUnmovedOnError(f func() error, check func(error)) {
	w.Helper()
	before := gittest.Refs(w, w.dir)
	err := f()
	var refused *revision.RefusedError
	if err != nil && !errors.As(err, &refused) {
		w.rt.Fatalf("step %d: %v", w.n, err)
	}
	if after := gittest.Refs(w, w.dir); err != nil && before != after {
		w.rt.Fatalf("step %d failed and moved refs: %v\n%s", w.n, err, cmp.Diff(before, after))
	}
	if check != nil {
		check(err)
	}
}

// hand is the path of the package of the users of git.
func (w *walk) hand() string { return strings.TrimPrefix(w.porch.below+"/hand", "/") }

// userWrite changes the repository as users do with git.
func (w *walk) userWrite() {
	at := w.hand()
	commit := func(branch, message string, files map[string]*string) {
		gittest.Commit(w, w.dir, gittest.Change{Branch: branch, Message: message, Files: files, When: later(w.n).When})
	}
	text := fmt.Sprintf("# %d\n", w.n)
	hands := map[string]func(){
		"package": func() {
			commit("", "add a package\n", gittest.Files(map[string]string{at + "/Kptfile": text, at + "/sub/Kptfile": ""}))
		},
		"removal": func() { commit("", "", map[string]*string{at + "/Kptfile": nil, at + "/sub/Kptfile": nil}) },
		"note": func() {
			commit("", "s\n\nkpt:{\"package\":\""+at+"\",\"workspaceName\":\"by-hand\"}\nkpt:{broken\n", gittest.Files(map[string]string{at + "/Kptfile": text}))
		},
		"number":    func() { gittest.Git(w, w.dir, "tag", "--force", fmt.Sprint(at, "/v", w.n%3+1), "main") },
		"word":      func() { gittest.Git(w, w.dir, "tag", "--force", at+"/stable", "main") },
		"no slash":  func() { gittest.Git(w, w.dir, "tag", "--force", "release", "main") },
		"of a tree": func() { gittest.Git(w, w.dir, "tag", "--force", at+"/v9", "main^{tree}") },
		"annotated": func() {
			gittest.Git(w, w.dir, "-c", "user.name=T", "-c", "user.email=t@example.com", "tag", "--force", "-a", "-m", "m", at+"/v5", "main")
		},
		"draft":    func() { commit("drafts/"+at+"/own", "mine\n", gittest.Files(map[string]string{at + "/Kptfile": text})) },
		"no draft": func() { commit("drafts/nothing/here", "", gittest.Files(map[string]string{"other": text})) },
		"doomed":   func() { gittest.Git(w, w.dir, "branch", "--force", "deletionProposed/"+at+"/v1", "main") },
	}
	names := slices.Sorted(maps.Keys(hands))
	hands[pick(w.rt, "by hand", names)]()
	if err := w.store.Refresh(ctx); err != nil {
		w.rt.Fatal(err)
	}
}

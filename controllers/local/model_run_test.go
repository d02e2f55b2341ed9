package local_test

import (
	"context"
	"sync/atomic"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// disturbance is what happens to a reconcile at one of the steps that Git passes.
type disturbance struct {
	what string // killed, cut-short, doubled, overtaken, or "" for nothing
	step int
	act  func() // of what overtakes it
}

var undisturbed disturbance

// reconcile reconciles, if need be again and again, until nothing moves any more. What was disturbed must
// then be as in a copy that nothing disturbed.
func (m *model) reconcile(d disturbance) {
	m.Helper()
	m.writeAll()
	if d.what == "" {
		m.settle()
		return
	}
	m.seen.add(d.what)
	undisturbed := m.undisturbed()
	defer undisturbed.end()
	m.disturb(d)
	m.settle()
	if d.what == "overtaken" {
		return // by what a person did in one of the worlds alone
	}
	undisturbed.link(m.through)
	undisturbed.settle()
	m.link(m.through)
	if diff := cmp.Diff(undisturbed.observe().down, m.observe().down); diff != "" {
		m.Fatalf("%s at step %d: refs are not as undisturbed (-undisturbed +disturbed):\n%s", d.what, d.step, diff)
	}
}

// undisturbed is a copy of the model.
func (m *model) undisturbed() *model {
	t := *m
	t.fleet = &fleet{TB: m.TB, root: m.root + "-undisturbed"}
	t.copyFrom(m.root)
	return &t
}

// disturb reconciles once with a disturbance.
func (m *model) disturb(d disturbance) {
	m.Helper()
	before := m.observe()
	inner := [2]*view{}
	at := func(do func()) func(gitrepo.Step) {
		var steps atomic.Int32
		return func(gitrepo.Step) {
			if int(steps.Add(1)) == d.step {
				do()
			}
		}
	}
	switch d.what {
	case "killed":
		m.child(d.step)
	case "cut-short":
		cut, cancel := context.WithCancel(ctx)
		m.pass(cut, at(cancel))
		cancel()
	case "doubled":
		m.pass(ctx, at(func() { (&fleet{TB: m.TB, root: m.root, through: m.through}).reconcileOnce() }))
	case "overtaken":
		m.pass(ctx, at(func() { inner[0] = m.observe(); d.act(); inner[1] = m.observe() }))
	}
	gittest.Fsck(m.fleet, m.path("deployments.git"))
	if inner[0] != nil {
		m.attribute(before, inner[0])
		m.attribute(inner[1], m.observe(), before)
		return
	}
	m.attribute(before, m.observe()) // there may be two drafts of one variant where it died between two pushes
}

// pass is one reconcile of everything; it returns what came of variants and of the set.
func (m *model) pass(ctx context.Context, onStep func(gitrepo.Step)) (reports []reconciler.Report, setErr error) {
	m.Helper()
	in, r := m.open(onStep)
	for _, rep := range in.Expand(ctx, m.repos) {
		setErr = rep.Err
	}
	return r.ReconcileAll(ctx, in.Variants, nil), setErr
}

// reconcileOnce is a pass by another process.
func (f *fleet) reconcileOnce() {
	in, r := f.open(nil)
	in.Expand(ctx, f.repos)
	r.ReconcileAll(ctx, in.Variants, nil)
}

// settle makes passes until one moves nothing, and checks each. A variant that had what it wanted after one
// pass must have nothing left to do in the next.
func (m *model) settle() {
	m.Helper()
	done := map[string]reconciler.Action{}
	for range 5 {
		if m.mirrored {
			m.syncMirror()
		}
		before, mirror := m.observe(), m.mirrorRefs()
		reports, setErr := m.pass(ctx, nil)
		after := m.observe()
		m.checkMirror(mirror)
		by := m.attribute(before, after)
		m.checkPass(before, after, by, setErr, reports)
		for who, moved := range by {
			switch done[who] {
			case reconciler.Created, reconciler.Updated, reconciler.Unchanged:
				m.Fatalf("%s was %s, and the next reconcile moves %v", who, done[who], moved)
			}
		}
		if len(by) == 0 {
			return
		}
		for _, r := range reports {
			done[r.Name] = r.Action
		}
	}
	m.Fatal("five reconciles, and still there is something to move")
}

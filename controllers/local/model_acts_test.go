package local_test

import (
	"fmt"

	"pgregory.net/rapid"
)

// numbers are as likely to be one as another; rapid's own are mostly small, and lives of those all alike.
var numbers = rapid.Custom(func(rt *rapid.T) (n int) {
	for _, set := range rapid.SliceOfN(rapid.Bool(), 8, 8).Draw(rt, "bits") {
		if n *= 2; set {
			n++
		}
	}
	return n
})

// choose draws one of several; a smaller example has an earlier one.
func choose[E any](m *model, from ...E) E { return from[numbers.Draw(m.rt, "choice")%len(from)] }

// did logs a step, for the reader of a sequence that fails.
func (m *model) did(format string, args ...any) { m.rt.Logf("• "+format, args...) }

// life is how many things happen in a sequence; nothing is one of them, which makes examples smaller.
const life = 24

// live draws what happens next, the more likely things several times.
func (m *model) live() {
	choose(m, func() {}, m.reconcileNow, m.reconcileNow, m.reconcileDisturbed, m.reconcileDisturbed, m.userActs, m.userActs, m.userActs, m.userActs,
		m.release, m.release, m.retag, m.changeSite, m.changeVariant, m.changeVariant, m.changeVariant, m.changeSet, m.changeBudget, m.changeSecond, m.silent)()
}

func (m *model) reconcileNow() {
	m.did("reconcile")
	m.reconcile(undisturbed)
}

// reconcileDisturbed reconciles with some trouble at one of the steps; there are two for each look and
// five for each push, and a step that is never reached is no trouble.
func (m *model) reconcileDisturbed() {
	d := disturbance{what: choose(m, "killed", "cut-short", "doubled", "overtaken"), step: 1 + numbers.Draw(m.rt, "step")%12}
	if m.did("reconcile, %s at step %d", d.what, d.step); d.what == "overtaken" {
		what, which := choose(m, personal...), numbers.Draw(m.rt, "which")
		d.act = func() { m.by(what, which) }
	}
	m.reconcile(d)
}

func (m *model) changeSite() {
	name := choose(m, allSites...)
	if _, there := m.sites[name]; there && choose(m, false, true) {
		m.did("site %s goes", name)
		delete(m.sites, name)
		return
	}
	m.sites[name] = m.next()
	m.did("site %s has %s", name, cidr(m.sites[name]))
}

// next is a number that was not there before.
func (m *model) next() int {
	m.serial++
	return m.serial
}

// changeVariant adds a variant, takes one away, or changes one thing that it wants.
func (m *model) changeVariant() {
	name := choose(m, variantNames...)
	w := m.variants[name]
	if w == nil {
		w = &desiredVariant{name: name, pkg: name + "/shop", revision: 1, region: name, site: "lyon"}
		if choose(m, false, true) {
			w.follow, w.revision = "latest", 0
		}
		w.recreate = choose(m, false, false, true)
		m.variants[name] = w
		m.did("variant %s is added: %+v", name, *w)
		return
	}
	m.changeDesired(w, name)
	switch choose(m, "", "", "", "pkg", "dying", "recreate", "exempt", "adopt", "gone") {
	case "pkg":
		w.pkg = choose(m, "eu/shop", "us/shop", "eu/shop", "us/shop", "us/shop/inside")
	case "dying":
		w.dying = !w.dying
	case "recreate":
		w.recreate = !w.recreate
	case "exempt":
		w.exempt = !w.exempt
	case "adopt":
		w.adopt = !w.adopt
	case "gone":
		m.did("the file of variant %s goes", name)
		delete(m.variants, name)
		return
	}
	m.did("variant %s: %+v", name, *w)
}

// changeDesired changes one thing that variants and sets have alike.
func (m *model) changeDesired(w *desiredVariant, name string) {
	switch choose(m, "revision", "revision", "follow", "region", "note", "tier", "orphan", "site") {
	case "revision":
		w.follow, w.revision = "", choose(m, m.count(), m.count(), 1+numbers.Draw(m.rt, "revision")%m.count())
	case "follow":
		w.follow, w.revision = choose(m, "latest", ">=2", "<3"), 0
	case "region":
		w.region = fmt.Sprintf("%s-%d", name, m.next())
	case "note":
		w.note = choose(m, "", fmt.Sprintf("note-%d", m.next()), fmt.Sprintf("note-%d", m.next()), refusing)
	case "tier":
		w.tier = choose(m, "", "gold", "iron")
	case "orphan":
		w.orphan = !w.orphan
	case "site":
		w.site = choose(m, allSites...)
	}
}

// changeSet adds the set, takes it away, or changes what it wants.
func (m *model) changeSet() {
	if m.set == nil {
		m.set = &desiredSet{prefix: "sites", desiredVariant: desiredVariant{revision: 1, region: "edge"}}
		m.did("the set is added, for sites %v", sortedNames(m.sites))
		return
	}
	m.changeDesired(&m.set.desiredVariant, "edge")
	switch choose(m, "", "", "prefix", "gone") {
	case "prefix":
		m.set.prefix = choose(m, "sites", "places")
	case "gone":
		m.set = nil
		m.did("the set's file goes")
		return
	}
	m.did("set: %+v", *m.set)
}

func (m *model) changeBudget() {
	m.budget = choose(m, "", "", "maxObjects 0", "maxObjects 3", "maxDeletions 0")
	m.did("budget: %q", m.budget)
}

package local_test

import (
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// checkPass holds the reports of an undisturbed pass against what it did, and that against what was wanted.
func (m *model) checkPass(before, after *view, by map[string][]move, setErr error, reports []reconciler.Report) {
	m.Helper()
	desired, ok := m.desired(before)
	if ok != (setErr == nil) {
		m.Fatalf("the set can be expanded: %v, but it says %v", ok, setErr)
	}
	told := map[string]bool{}
	for _, rep := range reports {
		m.seen.add(string(rep.Action))
		w := desired[rep.Name]
		if told[rep.Name] = true; w == nil {
			m.Fatalf("nothing asked for %s: %s", rep.Name, rep.Message)
		}
		switch rep.Action {
		case reconciler.Created, reconciler.Updated, reconciler.Unchanged:
			if moved := len(by[rep.Name]) > 0; moved != (rep.Action != reconciler.Unchanged) {
				m.Fatalf("%s says %s: %s, and moved %v", rep.Name, rep.Action, rep.Message, by[rep.Name])
			}
			m.checkDone(before, after, w, rep)
		default:
			if len(by[rep.Name]) > 0 {
				m.Fatalf("%s says %s: %s, and moved %v", rep.Name, rep.Action, rep.Message, by[rep.Name])
			}
			if !m.justified(before, w, rep.Message) && !m.justified(after, w, rep.Message) && !m.known(before, w, rep.Message) {
				m.Fatalf("%s has no reason to say %s: %s", rep.Name, rep.Action, rep.Message)
			}
		}
	}
	for name, w := range desired {
		if !told[name] && (!w.dying || !w.set) {
			m.Fatalf("%s was not reconciled", name)
		}
		if !told[name] { // the set has forgotten it
			m.checkLeft(after, w, "")
		}
	}
	m.checkOnes(after)
	m.checkBudget(before, after, by, desired)
}

// checkDone: what a variant has now is what it wants; what it made of what was there keeps what people did.
func (m *model) checkDone(before, after *view, w *desiredVariant, rep reconciler.Report) {
	m.Helper()
	m.checkLeft(after, w, rep.Message)
	if w.dying {
		return
	}
	for _, r := range after.targets(w) {
		was := before.at(r.ref)
		switch {
		case was == nil:
			m.checkNew(before, w, r)
		case was.tip != r.tip:
			if diff := cmp.Diff(keysOf(m.filesOf(was)), keysOf(m.filesOf(r))); diff != "" {
				m.Fatalf("%s changed in %s what is not its own (-before +after):\n%s", w.name, r.ref, diff)
			}
		}
		m.checkWanted(before, w, r, rep)
	}
}

// checkLeft: nothing is left of what the variant no longer wants, but for what it lets go, and what its message says is kept for others.
func (m *model) checkLeft(after *view, w *desiredVariant, message string) {
	m.Helper()
	for _, r := range after.revisions {
		if r.owner == w.name && (w.dying || r.pkg != w.pkg && !r.orphan) && !w.orphan && !r.doomed && !m.mayKeep(after, w, r, message) {
			m.Fatalf("%s is done and has left %s behind", w.name, r.ref)
		}
	}
}

// checkWanted: context, functions, injected object and upstream of a revision are as wanted.
func (m *model) checkWanted(before *view, w *desiredVariant, r *rev, rep reconciler.Report) {
	m.Helper()
	files := m.filesOf(r)
	up, _ := m.resolve(w, before, before.targets(w))
	want := map[string]string{"region": w.region, "made of": fmt.Sprint(up)}
	got := map[string]string{"region": at(parse(files["package-context.yaml"]), "data", "region"), "made of": fmt.Sprint(lock(files))}
	if w.note != "" {
		want["functions"], want["note"] = "PackageVariant."+w.name+".region.0 "+w.note, w.note
		got["note"] = at(parse(files["app.yaml"]), "metadata", "annotations", "note-region")
	}
	if fs := functionsOf(files, w.name); len(fs) > 0 {
		got["functions"] = strings.Join(fs, ", ")
	}
	if n, there := m.sites[w.site]; there {
		want["cidr"], got["cidr"] = cidr(n), at(parse(files["site.yaml"]), "spec", "cidr")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		m.Fatalf("%s says %s: %s, and %s is not as wanted (-want +got):\n%s", w.name, rep.Action, rep.Message, r.ref, diff)
	}
}

// checkNew: a new draft is a clone of upstream, a copy of what is published, or both sides merged.
func (m *model) checkNew(before *view, w *desiredVariant, r *rev) {
	m.Helper()
	files := m.filesOf(r)
	_, newest, _ := before.of(w)
	up, _ := m.resolve(w, before, before.targets(w))
	theirs := m.readers[0].files(up.commit, "shop")
	what, want := "clone", keysOf(theirs)
	if newest != nil {
		ours := m.filesOf(newest)
		if what, want = "edit", keysOf(ours); lock(ours) != up {
			var conflicts []string
			what = "upgrade"
			if want, conflicts = merged3(m.readers[0].files(lock(ours).commit, "shop"), theirs, ours); len(conflicts) > 0 {
				m.Fatalf("%s upgraded %s although both sides changed %v", w.name, newest.ref, conflicts)
			}
		}
	}
	m.seen.add(what)
	if diff := cmp.Diff(want, keysOf(files)); diff != "" {
		m.Fatalf("%s made %s as %s (-want +got):\n%s", w.name, r.ref, what, diff)
	}
	if tier := at(parse(files["Kptfile"]), "metadata", "labels", "tier"); w.tier != "" && tier != w.tier {
		m.Fatalf("%s made %s with label tier=%q, want %q", w.name, r.ref, tier, w.tier)
	}
}

// checkOnes: a variant has one open draft of its own making.
func (m *model) checkOnes(now *view) {
	desired, _ := m.desired(now)
	for name, w := range desired {
		var own []string
		for _, r := range now.revisions {
			if r.open() && r.owner == name && r.pkg == w.pkg && !m.byHand[r.pkg+"/"+r.ws] {
				own = append(own, r.ref)
			}
		}
		if len(own) > 1 && !w.dying {
			m.Fatalf("%s has %d open drafts: %v", name, len(own), own)
		}
	}
}

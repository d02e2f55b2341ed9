package mapcontroller_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// versions are the resourceVersions of all Probes, by name.
func (w *environment) versions() map[string]string {
	w.Helper()
	out := map[string]string{}
	for _, o := range w.list(group+"/v1", "Probe", w.namespace) {
		out[o.GetName()] = string(o.GetUID()) + "/" + o.GetResourceVersion()
	}
	return out
}

func TestOfflineChanges(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one")
	w.input("b", "x: two")
	w.put(copies)
	stop := w.start()
	w.awaitProbes("at first", map[string]any{"p-a-x": probe("one"), "p-b-x": probe("two")})
	w.awaitReady("copies", "True")
	stop()
	before := w.versions()
	stop = w.start()
	w.input("c", "x: three")
	w.awaitProbes("after a restart", map[string]any{"p-a-x": probe("one"), "p-b-x": probe("two"), "p-c-x": probe("three")})
	after := w.versions()
	maps.DeleteFunc(after, func(name, _ string) bool { return before[name] == "" })
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("a restart wrote unchanged outputs (-before +after):\n%s", diff)
	}
	stop()
	w.remove("v1", "ConfigMap", "a")
	w.edit("v1", "ConfigMap", "b", `{"data":{"x":"other"}}`)
	w.edit(group+"/v1", "Probe", "p-c-x", `{"spec":{"value":"drifted","note":"theirs"}}`)
	w.start()
	kept := probe("three")
	kept["note"] = "theirs"
	w.awaitProbes("after changes while no controller ran", map[string]any{"p-b-x": probe("other"), "p-c-x": kept})
}

func TestDeletedParentIsLeftToTheGarbageCollector(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one")
	w.put(copies)
	stop := w.start()
	w.awaitProbes("at first", map[string]any{"p-a-x": probe("one")})
	o := w.list(group+"/v1", "Probe", w.namespace)[0]
	if refs := o.GetOwnerReferences(); len(refs) != 1 || refs[0].Name != "p" || !*refs[0].Controller || !*refs[0].BlockOwnerDeletion {
		t.Errorf("the owner references: %v", refs)
	}
	stop()
	w.remove(group+"/v1", "Policy", "p")
	stop = w.start()
	w.put(strings.ReplaceAll(policy, "name: p,", "name: q,"))
	both := map[string]any{"p-a-x": probe("one"), "q-a-x": probe("one")}
	w.awaitProbes("the outputs of an orphaning deletion stay", both)
	w.awaitReady("copies", "True")
	stop()
	w.put(strings.Replace(copies, "hooks:", "allowEmpty: true\n  hooks:", 1))
	w.start()
	w.awaitProbes("unless that is allowed", map[string]any{"q-a-x": probe("one")})
}

func TestNoInputLeftDeletesNothing(t *testing.T) {
	w := newEnvironment(t)
	fleets := strings.NewReplacer("{apiVersion: v1, resource: configmaps, labelSelector: {matchLabels: {input: \"yes\"}}}", "{apiVersion: map.example.org/v1, resource: fleets}").Replace(copies)
	w.put(policy)
	w.put(`{apiVersion: map.example.org/v1, kind: Fleet, metadata: {name: f, labels: {color: red}}, data: {x: one}}`)
	w.put(fleets)
	w.start()
	w.awaitProbes("at first", map[string]any{"p-f-x": probe("one")})
	w.clear(group+"/v1", "Fleet")
	got := w.awaitReady("copies", "False Refused")
	if want := "there is no Fleet.map.example.org at all"; !strings.Contains(got, want) {
		t.Errorf("the condition is %q, want %q in it", got, want)
	}
	w.awaitProbes("it stays", map[string]any{"p-f-x": probe("one")})
	w.put(strings.Replace(fleets, "hooks:", "allowEmpty: true\n  hooks:", 1))
	w.awaitProbes("unless that is allowed", map[string]any{})
	w.awaitReady("copies", "True")
}

func TestLimitOfDeletions(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	for _, name := range []string{"a", "b", "c"} {
		w.input(name, "x: one")
	}
	w.put(strings.Replace(copies, "hooks:", "maxDeletions: 1\n  hooks:", 1))
	stop := w.start()
	all := map[string]any{"p-a-x": probe("one"), "p-b-x": probe("one"), "p-c-x": probe("one")}
	w.awaitProbes("at first", all)
	stop()
	w.remove("v1", "ConfigMap", "a")
	w.remove("v1", "ConfigMap", "b")
	w.start()
	w.awaitReady("copies", "False Refused")
	w.awaitProbes("two are one too many", all)
	w.input("b", "x: one")
	w.awaitProbes("one is not", map[string]any{"p-b-x": probe("one"), "p-c-x": probe("one")})
}

func TestPartialViewKeepsWhatIsDetached(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one")
	w.put(strings.Replace(copies, "hooks:", "view: Partial\n  hooks:", 1))
	w.start()
	w.awaitProbes("at first", map[string]any{"p-a-x": probe("one")})
	w.remove("v1", "ConfigMap", "a")
	w.input("b", "x: two")
	w.awaitProbes("one more", map[string]any{"p-a-x": probe("one"), "p-b-x": probe("two")})
	w.eventually("and one is detached", func() string {
		return cmp.Diff("map[detached:1 total:2]", w.at(group+"/v1", "Policy", "p", "status", "outputs", "probes"))
	})
}

func TestManyInputsDeletedAtOnce(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	all := map[string]any{}
	for i := range 40 {
		w.input(fmt.Sprint("i", i), "x: one")
		all[fmt.Sprintf("p-i%d-x", i)] = probe("one")
	}
	w.put(copies)
	stop := w.start()
	w.awaitProbes("at first", all)
	stop()
	for i := range 35 {
		w.remove("v1", "ConfigMap", fmt.Sprint("i", i))
		delete(all, fmt.Sprintf("p-i%d-x", i))
	}
	w.start()
	w.awaitProbes("those that are there stay", all)
}

func TestRecreatedParent(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one")
	w.put(copies)
	w.start()
	w.awaitProbes("at first", map[string]any{"p-a-x": probe("one")})
	output := w.at(group+"/v1", "Probe", "p-a-x", "metadata", "uid")
	w.remove(group+"/v1", "Policy", "p")
	w.put(policy)
	w.eventually("outputs refer to the new one", func() string {
		return cmp.Diff(w.at(group+"/v1", "Policy", "p", "metadata", "uid"), string(w.list(group+"/v1", "Probe", w.namespace)[0].GetOwnerReferences()[0].UID))
	})
	if got := w.at(group+"/v1", "Probe", "p-a-x", "metadata", "uid"); got != output {
		t.Error("the output was recreated")
	}
}

package fleet

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
)

// fixture is a work of cluster c as the bundler writes it.
type fixture struct {
	name    string
	objects []string // kind or kind/name, see thing
	let     []string // hand-over entries
	// watched says that entries are references, which the agent only looks at; broken that nothing in the work releases them.
	watched, broken bool
	settings        string // more of the spec
}

// testObject is an object by its kind; namespaced ones are in shop.
func testObject(kind string) string {
	kind, name, _ := strings.Cut(kind, "/")
	if name == "" {
		name = "x"
	}
	meta := "metadata:\n  namespace: shop\n  name: " + name + "\n"
	switch kind {
	case "CustomResourceDefinition":
		return "apiVersion: apiextensions.k8s.io/v1\nkind: " + kind + "\nmetadata:\n  name: xs.example.com\n"
	case "Namespace":
		return "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n"
	case "StatefulSet", "Deployment":
		return "apiVersion: apps/v1\nkind: " + kind + "\n" + meta
	case "Job":
		return "apiVersion: batch/v1\nkind: Job\n" + meta
	case "Widget":
		return "apiVersion: example.com/v1\nkind: Widget\n" + meta
	}
	return "apiVersion: v1\nkind: " + kind + "\n" + meta
}

var plurals = map[string]string{"CustomResourceDefinition": "customresourcedefinitions", "Namespace": "namespaces", "StatefulSet": "statefulsets",
	"Deployment": "deployments", "Job": "jobs", "Widget": "widgets", "ConfigMap": "configmaps", "PersistentVolumeClaim": "persistentvolumeclaims", "Service": "services"}

// about is what identifies a thing in the settings of a work.
func about(kind, indent string) string {
	var o struct{ group, namespace, name string }
	for line := range strings.Lines(testObject(kind)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "apiVersion":
			if group, _, ok := strings.Cut(value, "/"); ok {
				o.group = group
			}
		case "namespace":
			o.namespace = value
		case "name":
			o.name = value
		}
	}
	kind, _, _ = strings.Cut(kind, "/")
	return fmt.Sprintf("group: %q\n%sresource: %s\n%snamespace: %q\n%sname: %s\n", o.group, indent, plurals[kind], indent, o.namespace, indent, o.name)
}

// orphaning are settings that let things stay on the cluster.
func orphaning(kinds ...string) string {
	text := "  deleteOption:\n    propagationPolicy: SelectivelyOrphan\n    selectivelyOrphans:\n      orphaningRules:\n"
	for _, kind := range kinds {
		text += "      - " + about(kind, "        ")
	}
	return text
}

// readOnlySettings are settings by which the agent only looks at a thing.
func readOnlySettings(kind string) string {
	return "  manifestConfigs:\n  - resourceIdentifier:\n      " + about(kind, "      ") + "    updateStrategy:\n      type: ReadOnly\n"
}

func (w fixture) text() string {
	var items, rules, configs []string
	for _, kind := range w.objects {
		items = append(items, testObject(kind))
	}
	for _, kind := range w.let {
		items = append(items, testObject(kind))
		strategy := "CreateOnly"
		if w.watched {
			strategy = "ReadOnly"
		} else {
			rules = append(rules, "      - "+about(kind, "        "))
		}
		configs = append(configs, "  - resourceIdentifier:\n      "+about(kind, "      ")+"    updateStrategy:\n      type: "+strategy+"\n")
	}
	text := workHead + "  namespace: c\n  name: " + w.name + "\n"
	if len(w.let) > 0 {
		text += fmt.Sprintf("  annotations:\n    a.example.com/b: c\n    waybill.dev/hand-over: %q\n", fmt.Sprint(len(w.let)))
	}
	text += manifestsHead + indented(items, "      ", "    - ")
	if w.broken {
		return text + w.settings
	}
	if len(rules) > 0 {
		text += "  deleteOption:\n    propagationPolicy: SelectivelyOrphan\n    selectivelyOrphans:\n      orphaningRules:\n" + strings.Join(rules, "")
	}
	if len(configs) > 0 {
		text += "  manifestConfigs:\n" + strings.Join(configs, "")
	}
	return text + w.settings
}

// worksOf are the files of works. Those that are called plain hold the objects of a file of its own.
func worksOf(works ...fixture) map[string][]byte {
	out := map[string][]byte{}
	for _, w := range works {
		if w.name != "plain" {
			out["clusters/c/shop/"+w.name+".yaml"] = []byte(w.text())
			continue
		}
		for _, kind := range w.objects {
			out["clusters/c/plain-"+strings.ToLower(strings.ReplaceAll(kind, "/", "-"))+".yaml"] = []byte(testObject(kind))
		}
	}
	return out
}

// keep is a work that stays, so that the cluster does.
var keep = fixture{name: "keep", objects: []string{"ConfigMap/anchor"}}

func holds(name string, objects ...string) fixture { return fixture{name: name, objects: objects} }

// describe prints the changes of objects in one line each: of works themselves only what is risky.
func describe(p *waybill.FleetPreview) string {
	var out []string
	for _, g := range p.Groups {
		if g.Object.Kind == manifestwork.Kind && len(g.Risks) == 0 {
			continue
		}
		out = append(out, fmt.Sprintf("%s %s: %s", g.Object.Kind, g.Change, strings.Join(g.Risks, " ")))
	}
	return strings.Join(out, "; ")
}

type works = []fixture

// TestHandOver says what becomes of an object when the works that hold it are others.
func TestHandOver(t *testing.T) {
	for name, tc := range handOverCases() {
		t.Run(name, func(t *testing.T) {
			was, is := treeOf(t, worksOf(append(tc.before, keep)...)), treeOf(t, worksOf(append(tc.after, keep)...))
			p := compared(t, was, is).Preview("")
			if diff := cmp.Diff(tc.want, describe(p)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if p.Summary.Removed != strings.Count(tc.want, "-deleted") {
				t.Errorf("%s: %d objects are removed", tc.reason, p.Summary.Removed)
			}
		})
	}
}

type handOverCase struct {
	reason        string
	before, after works
	want          string
}

func handOverCases() map[string]handOverCase {
	a, b, none := holds("a", "Deployment"), holds("b", "Deployment"), works{}
	kept := func(name string) fixture {
		w := holds(name, "Deployment")
		w.settings = orphaning("Deployment")
		return w
	}
	lets := fixture{name: "a", objects: []string{"Service"}, let: []string{"Deployment"}}
	only := fixture{name: "a", let: []string{"Deployment"}}
	watched := fixture{name: "a", let: []string{"Deployment"}, watched: true}
	orphan := holds("a", "Deployment")
	orphan.settings = "  deleteOption:\n    propagationPolicy: Orphan\n"
	look := fixture{name: "b", objects: []string{"Deployment"}, settings: readOnlySettings("Deployment")}
	lookToo := look
	lookToo.name = "d"
	rule := holds("a", "Deployment", "Service")
	rule.settings = orphaning("Deployment")
	out := map[string]handOverCase{
		"Moved":         {"OCM deletes what work a drops", works{a}, works{b}, "Deployment moved: object-recreated"},
		"MovedPart":     {"of a work that stays, too", works{holds("a", "Service", "Deployment")}, works{holds("a", "Service"), b}, "Deployment moved: object-recreated"},
		"FromFile":      {"a tool prunes it", works{holds("plain", "Deployment")}, works{b}, "Deployment moved: object-recreated"},
		"HandedOver":    {"work a keeps an entry", works{holds("a", "Service", "Deployment")}, works{lets, b}, "Deployment moved: handed-over"},
		"HandedOverAll": {"or nothing else", works{a}, works{only, b}, "Deployment moved: handed-over"},
		"Watched":       {"an entry that the agent only looks at keeps the object, too", works{a}, works{watched, b}, "Deployment moved: handed-over"},
		"Broken": {"what nothing in the work releases is held by it as before", works{a}, works{{name: "a", let: []string{"Deployment"}, broken: true}, b},
			"Deployment added: "},
		"HalfBroken":   {"of two works that drop it one has no entry", works{a, holds("d", "Deployment")}, works{only, b}, "Deployment moved: object-recreated; Deployment moved: object-recreated"},
		"Ended":        {"the entry goes", works{lets, b}, works{holds("a", "Service"), b}, "Deployment moved: hand-over-ended"},
		"EndedWork":    {"with its work", works{only, b}, works{b}, "Deployment moved: hand-over-ended"},
		"EndedBehind":  {"what was left behind stays, as OCM released it", works{only}, none, "Deployment moved: hand-over-ended"},
		"EndedWatched": {"an entry that is only looked at is still the agent's, which deletes it", works{watched}, none, "Deployment removed: object-deleted"},
		"EndedTooSoon": {"while it moves on without an entry", works{only, b}, works{holds("d", "Deployment")}, "Deployment moved: object-recreated"},
		"Back":         {"and back again", works{only, b}, works{a, {name: "b", let: []string{"Deployment"}}}, "Deployment moved: handed-over"},
		"Chained":      {"on to a third work", works{only, b}, works{only, {name: "b", let: []string{"Deployment"}}, holds("d", "Deployment")}, "Deployment moved: handed-over"},
		"Deleted":      {"an entry holds nothing: work b deletes it", works{only, b}, works{only}, "Deployment removed: object-deleted"},
		"LeftBehind":   {"no work holds it, and one released it", works{a}, works{only}, "Deployment removed: left-behind"},
		"Orphan":       {"a work that always left things behind", works{orphan}, none, "Deployment removed: left-behind"},
		"OrphanRule":   {"or this one", works{rule}, works{holds("a", "Service")}, "Deployment removed: left-behind"},
		"OrphanOther":  {"another rule says nothing about it", works{rule}, none, "Service removed: object-deleted; Deployment removed: left-behind"},
		"OrphanTooLate": {"a policy that comes with the removal is too late: the agent has not released it", works{holds("a", "Deployment", "Service")},
			works{{name: "a", objects: []string{"Service"}, settings: "  deleteOption:\n    propagationPolicy: Orphan\n"}}, "Deployment removed: object-deleted; ManifestWork changed: now-orphaned"},
		"StaysInBoth":   {"two works that let it stay", works{kept("a"), kept("b")}, works{kept("b")}, "Deployment moved: "},
		"StaysMoved":    {"from one to the other", works{kept("a")}, works{only, kept("b")}, "Deployment moved: handed-over"},
		"ToKeeper":      {"a work that lets it stay does not own it, and can take it over", works{a}, works{only, kept("b")}, "Deployment moved: handed-over"},
		"ToKeeperBare":  {"but not without an entry", works{a}, works{kept("b")}, "Deployment moved: object-recreated"},
		"OwnerGone":     {"nor does it protect it from its owner", works{a, kept("b")}, works{kept("b")}, "Deployment moved: object-recreated"},
		"KeeperGone":    {"while the owner protects it", works{a, kept("b")}, works{a}, "Deployment moved: "},
		"ToWatcher":     {"a work that only looks at it keeps nothing", works{a}, works{look}, "Deployment moved: object-deleted"},
		"ToWatcherLeft": {"unless the first released it", works{a}, works{only, look}, "Deployment moved: left-behind"},
		"WatcherToo":    {"nor does one that looked at it before", works{a, look}, works{look}, "Deployment removed: object-deleted"},
		"BothWatchers":  {"of works that only look the agent owns nothing", works{look}, works{{name: "b", let: []string{"Deployment"}, watched: true}, lookToo}, "Deployment moved: "},
		"EndedWatcher":  {"a name that a work holds until the end protects it only as long as another work owns it", works{watched, look}, works{look}, "Deployment removed: object-deleted"},
		"BecameOwner":   {"a work that begins to own it is as good as new", works{a, look}, works{b}, "Deployment moved: object-recreated"},
		"BecameWatcher": {"a work that only looks from now on owns it still", works{a, b}, works{look}, "Deployment moved: "},
		"StillHeld":     {"another work holds it, too", works{a, b}, works{b}, "Deployment moved: "},
		"StillHeldKeep": {"in a file that stays as it is", works{a, holds("other", "Deployment")}, works{holds("a", "Service"), holds("other", "Deployment")}, "Deployment moved: ; Service added: "},
		"Another":       {"a second work begins to hold it", works{a}, works{a, b}, "Deployment added: "},
		"Same":          {"nothing changes", works{lets, b}, works{lets, b}, ""},
		"Again":         {"what was left behind is delivered again", works{only}, works{a}, "Deployment added: "},
	}
	for kind, class := range map[string]string{"CustomResourceDefinition": "crd", "Namespace": "namespace", "PersistentVolumeClaim": "storage", "StatefulSet": "storage", "Job": "job", "Widget": "object"} {
		over, ended, gone := "critical-hand-over", "critical-hand-over-ended", class
		if class == "object" {
			over, ended = "handed-over", "hand-over-ended"
		}
		if class == "job" {
			gone = "object"
		}
		w, let := holds("a", kind), fixture{name: "a", let: []string{kind}}
		out["Moved"+kind] = handOverCase{"each kind for what goes with it", works{w}, works{holds("b", kind)}, kind + " moved: " + class + "-recreated"}
		out["HandedOver"+kind] = handOverCase{"and that it needs care", works{w}, works{let, holds("b", kind)}, kind + " moved: " + over}
		out["Ended"+kind] = handOverCase{"and a cluster that was offline deletes it", works{let, holds("b", kind)}, works{holds("b", kind)}, kind + " moved: " + ended}
		out["Deleted"+kind] = handOverCase{"and that it is gone", works{w}, none, kind + " removed: " + gone + "-deleted"}
	}
	return out
}

// TestHandOverFaults wants an error that says where it is for a number of entries that cannot be.
func TestHandOverFaults(t *testing.T) {
	text := fixture{name: "a", let: []string{"Deployment"}}.text()
	for _, bad := range []string{`"2"`, `"-1"`, `"x"`, `""`, `" 1"`} {
		files := map[string][]byte{"clusters/c/w.yaml": []byte(strings.Replace(text, `waybill.dev/hand-over: "1"`, "waybill.dev/hand-over: "+bad, 1))}
		_, err := Read(treeOf(t, files), nil)
		if err == nil || !strings.HasPrefix(err.Error(), "clusters/c/w.yaml: work c/a: metadata.annotations[waybill.dev/hand-over]: "+bad+": want ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestHandOverEntries counts entries as no delivery, however the work is written.
func TestHandOverEntries(t *testing.T) {
	w := fixture{name: "a", objects: []string{"Service"}, let: []string{"Deployment", "ConfigMap"}}
	only := fixture{name: "a", let: []string{"Deployment"}}
	cases := map[string]struct {
		reason   string
		text     string
		objects  int
		receives bool
		want     string
	}{
		"Bundled":   {"as the bundler writes it", w.text(), 1, true, "Service; Deployment handed over; ConfigMap handed over; ManifestWork; "},
		"Plain":     {"without quotes", strings.Replace(w.text(), `"2"`, "2", 1), 1, true, "Service; Deployment handed over; ConfigMap handed over; ManifestWork; "},
		"Comment":   {"with a comment", "# by hand\n" + w.text(), 1, true, "Service; Deployment handed over; ConfigMap handed over; ManifestWork; "},
		"Label":     {"a label is no annotation", strings.Replace(w.text(), "annotations:", "labels:", 1), 3, true, "Service; Deployment; ConfigMap; ManifestWork; "},
		"None":      {"none at all", strings.Replace(w.text(), `"2"`, `"0"`, 1), 3, true, "Service; Deployment; ConfigMap; ManifestWork; "},
		"One":       {"the last one", strings.Replace(w.text(), `"2"`, `"1"`, 1), 2, true, "Service; Deployment; ConfigMap handed over; ManifestWork; "},
		"Only":      {"a cluster that leaves receives nothing", only.text(), 0, false, "Deployment handed over; ManifestWork; "},
		"Watched":   {"the agent only looks at it", fixture{name: "a", let: []string{"Deployment"}, watched: true}.text(), 0, false, "Deployment handed over; ManifestWork; "},
		"Broken":    {"nothing releases it", fixture{name: "a", let: []string{"Deployment"}, broken: true}.text(), 1, true, "Deployment; ManifestWork; "},
		"Irregular": {"another plural of a kind that is not known", strings.ReplaceAll(fixture{name: "a", let: []string{"Widget"}}.text(), "widgets", "widgetry"), 0, false, "Widget handed over; ManifestWork; "},
		"OtherRule": {"a rule about another resource of that name", strings.ReplaceAll(only.text(), "resource: deployments", "resource: statefulsets"), 1, true, "Deployment; ManifestWork; "},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			f, err := Read(treeOf(t, map[string][]byte{"clusters/c/w.yaml": []byte(tc.text)}), nil)
			if err != nil {
				t.Fatal(err)
			}
			all, err := f.Delivered("c")
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, d := range all {
				id, err := d.Content.ID()
				if err != nil {
					t.Fatal(err)
				}
				got.WriteString(id.Kind)
				if d.HandOver {
					got.WriteString(" handed over")
				}
				got.WriteString("; ")
			}
			if diff := cmp.Diff(tc.want, got.String()); diff != "" || f.Objects() != tc.objects || (len(f.Clusters()) == 1) != tc.receives || len(f.Named()) != 1 {
				t.Errorf("%s: %d objects, to %q (-want +got):\n%s", tc.reason, f.Objects(), f.Clusters(), diff)
			}
		})
	}
}

// TestEscapedName wants the outcome of an object whose name does not stand in the text of its work as it is.
func TestEscapedName(t *testing.T) {
	was, is := worksOf(holds("a", "PersistentVolumeClaim/claim", "Deployment")), worksOf(holds("a", "Deployment"))
	for path, text := range was {
		was[path] = bytes.ReplaceAll(text, []byte("name: claim\n"), []byte(`name: "cl\x61im"`+"\n"))
	}
	if got := describe(compared(t, treeOf(t, was), treeOf(t, is)).Preview("")); got != "PersistentVolumeClaim removed: storage-deleted" {
		t.Errorf("got %s", got)
	}
}

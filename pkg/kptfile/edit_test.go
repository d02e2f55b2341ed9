package kptfile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const bare = "apiVersion: kpt.dev/v1\nkind: Kptfile\n"

func dropNone(*v1.Function) bool { return false }
func dropOurs(fn *v1.Function) bool {
	return strings.HasPrefix(fn.Name, "ours.")
}

var label = []v1.Function{{Image: "reg.example/label:v2", ConfigMap: map[string]string{"b": "2", "a": "1"}, Name: "ours.0"}}

// edits are the changes of the cases and properties.
var edits = map[string]func(*kptfile.File){
	"name":     func(f *kptfile.File) { f.SetName("web") },
	"upstream": func(f *kptfile.File) { f.SetUpstream(upstream("shop/v2")) },
	"lock": func(f *kptfile.File) {
		f.SetUpstreamLock(v1.Locator{Type: v1.GitOrigin, Git: &v1.GitLock{Repo: "r", Directory: "shop", Ref: "shop/v2", Commit: "2e"}})
	},
	"insert":      func(f *kptfile.File) { f.ReplaceFunctions(kptfile.Mutators, dropOurs, label) },
	"insert last": func(f *kptfile.File) { f.ReplaceFunctions(kptfile.Validators, dropOurs, label) },
	"remove ours": func(f *kptfile.File) { f.ReplaceFunctions(kptfile.Mutators, dropOurs, nil) },
	"remove all": func(f *kptfile.File) {
		f.ReplaceFunctions(kptfile.Mutators, func(*v1.Function) bool { return true }, nil)
	},
	"gates":    func(f *kptfile.File) { f.SetReadinessGates([]string{"a", "approved"}) },
	"no gates": func(f *kptfile.File) { f.SetReadinessGates(nil) },
	"conditions": func(f *kptfile.File) {
		f.SetConditions([]v1.Condition{{Type: "approved", Status: "True"}, {Type: "b", Status: "False", Reason: "R"}})
	},
	"no conditions": func(f *kptfile.File) { f.SetConditions(nil) },
	"labels":        func(f *kptfile.File) { f.MergeLabels(map[string]string{"z": "1", "team": "api", "a": "yes"}) },
	"annotations":   func(f *kptfile.File) { f.MergeAnnotations(map[string]string{"note": "x"}) },
	"no change":     func(f *kptfile.File) { f.MergeLabels(nil); f.ReplaceFunctions(kptfile.Mutators, dropNone, nil) },
	"the same upstream": func(f *kptfile.File) {
		if f.Spec.Upstream != nil {
			f.SetUpstream(*f.Spec.Upstream)
		}
	},
}

func upstream(ref string) v1.Upstream {
	return v1.Upstream{Type: v1.GitOrigin, UpdateStrategy: v1.ResourceMerge, Git: &v1.Git{Repo: "https://git.example/b.git", Directory: "shop", Ref: ref}}
}

func TestEdits(t *testing.T) {
	for name, tc := range map[string]struct{ reason, in, edit, want string }{
		"name":     {"quotes and comment stay", bare + "metadata: # who\n  name: 'shop' # it\n", "name", bare + "metadata: # who\n  name: 'web' # it\n"},
		"new name": {"metadata goes after kind", bare + "info:\n  site: x\n", "name", bare + "metadata:\n  name: web\ninfo:\n  site: x\n"},
		"upstream": {
			"only the ref changes; the comment on repo stays",
			header + "upstream:\n  type: git\n  git:\n    repo: https://git.example/b.git # ours\n    directory: shop\n    ref: shop/v1\n  updateStrategy: resource-merge\n", "upstream",
			header + "upstream:\n  type: git\n  git:\n    repo: https://git.example/b.git # ours\n    directory: shop\n    ref: shop/v2\n  updateStrategy: resource-merge\n",
		},
		"new lock": {
			"the lock goes where kpt puts it, before info", header + "info:\n  site: x\n", "lock",
			header + "upstreamLock:\n  type: git\n  git:\n    repo: r\n    directory: shop\n    ref: shop/v2\n    commit: 2e\ninfo:\n  site: x\n",
		},
		"insert": {
			"the new function comes first, the others keep comments and wide style, keys of configMap are sorted",
			header + "pipeline:\n  mutators:\n    # own\n    - image: own # it\n  validators: []\n", "insert",
			header + "pipeline:\n  mutators:\n    - image: reg.example/label:v2\n      configMap:\n        a: \"1\"\n        b: \"2\"\n      name: ours.0\n    # own\n    - image: own # it\n  validators: []\n",
		},
		"mutators first": {
			"a new list of mutators goes before the validators", header + "pipeline:\n  validators:\n  - image: check\n", "insert",
			header + "pipeline:\n  mutators:\n  - image: reg.example/label:v2\n    configMap:\n      a: \"1\"\n      b: \"2\"\n    name: ours.0\n  validators:\n  - image: check\n",
		},
		"update in place": {
			"a function that is replaced by one of its name keeps its comments",
			header + "pipeline:\n  mutators:\n  # theirs\n  - image: reg.example/label:v1 # pin\n    name: ours.0\n    configMap: {a: \"1\", c: \"3\"}\n", "insert",
			header + "pipeline:\n  mutators:\n  # theirs\n  - image: reg.example/label:v2 # pin\n    name: ours.0\n    configMap: {a: \"1\", b: \"2\"}\n",
		},
		"last function": {
			"an empty list goes, and an empty pipeline with it", header + "pipeline:\n  mutators:\n  - image: a\n    name: ours.0\ninfo:\n  site: x\n", "remove ours",
			header + "info:\n  site: x\n",
		},
		"gates": {
			"a gate that stays keeps its comment", header + "info:\n  readinessGates:\n  - conditionType: gone\n  # by people\n  - conditionType: approved # soon\n", "gates",
			header + "info:\n  readinessGates:\n  - conditionType: a\n  # by people\n  - conditionType: approved # soon\n",
		},
		"no gates": {"an empty list goes, and an info left empty", header + "info:\n  readinessGates:\n  - conditionType: a\n", "no gates", header},
		"conditions": {
			"conditions come before renderStatus, status is quoted text",
			header + "status:\n  renderStatus:\n    errorSummary: x\n", "conditions",
			header + "status:\n  conditions:\n  - type: approved\n    status: \"True\"\n  - type: b\n    status: \"False\"\n    reason: R\n  renderStatus:\n    errorSummary: x\n",
		},
		"labels": {
			"the flow map stays a flow map; new keys come sorted; what YAML would misread is quoted", header + "  labels: {team: web}\n", "labels",
			header + "  labels: {team: api, a: \"yes\", z: \"1\"}\n",
		},
		"annotations": {"an empty map becomes a block", header + "  annotations: {}\n", "annotations", header + "  annotations:\n    note: x\n"},
		"aliases": {
			"a change of one list does not change the other that was written as its alias",
			header + "pipeline:\n  mutators: &fns\n  - image: own\n  validators: *fns\n", "insert last",
			header + "pipeline:\n  mutators:\n  - image: own\n  validators:\n  - image: reg.example/label:v2\n    configMap:\n      a: \"1\"\n      b: \"2\"\n    name: ours.0\n  - image: own\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := parse(t, tc.in)
			edits[tc.edit](f)
			if diff := cmp.Diff(tc.want, text(t, f)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			checkEdits(t, []byte(tc.in))
			checkRest(t, []byte(tc.in))
		})
	}
}

func TestEditLawsOnFullFile(t *testing.T) {
	checkEdits(t, []byte(full))
	checkRest(t, []byte(full))
}

// checkEdits checks for every edit of a Kptfile that the written file parses to Spec and that a second
// time changes nothing.
func checkEdits(t testing.TB, data []byte) {
	t.Helper()
	for name, edit := range edits {
		f := parse(t, string(data))
		edit(f)
		once := text(t, f)
		again, err := kptfile.Parse("Kptfile", []byte(once))
		if err != nil {
			t.Fatalf("%s: the written file does not parse: %v\n%s", name, err, once)
		}
		if !sameSpec(f, again) {
			t.Errorf("%s: Spec and the file differ (-spec +file):\n%s", name, cmp.Diff(f.Spec, again.Spec))
		}
		edit(again)
		if got := text(t, again); got != once {
			t.Errorf("%s: a second time changes it (-once +twice):\n%s", name, cmp.Diff(once, got))
		}
	}
}

// sameSpec compares the values of two files; nil and empty lists are equal.
func sameSpec(a, b *kptfile.File) bool {
	x, errX := krm.NodeOf(a.Spec)
	y, errY := krm.NodeOf(b.Spec)
	return errX == nil && errY == nil && krm.Equivalent(x, y)
}

type option int

const allowError option = 0

// parse parses a valid Kptfile; with allowError only its object must be valid.
func parse(t testing.TB, data string, opts ...option) *kptfile.File {
	t.Helper()
	if len(opts) > 0 {
		objects, err := krm.Read("Kptfile", []byte(data), krm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return &kptfile.File{Object: objects[0]}
	}
	f, err := kptfile.Parse("Kptfile", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func text(t testing.TB, f *kptfile.File) string {
	t.Helper()
	data, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

package kptfile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
)

// saved is a function with all fields.
var saved = v1.Function{
	Image: "reg.example/set:v1", ConfigMap: map[string]string{"b": "yes", "a": "1"},
	Selectors:  []v1.Selector{{Kind: "Deployment", Labels: map[string]string{"y": "n"}}},
	Exclusions: []v1.Selector{{Name: "other"}},
}

func TestSaveFunction(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, in string
		list       kptfile.List
		fn         v1.Function
		want       string
		updated    bool
	}{
		"first": {
			"by default lists are wide and fields in order", header, kptfile.Mutators, saved,
			header + "pipeline:\n  mutators:\n    - image: reg.example/set:v1\n      configMap:\n        a: \"1\"\n        b: \"yes\"\n      selectors:\n        - kind: Deployment\n          labels:\n            \"y\": \"n\"\n      exclude:\n        - name: other\n", false,
		},
		"last": {
			"a new one comes last, and the others keep comments and indent",
			header + "pipeline:\n  mutators:\n  # one\n  - exec: a # it\n", kptfile.Mutators, v1.Function{Exec: "b"},
			header + "pipeline:\n  mutators:\n  # one\n  - exec: a # it\n  - exec: b\n", false,
		},
		"again": {
			"an existing function changes in place and gets exactly the new fields: no name, no selectors",
			header + "pipeline:\n  mutators:\n    - exec: a\n      name: x\n      configMap: # cm\n        z: \"1\" # zz\n        y: \"2\"\n      selectors:\n        - kind: K\n    - exec: b\n", kptfile.Mutators,
			v1.Function{Exec: "a", ConfigMap: map[string]string{"z": "3", "b": "4"}},
			header + "pipeline:\n  mutators:\n    - exec: a\n      configMap: # cm\n        b: \"4\"\n        z: \"3\" # zz\n    - exec: b\n", true,
		},
		"twice there": {
			"two of one image both change, as in kpt", header + "pipeline:\n  mutators:\n  - image: i\n    name: x\n  - image: i\n    name: y\n", kptfile.Mutators, v1.Function{Image: "i"},
			header + "pipeline:\n  mutators:\n  - image: i\n  - image: i\n", true,
		},
		"nothing new": {
			"what says so already keeps its bytes", header + "pipeline:\n  validators: [ {exec: 'a'} ]\n", kptfile.Validators, v1.Function{Exec: "a"},
			header + "pipeline:\n  validators: [ {exec: 'a'} ]\n", true,
		},
		"other tag": {
			"another tag is another image", header + "pipeline:\n  mutators:\n  - image: i:v1\n", kptfile.Mutators, v1.Function{Image: "i:v2"},
			header + "pipeline:\n  mutators:\n  - image: i:v1\n  - image: i:v2\n", false,
		},
		"other list": {
			"the lists do not know each other; an empty one becomes a block",
			header + "pipeline:\n  mutators:\n    - image: i\n  validators: []\n", kptfile.Validators, v1.Function{Image: "i"},
			header + "pipeline:\n  mutators:\n    - image: i\n  validators:\n    - image: i\n", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := parse(t, tc.in)
			if updated := f.SaveFunction(tc.list, tc.fn); updated != tc.updated {
				t.Errorf("%s: updated is %v", tc.reason, updated)
			}
			once := text(t, f)
			if diff := cmp.Diff(tc.want, once); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			again := parse(t, once)
			if !sameSpec(f, again) {
				t.Errorf("Spec and the file differ (-spec +file):\n%s", cmp.Diff(f.Spec, again.Spec))
			}
			if updated := again.SaveFunction(tc.list, tc.fn); !updated || text(t, again) != once {
				t.Errorf("saving it a second time changes the file:\n%s", text(t, again))
			}
		})
	}
}

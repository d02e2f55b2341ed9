package fn

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestOrigins(t *testing.T) {
	const own, got = "{apiVersion: kpt.dev/v1, kind: Kptfile, metadata: {name: a}}",
		"{apiVersion: kpt.dev/v1, kind: Kptfile, metadata: {name: a}, upstream: {type: git, git: {repo: r, directory: d, ref: v1}}}"
	const locked = "{apiVersion: kpt.dev/v1, kind: Kptfile, metadata: {name: a}, upstreamLock: {type: git, git: {repo: r, directory: d, ref: v2}}}"
	at := func(text, owner, file string) *krm.Object {
		o := object(t, text+"\n")
		o.SetPath(file, 0)
		o.SetAnnotation(krm.PackagePathAnnotation, owner)
		return o
	}
	id := OriginsIn([]*krm.Object{at(got, "/", "Kptfile")}).id
	cases := map[string]struct {
		reason string
		items  []*krm.Object
		want   Origins
	}{
		"no Kptfile":      {"nothing tells", []*krm.Object{item(t, "x", "", "")}, Origins{mayBeClone: true}},
		"own":             {"no upstream", []*krm.Object{at(own, "/", "Kptfile")}, Origins{}},
		"got":             {"an upstream", []*krm.Object{at(got, "/", "Kptfile")}, Origins{true, id}},
		"locked":          {"what it was got from is an upstream as well, and its revision does not matter", []*krm.Object{at(locked, "/", "Kptfile")}, Origins{true, id}},
		"subpackage":      {"one that was got does not make the package a clone", []*krm.Object{at(got, "/app", "Kptfile"), at(own, "/", "Kptfile")}, Origins{}},
		"by path":         {"likewise where paths alone tell", []*krm.Object{at(got, "", "app/Kptfile"), at(own, "", "Kptfile")}, Origins{}},
		"clone with more": {"a subpackage of its own does not make it another", []*krm.Object{at(own, "/app", "Kptfile"), at(got, "/", "Kptfile")}, Origins{true, id}},
		"alike":           {"where two are outermost, either may tell", []*krm.Object{at(own, "", "Kptfile"), at(got, "", "Kptfile")}, Origins{true, id}},
	}
	for name, tc := range cases {
		if got := OriginsIn(tc.items); got != tc.want {
			t.Errorf("%s: %s: got %+v, want %+v", name, tc.reason, got, tc.want)
		}
	}
}

func TestGeneratedHere(t *testing.T) {
	kptfile := func(name, directory string) *krm.Object {
		return object(t, "{apiVersion: kpt.dev/v1, kind: Kptfile, metadata: {name: "+name+"}, upstream: {type: git, git: {repo: r, directory: "+directory+"}}}\n")
	}
	here := kptfile("a", "d")
	out := mine.Regenerate(&Input{Items: []*krm.Object{here}}, desire(t, "w {}"))
	plain := object(t, "{apiVersion: kpt.dev/v1, kind: Kptfile, metadata: {name: a}}\n")
	work, other := out.Items[len(out.Items)-1], item(t, "x", ours, "")
	for name, tc := range map[string]struct {
		reason  string
		kptfile *krm.Object
		o       *krm.Object
		want    bool
	}{
		"same":            {"was generated here", here, work, true},
		"unmarked":        {"came with the clone", here, other, false},
		"renamed":         {"a new name changes nothing", kptfile("b", "/d/"), work, true},
		"clone of clones": {"one of the same name from elsewhere is another", kptfile("a", "a"), work, false},
		"no upstream":     {"everything is its own", plain, other, true},
		"detached":        {"what a clone generated stays its own without the upstream", plain, work, true},
		"subpackage":      {"but what a clone came with", plain, item(t, "x", ours+"    waybill.dev/generated-in: upstream\n", ""), false},
	} {
		if got := OriginsIn([]*krm.Object{tc.kptfile}).Here(tc.o); got != tc.want {
			t.Errorf("%s: %s: got %t", name, tc.reason, got)
		}
	}
}

package workload

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestMayBeClone(t *testing.T) {
	const own, got = "{apiVersion: kpt.dev/v1, kind: Kptfile, metadata: {name: a}}", "{apiVersion: kpt.dev/v1, kind: Kptfile, metadata: {name: a}, upstream: {type: git}}"
	at := func(text, owner, file string) *krm.Object {
		o := parse(t, text)[0]
		o.SetPath(file, 0)
		o.SetAnnotation(krm.PackagePathAnnotation, owner)
		return o
	}
	cases := map[string]struct {
		reason string
		items  []*krm.Object
		want   bool
	}{
		"no Kptfile":      {"nothing tells", parse(t, gatewayDefinition), true},
		"own":             {"no upstream", []*krm.Object{at(own, "/", "Kptfile")}, false},
		"got":             {"an upstream", []*krm.Object{at(got, "/", "Kptfile")}, true},
		"locked":          {"what it was got from is an upstream as well", []*krm.Object{at("{apiVersion: kpt.dev/v1, kind: Kptfile, upstreamLock: {type: git}}", "/", "Kptfile")}, true},
		"subpackage":      {"one that was got does not make the package a clone", []*krm.Object{at(got, "/app", "Kptfile"), at(own, "/", "Kptfile")}, false},
		"by path":         {"likewise where paths alone tell", []*krm.Object{at(got, "", "app/Kptfile"), at(own, "", "Kptfile")}, false},
		"clone with more": {"a subpackage of its own does not make it another", []*krm.Object{at(own, "/app", "Kptfile"), at(got, "/", "Kptfile")}, true},
		"alike":           {"where two are outermost, either may tell", []*krm.Object{at(own, "", "Kptfile"), at(got, "", "Kptfile")}, true},
	}
	for name, tc := range cases {
		if is := MayBeClone(tc.items); is != tc.want {
			t.Errorf("%s: %s: got %t", name, tc.reason, is)
		}
	}
}

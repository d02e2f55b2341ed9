package applyset_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestMapKey(t *testing.T) {
	for key, want := range map[string]string{
		"/PersistentVolumeClaim/prod/data-0": "m1-9838674d96f7bb9aa6675ab730d91b30dd0cc973",
		"apps/StatefulSet/prod/web":          "m1-52caa52686e178aa93f9341f858b92c2c31741e5",
		"/Node//n1":                          "m1-580e2dedac1792507ddbb2e2f0c6da039382ac07",
	} {
		if got := applyset.MapKey(key); got != want {
			t.Errorf("%s: got %s, want %s", key, got, want)
		}
	}
}

func TestParseKey(t *testing.T) {
	cases := map[string]struct {
		reason, key, cluster string
		id                   krm.ID
		bad                  bool
	}{
		"core":       {"empty parts are kept", "/Node//n1", "", krm.ID{Kind: "Node", Name: "n1"}, false},
		"group":      {"all parts", "apps/StatefulSet/prod/web", "", krm.ID{Group: "apps", Kind: "StatefulSet", Namespace: "prod", Name: "web"}, false},
		"cluster":    {"where several are involved", "2hk8|/Node//n1", "2hk8", krm.ID{Kind: "Node", Name: "n1"}, false},
		"odd name":   {"a name may have what parts a cluster from the rest", "rbac.authorization.k8s.io/ClusterRole//a|b", "", krm.ID{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole", Name: "a|b"}, false},
		"both":       {"and so may one in a cluster", "2hk8|/Node//a|b", "2hk8", krm.ID{Kind: "Node", Name: "a|b"}, false},
		"too short":  {"three parts are no key", "a/b/c", "", krm.ID{}, true},
		"no name":    {"nothing is named", "a/b/c/", "", krm.ID{}, true},
		"no kind":    {"nothing is meant", "a//c/d", "", krm.ID{}, true},
		"empty text": {"nothing", "", "", krm.ID{}, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			cluster, id, err := applyset.ParseKey(c.key)
			if (err != nil) != c.bad || cluster != c.cluster {
				t.Fatalf("%s: got cluster %q, error %v", c.reason, cluster, err)
			}
			if d := cmp.Diff(c.id, id); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			if !c.bad && applyset.KeyIn(cluster, id) != c.key {
				t.Errorf("%s: KeyIn gives %s", c.reason, applyset.KeyIn(cluster, id))
			}
		})
	}
}

func TestParseLimit(t *testing.T) {
	for text, want := range map[string]string{"": "", "0": "0", "10": "10", "25%": "25%"} {
		if l, err := applyset.ParseLimit(text); err != nil || l.String() != want {
			t.Errorf("%q: got %v, %v", text, l, err)
		}
	}
	for _, text := range []string{"-1", "x", "101%", "1.5", "99999999999", "%"} {
		if _, err := applyset.ParseLimit(text); err == nil {
			t.Errorf("%q is no limit", text)
		}
	}
}

func TestFaultyEdges(t *testing.T) {
	cases := map[string]struct {
		reason string
		edit   func(*applyset.Edge)
		want   string
	}{
		"controller": {"it is part of file names", func(e *applyset.Edge) { e.Controller = "../x" }, `its controller is not a name`},
		"verb":       {"messages begin with it", func(e *applyset.Edge) { e.Verb = "" }, `it has no verb`},
		"projection": {"nothing can be decided", func(e *applyset.Edge) { e.Project = nil }, `it has no projection`},
		"preserve":   {"without a state the next run would overwrite it", func(e *applyset.Edge) { e.Adopt = applyset.Preserve }, `Preserve requires ThreeWay`},
		"after":      {"After names an earlier edge", func(e *applyset.Edge) { e.After = []string{"other"} }, `not an earlier edge`},
		"stamp":      {"tags are set by Run", func(e *applyset.Edge) { e.Stamp = map[string]string{applyset.OwnerAnnotation: "x"} }, `cannot stamp`},
		"input key":  {"it must be canonical", func(e *applyset.Edge) { e.Inputs = []applyset.Input{{Key: "x"}} }, `"x" is not a canonical key`},
		"owner key":  {"it must be canonical", func(e *applyset.Edge) { e.Owners = []applyset.Owner{{Key: "x"}} }, `"x" is not a canonical key`},
		"owner twice": {"owners are distinct", func(e *applyset.Edge) {
			e.Owners = []applyset.Owner{{Key: keyA}, {Key: keyA}}
		}, `is listed twice`},
		"unknown owner": {"the owner is not listed", func(e *applyset.Edge) {
			e.Owners, e.Inputs = []applyset.Owner{}, []applyset.Input{{Key: keyA, Owner: keyB}}
		}, `not among the owners`},
		"owner without owners": {"the owner is not listed", func(e *applyset.Edge) {
			e.Inputs = []applyset.Input{{Key: keyA, Owner: keyB}}
		}, `lists none`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			e := edge(nil)
			e.Inputs = []applyset.Input{{Key: keyA}}
			c.edit(&e)
			_, err := applyset.Run(t.Context(), applyset.View{}, []applyset.Edge{e})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v", c.reason, err)
			}
		})
	}
	e := edge(nil)
	if _, err := applyset.Run(t.Context(), applyset.View{}, []applyset.Edge{e, e}); err == nil || !strings.Contains(err.Error(), "is listed twice") {
		t.Errorf("two edges of one name: got %v", err)
	}
}

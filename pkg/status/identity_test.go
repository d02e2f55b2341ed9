package status_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
)

var (
	web     = status.Subject{Group: "apps", Version: "v1", Kind: "Deployment", Resource: "deployments", Namespace: "shop", Name: "web", Policy: "all"}
	someone = status.Subject{Version: "v1", Kind: "Namespace", Resource: "namespaces", Name: "shop", UID: "u1", Policy: "all", PolicyUID: "u2"}
)

func TestNew(t *testing.T) {
	half := someone
	half.PolicyUID = ""
	for name, tc := range map[string]struct {
		reason  string
		subject status.Subject
		results []control.NamedStatusCombination
		want    string
	}{
		"names": {
			reason: "without uids the name is made of names, and there is no owner; results come by name", subject: web,
			results: []control.NamedStatusCombination{{Name: "b", ColumnNames: []string{}}, {Name: "a", ColumnNames: []string{}}},
			want: `apiVersion: control.kubestellar.io/v1alpha1
kind: CombinedStatus
metadata:
  name: f9619453820f.all
  namespace: shop
  labels:
    status.kubestellar.io/api-group: apps
    status.kubestellar.io/binding-policy: all
    status.kubestellar.io/name: web
    status.kubestellar.io/namespace: shop
    status.kubestellar.io/resource: deployments
results:
- name: a
  columnNames: []
- name: b
  columnNames: []
`,
		},
		"uids": {
			reason: "with uids they are the name, and the object is the owner; without a namespace it goes to the namespace of reports; without results there is no list", subject: someone,
			want: `apiVersion: control.kubestellar.io/v1alpha1
kind: CombinedStatus
metadata:
  name: u1.u2
  namespace: kubestellar-report
  labels:
    status.kubestellar.io/api-group: ""
    status.kubestellar.io/binding-policy: all
    status.kubestellar.io/name: shop
    status.kubestellar.io/namespace: ""
    status.kubestellar.io/resource: namespaces
  ownerReferences:
  - apiVersion: v1
    kind: Namespace
    name: shop
    uid: u1
`,
		},
		"half": {
			reason: "one uid makes no name, but that of the object an owner", subject: half,
			want: `apiVersion: control.kubestellar.io/v1alpha1
kind: CombinedStatus
metadata:
  name: c60c27324291.all
  namespace: kubestellar-report
  labels:
    status.kubestellar.io/api-group: ""
    status.kubestellar.io/binding-policy: all
    status.kubestellar.io/name: shop
    status.kubestellar.io/namespace: ""
    status.kubestellar.io/resource: namespaces
  ownerReferences:
  - apiVersion: v1
    kind: Namespace
    name: shop
    uid: u1
`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := status.New(tc.subject, tc.results)
			if err != nil {
				t.Fatal(err)
			}
			text := yamlOf(t, got)
			if d := cmp.Diff(tc.want, text); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
			if _, errs := control.DecodeCombinedStatus(read(t, text)); len(errs) > 0 {
				t.Errorf("what is written can be read: %v", errs.ToAggregate())
			}
		})
	}
}

func TestLabels(t *testing.T) {
	colon, long, policy := web, web, web
	colon.Name, long.Name, policy.Policy = "system:web", strings.Repeat("x", 64), strings.Repeat("p", 64)
	for name, tc := range map[string]struct {
		reason  string
		subject status.Subject
		want    string
	}{
		"colon":  {"roles have such names", colon, `Deployment shop/system:web under BindingPolicy "all": no CombinedStatus can be written, its name "system:web" is not a label value: `},
		"long":   {"names may be longer than labels", long, `is not a label value: must be no more than 63 `},
		"policy": {"those of policies, too", policy, `its policy "ppp`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := status.New(tc.subject, nil)
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: want an error with %q, got %v", tc.reason, tc.want, err)
			}
		})
	}
}

func TestCollectors(t *testing.T) {
	named := func(name, spec string) *control.StatusCollector {
		c := collector(t, spec)
		c.Name = name
		return c
	}
	bad := "spec: {limit: 1, filter: 1 +}\n"
	all := status.NewCollectors(named("b", sumSpec), named("a", sumSpec), named("bad", bad))
	programs, missing := all.Pick([]string{"none", "b", "bad", "a", "b", "none"})
	var names []string
	for _, p := range programs {
		names = append(names, p.Name())
	}
	if d := cmp.Diff([][]string{{"a", "b"}, {"bad", "none"}, {"a", "b", "bad"}}, [][]string{names, missing, all.Names()}); d != "" {
		t.Errorf("each once and in order; what is invalid is missing (-want +got):\n%s", d)
	}
	if len(all.Errors("bad")) != 1 || all.Errors("a") != nil || all.Errors("none") != nil {
		t.Errorf("what is wrong with one is known: %q", all.Errors("bad"))
	}
	if changed, errs := all.Put(named("bad", bad)); changed || len(errs) != 1 {
		t.Errorf("the same again is no change: %v %v", changed, errs)
	}
	if changed, errs := all.Put(named("bad", sumSpec)); !changed || len(errs) != 0 {
		t.Errorf("another is: %v %v", changed, errs)
	}
	if !all.Delete("a") || all.Delete("a") {
		t.Error("what is forgotten was there, once")
	}
	if _, missing = all.Pick([]string{"a", "bad"}); cmp.Diff([]string{"a"}, missing) != "" {
		t.Errorf("now a is missing, and bad is not: %v", missing)
	}
}

func TestAvailableCondition(t *testing.T) {
	for name, tc := range map[string]struct {
		reason  string
		missing []string
		want    metav1.Condition
	}{
		"none":  {"none is missing", nil, metav1.Condition{Type: "StatusCollectorsAvailable", Status: "True", Reason: "ReconcileSuccess", Message: "All StatusCollector(s) are available"}},
		"some":  {"their names, in order and once", []string{"b", "a", "b"}, metav1.Condition{Type: "StatusCollectorsAvailable", Status: "False", Reason: "ReconcileError", Message: "Missing StatusCollector(s) [a b]"}},
		"alone": {"one", []string{"a"}, metav1.Condition{Type: "StatusCollectorsAvailable", Status: "False", Reason: "ReconcileError", Message: "Missing StatusCollector(s) [a]"}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, status.AvailableCondition(tc.missing)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

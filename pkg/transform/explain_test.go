package transform

import (
	"fmt"
	"strings"
	"testing"
)

func TestRemover(t *testing.T) {
	items := readAll(t, `
apiVersion: control.kubestellar.io/v1alpha1
kind: CustomTransform
metadata: {name: scrub}
spec: {apiGroup: apps, resource: deployments, remove: ["no path", $.spec.paused, '$.metadata.labels["a.b/c"]', $.spec.template]}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: CustomTransform
metadata: {name: other}
spec: {apiGroup: "", resource: configmaps, remove: [$.data]}
`)
	cases := map[string]struct{ reason, group, resource, path, want string }{
		"Itself":   {"what stands there", "apps", "deployments", "spec paused", "scrub 1"},
		"OddName":  {"a name with dots", "apps", "deployments", "metadata labels a.b/c", "scrub 2"},
		"Within":   {"something within", "apps", "deployments", "spec template spec containers", "scrub 3"},
		"Beside":   {"something else", "apps", "deployments", "spec replicas", ""},
		"Around":   {"what it stands in stays", "apps", "deployments", "metadata labels", ""},
		"Resource": {"another kind", "apps", "statefulsets", "spec paused", ""},
		"Other":    {"of another CustomTransform", "", "configmaps", "data k", "other 0"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := ""
			if by, entry := Remover(items, tc.group, tc.resource, strings.Fields(tc.path)); by != nil {
				got = fmt.Sprintf("%s %d", by.Name(), entry)
			}
			if got != tc.want {
				t.Errorf("%s: %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
}

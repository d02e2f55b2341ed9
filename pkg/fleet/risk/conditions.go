package risk

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

func selectorChanged(f *facts) bool {
	return f.changed() && (f.differs("spec", "selector") || f.differs("spec", "podSelector"))
}

func storageChanged(f *facts) bool {
	if !f.changed() {
		return false
	}
	switch f.kind() {
	case "/PersistentVolumeClaim", "/PersistentVolume":
		return f.differs("spec")
	case "apps/StatefulSet":
		return f.differs("spec", "volumeClaimTemplates")
	case "storage.k8s.io/StorageClass":
		return slices.ContainsFunc([]string{"provisioner", "parameters", "reclaimPolicy", "volumeBindingMode", "mountOptions"},
			func(field string) bool { return f.differs(field) })
	}
	return false
}

func workSettings(f *facts) bool { return f.itself && f.changed() && f.differs("spec") }

func admissionChanged(f *facts) bool {
	switch f.id.Kind {
	case "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
		"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding":
		return f.id.Group == "admissionregistration.k8s.io" && !f.gone
	}
	return false
}

func registryChanged(f *facts) bool {
	if !f.changed() {
		return false
	}
	before := registries(f.before)
	all := slices.Concat(slices.Collect(maps.Values(before))...)
	for container, now := range registries(f.after) {
		was, known := before[container]
		if !known { // it is new, or called otherwise
			was = all
		}
		if slices.ContainsFunc(now, func(r string) bool { return !slices.Contains(was, r) }) {
			return true
		}
	}
	return false
}

func scaledToZero(f *facts) bool {
	if !f.changed() {
		return false
	}
	zero := func(v any) bool { return reflect.DeepEqual(at(v, "spec", "replicas"), int64(0)) }
	suspended := func(v any) bool { return at(v, "spec", "suspend") == true }
	return zero(f.after) && !zero(f.before) || suspended(f.after) && !suspended(f.before)
}

func exposed(f *facts) bool {
	outside := func(v any) bool {
		return slices.Contains([]string{"LoadBalancer", "NodePort"}, textAt(v, "spec", "type")) || len(listAt(v, "spec", "externalIPs")) > 0
	}
	return f.kind() == "/Service" && outside(f.after) && !outside(f.before)
}

// privilegesWidened counts what brings a pod closer to its node.
func privilegesWidened(f *facts) bool { return !f.gone && privileges(f.after) > privileges(f.before) }

func privileges(v any) (n int) {
	each(v, "", func(_ string, m map[string]any) {
		for _, field := range []string{"privileged", "hostNetwork", "hostPID", "hostIPC"} {
			if m[field] == true {
				n++
			}
		}
		if _, ok := m["hostPath"].(map[string]any); ok {
			n++
		}
	})
	return n
}

func rbacWidened(f *facts) bool {
	if f.gone || f.id.Group != "rbac.authorization.k8s.io" {
		return false
	}
	switch f.id.Kind {
	case "RoleBinding", "ClusterRoleBinding":
		return f.fresh || f.differs("roleRef") || hasMore(listAt(f.before, "subjects"), listAt(f.after, "subjects"), reflect.DeepEqual)
	case "Role", "ClusterRole": // a new one grants nothing until a binding names it
		return !f.fresh && (f.differs("aggregationRule") || hasMore(listAt(f.before, "rules"), listAt(f.after, "rules"), covers))
	}
	return false
}

// hasMore reports whether after has an item that no single item of before covers.
func hasMore(before, after []any, covers func(wide, narrow any) bool) bool {
	return slices.ContainsFunc(after, func(a any) bool {
		return !slices.ContainsFunc(before, func(b any) bool { return covers(b, a) })
	})
}

// covers reports whether a rule grants all that another one grants. Rules that were only split or joined may seem to grant
// more, but never less.
func covers(wide, narrow any) bool {
	for _, field := range []string{"apiGroups", "resources", "verbs", "nonResourceURLs"} {
		if !coversAll(listAt(wide, field), listAt(narrow, field)) {
			return false
		}
	}
	names := listAt(wide, "resourceNames")
	return len(names) == 0 || len(listAt(narrow, "resourceNames")) > 0 && coversAll(names, listAt(narrow, "resourceNames"))
}

func coversAll(wide, narrow []any) bool {
	has := map[string]bool{}
	for _, w := range wide {
		has[fmt.Sprint(w)] = true
	}
	return has["*"] || !slices.ContainsFunc(narrow, func(n any) bool { return !has[fmt.Sprint(n)] })
}

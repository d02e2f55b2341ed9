package edit

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// dependsOnAnnotation lists the objects that must exist before this one, separated by commas:
// group/namespaces/namespace/Kind/name, or group/Kind/name for cluster-scoped ones.
const dependsOnAnnotation = "config.kubernetes.io/depends-on"

// RewriteDependsOn replaces every dependency of o by the result of rewrite. Text that is no reference stays.
func RewriteDependsOn(o *yaml.Node, rewrite func(krm.ID) krm.ID) {
	n := krm.Lookup(o, "metadata", "annotations", dependsOnAnnotation)
	if !IsText(n) {
		return
	}
	refs := strings.Split(n.Value, ",")
	for i, ref := range refs {
		text := strings.TrimSpace(ref)
		if id, ok := parseReference(text); ok {
			refs[i] = strings.Replace(ref, text, formatReference(rewrite(id)), 1)
		}
	}
	SetText(n, strings.Join(refs, ","), KeepQuotes)
}

// SetDependsOn makes the annotation of o name one object.
func SetDependsOn(o *krm.Object, id krm.ID) {
	o.SetAnnotation(dependsOnAnnotation, formatReference(id))
}

func parseReference(text string) (krm.ID, bool) {
	part := strings.Split(text, "/")
	switch {
	case len(part) == 3 && part[1] != "" && part[2] != "":
		return krm.ID{Group: part[0], Kind: part[1], Name: part[2]}, true
	case len(part) == 5 && part[1] == "namespaces" && part[2] != "" && part[3] != "" && part[4] != "":
		return krm.ID{Group: part[0], Namespace: part[2], Kind: part[3], Name: part[4]}, true
	}
	return krm.ID{}, false
}

func formatReference(id krm.ID) string {
	if id.Namespace == "" {
		return strings.Join([]string{id.Group, id.Kind, id.Name}, "/")
	}
	return strings.Join([]string{id.Group, "namespaces", id.Namespace, id.Kind, id.Name}, "/")
}

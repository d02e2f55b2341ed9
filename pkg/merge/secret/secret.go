package secret

import (
	"bytes"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Hidden stands where a value is not shown.
const Hidden = "(hidden)"

// Is reports whether n is a Secret or several, and no mere reference to one.
func Is(n *yaml.Node) bool {
	has := func(field string) bool { return krm.Lookup(n, field) != nil }
	switch kindOf(n) {
	case "Secret":
		return has("data") || has("stringData") || has("metadata")
	case list:
		return has("items")
	}
	return false
}

// list is the kind of several Secrets. Its items need not say what they are.
const list = "SecretList"

// Several reports whether n is a list in which every item is a Secret, whatever it says of its kind.
func Several(n *yaml.Node) bool { return kindOf(n) == list }

func kindOf(n *yaml.Node) string {
	n = krm.Deref(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return ""
	}
	if kind := krm.Deref(krm.Lookup(n, "kind")); kind != nil {
		return kind.Value
	}
	return ""
}

// open are the fields of a Secret that hold no secret.
var open = []string{"apiVersion", "kind", "metadata", "type", "immutable"}

// Open reports whether what stands in a Secret at a way, the names of fields from the top, holds nothing that is secret.
func Open(way ...string) bool {
	switch {
	case len(way) == 0 || !slices.Contains(open, way[0]):
		return false
	case way[0] != "metadata":
		return len(way) == 1
	case len(way) == 1: // the annotations may be in it
		return false
	}
	return way[1] != "annotations" || len(way) > 2 && harmless(way[2])
}

// harmlessGroups and harmlessNames are the annotations of a Secret whose values are shown: they are about how it is handled.
var (
	harmlessGroups = []string{
		"config.kubernetes.io", "internal.config.kubernetes.io", "kpt.dev", "internal.kpt.dev", "waybill.dev", "fn.waybill.dev",
		"control.kubestellar.io", "transport.kubestellar.io",
	}
	harmlessNames = []string{
		"argocd.argoproj.io/hook", "argocd.argoproj.io/hook-delete-policy", "argocd.argoproj.io/sync-options", "argocd.argoproj.io/sync-wave",
		"argocd.argoproj.io/tracking-id", "cert-manager.io/certificate-name", "cert-manager.io/issuer-kind", "cert-manager.io/issuer-name",
		"helm.sh/hook", "helm.sh/hook-delete-policy", "helm.sh/hook-weight", "helm.sh/resource-policy", "kubernetes.io/description",
		"kubernetes.io/service-account.name", "kubernetes.io/service-account.uid", "kustomize.toolkit.fluxcd.io/prune",
		"kustomize.toolkit.fluxcd.io/reconcile", "meta.helm.sh/release-name", "meta.helm.sh/release-namespace",
	}
)

func harmless(annotation string) bool {
	group, _, _ := strings.Cut(annotation, "/")
	return !copies(annotation) && (slices.Contains(harmlessGroups, group) || slices.Contains(harmlessNames, annotation))
}

// May reports whether there may be anything to hide in the text of an object, which may be written with escapes.
func May(text []byte) bool {
	if bytes.IndexByte(text, '\\') >= 0 || bytes.Contains(text, []byte("Secret")) {
		return true
	}
	return slices.ContainsFunc(copyNames, func(name string) bool { return bytes.Contains(text, []byte(name)) })
}

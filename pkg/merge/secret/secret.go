package secret

import (
	"bytes"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Hidden replaces a hidden value.
const Hidden = "(hidden)"

// Is reports whether n is a Secret or a list of Secrets, and not a reference to one.
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

// list is the kind of a list of Secrets, whose items need no kind.
const list = "SecretList"

// isList reports whether n is a list in which every item is a Secret, whatever the kind in the item.
func isList(n *yaml.Node) bool { return kindOf(n) == list }

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

// public are the fields of a Secret without secret values.
var public = []string{"apiVersion", "kind", "metadata", "type", "immutable"}

// Public reports whether the value at path in a Secret may be printed.
func Public(path ...string) bool {
	switch {
	case len(path) == 0 || !slices.Contains(public, path[0]):
		return false
	case path[0] != "metadata":
		return len(path) == 1
	case len(path) == 1: // it contains the annotations
		return false
	}
	return path[1] != "annotations" || len(path) > 2 && isHarmless(path[2])
}

// harmlessGroups and harmlessNames are the annotations of a Secret whose values are printed: they tell tools how to handle it.
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

func isHarmless(annotation string) bool {
	group, _, _ := strings.Cut(annotation, "/")
	return !isCopy(annotation) && (slices.Contains(harmlessGroups, group) || slices.Contains(harmlessNames, annotation))
}

// MayContain reports whether the text of an object, which may contain escapes, may contain a value to hide.
func MayContain(text []byte) bool {
	if bytes.IndexByte(text, '\\') >= 0 || bytes.Contains(text, []byte("Secret")) {
		return true
	}
	return slices.ContainsFunc(copyNames, func(name string) bool { return bytes.Contains(text, []byte(name)) })
}

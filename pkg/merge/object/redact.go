package object

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/secret"
)

// Redacted reports which values of an object must not be shown; nil shows all. It covers the values of a
// Secret, whole Secrets inside another object, such as a List or a ManifestWork, with the list that has them,
// and annotations that repeat an object. It needs all versions of the object, without aliases. Package secret
// knows what is secret.
func Redacted(versions ...*krm.Object) func(Path) bool {
	if slices.ContainsFunc(versions, func(o *krm.Object) bool { return o.Is("", "Secret") || o.Is("", "SecretList") }) {
		return holdsSecret
	}
	var secrets []Path
	for _, o := range versions {
		secrets = appendSecrets(secrets, nil, o.Node())
	}
	if len(secrets) == 0 {
		return nil
	}
	return hidingPlaces(secrets)
}

// hidingPlaces hides places, with all in them and all around them.
func hidingPlaces(places []Path) func(Path) bool {
	key := func(p Path) string { return strings.Join(p, "\x00") }
	at, around := map[string]bool{}, map[string]bool{}
	for _, p := range places {
		at[key(p)] = true
		for i := range p {
			around[key(p[:i])] = true
		}
	}
	return func(p Path) bool {
		for i := range p {
			if at[key(p[:i+1])] {
				return true
			}
		}
		return around[key(p)]
	}
}

// holdsSecret reports whether a place in a Secret may be secret.
func holdsSecret(p Path) bool { return !secret.Public(p...) }

// appendSecrets appends the places below at of Secrets in n, of lists that have one, and of annotations that
// repeat an object.
func appendSecrets(secrets []Path, at Path, n *yaml.Node) []Path {
	switch {
	case len(at) > 0 && secret.Is(n):
		return append(secrets, slices.Clone(at))
	case krm.IsMap(n):
		for i := 0; i+1 < len(n.Content); i += 2 {
			in, below := nameOf(at), append(at, n.Content[i].Value)
			if secret.HidesAnnotation(in, n.Content[i].Value, n.Content[i+1]) {
				secrets = append(secrets, slices.Clone(below))
				continue
			}
			secrets = appendSecrets(secrets, below, n.Content[i+1])
		}
	case krm.IsList(n):
		for _, item := range n.Content {
			if len(appendSecrets(nil, append(at, ""), item)) > 0 {
				return append(secrets, slices.Clone(at))
			}
		}
	}
	return secrets
}

// nameOf is the last step to a place.
func nameOf(p Path) string {
	if len(p) == 0 {
		return ""
	}
	return p[len(p)-1]
}

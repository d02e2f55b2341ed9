package merge

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// shown are the fields of a Secret that hold no secret.
var shown = map[string]bool{"apiVersion": true, "kind": true, "metadata": true, "type": true, "immutable": true}

// lastApplied is an annotation that holds all of an object once more.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// hiding says which values of an object, given in several versions without aliases, are not to be shown;
// nil shows all. It hides what a Secret holds, and whole Secrets inside of another object, such as a
// List or a ManifestWork, with the list they are in.
func hiding(versions ...*krm.Object) func(place) bool {
	if slices.ContainsFunc(versions, func(o *krm.Object) bool { return o.Is("", "Secret") || o.Is("", "SecretList") }) {
		return holdsSecret
	}
	var secrets []place
	for _, o := range versions {
		secrets = appendSecrets(secrets, nil, o.Node())
	}
	if len(secrets) == 0 {
		return nil
	}
	return hidingPlaces(secrets)
}

// hidingPlaces hides places, all that is in them, and what they are in.
func hidingPlaces(places []place) func(place) bool {
	key := func(p place) string { return strings.Join(p, "\x00") }
	at, around := map[string]bool{}, map[string]bool{}
	for _, p := range places {
		at[key(p)] = true
		for i := range p {
			around[key(p[:i])] = true
		}
	}
	return func(p place) bool {
		for i := range p {
			if at[key(p[:i+1])] {
				return true
			}
		}
		return around[key(p)]
	}
}

// holdsSecret reports whether a place of a Secret may hold what is secret.
func holdsSecret(p place) bool {
	if len(p) == 0 || !shown[p[0]] {
		return true
	}
	// the annotations as a whole may hold it, too
	return p[0] == "metadata" && (len(p) == 1 || p[1] == "annotations" && (len(p) == 2 || p[2] == lastApplied))
}

// appendSecrets appends the places below at of Secrets inside of n, or of the lists they are in.
func appendSecrets(secrets []place, at place, n *yaml.Node) []place {
	switch {
	case len(at) > 0 && isSecret(n):
		return append(secrets, slices.Clone(at))
	case isMap(n):
		for i := 0; i+1 < len(n.Content); i += 2 {
			secrets = appendSecrets(secrets, append(at, n.Content[i].Value), n.Content[i+1])
		}
	case isList(n):
		for _, item := range n.Content {
			if len(appendSecrets(nil, append(at, ""), item)) > 0 {
				return append(secrets, slices.Clone(at))
			}
		}
	}
	return secrets
}

// isSecret reports whether n is a Secret or several, and no mere reference to one.
func isSecret(n *yaml.Node) bool {
	has := func(field string) bool { return krm.Lookup(n, field) != nil }
	switch scalarAt(n, "kind") {
	case "Secret":
		return has("data") || has("stringData") || has("metadata")
	case "SecretList":
		return has("items")
	}
	return false
}

package expansion

import (
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// silent is what an error says of a template that may hold a secret.
const silent = "it is wrong there; what the template says is secret, and is not told"

// holdsSecret reports whether n is a Secret, or an object with one in it: then templates in it may say what is secret.
func holdsSecret(n *yaml.Node) bool {
	n = krm.Deref(n)
	if kind := krm.Lookup(n, "kind"); kind != nil && (kind.Value == "Secret" || kind.Value == "SecretList") {
		return true
	}
	return slices.ContainsFunc(n.Content, holdsSecret)
}

var (
	position = regexp.MustCompile(`^(:[0-9]+(?::[0-9]+)?): `)
	// unknownProperty is what an error says that is about the name of a property alone.
	unknownProperty = regexp.MustCompile(` at <\.([A-Za-z_][A-Za-z0-9_]*)>: (map has no entry for key "([A-Za-z_][A-Za-z0-9_]*)")$`)
)

// silenced is an error about a template of that name with the position in it, and nothing that the template says but names
// of properties.
func silenced(text, name string) string {
	begin := "template: " + name
	rest, ok := strings.CutPrefix(text, begin)
	if !ok {
		return begin + ": " + silent
	}
	if at := position.FindStringSubmatch(rest); at != nil {
		begin += at[1]
	}
	if m := unknownProperty.FindStringSubmatch(rest); m != nil && m[1] == m[3] {
		return begin + ": " + m[2]
	}
	return begin + ": " + silent
}

package expansion

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/template"
)

// explain turns a failure into the documented error. A template runs without the cluster in its name, so
// that it is parsed once for all clusters; the text that names the cluster comes from a second run under
// the full name, which fails in the same way.
func (l *leaf) explain(cluster string, props map[string]string, err error) error {
	name := cluster + "/" + l.name
	report := func(text, name string) error {
		if l.secret {
			text = redacted(text, name)
		}
		return oneLine(text)
	}
	p, again := parseChecked(name, l.text)
	r, refused := template.Refused(err)
	switch {
	case again != nil: // it does not parse, or its shape is refused
		return report(again.Error(), name)
	case refused:
		return oneLine(fmt.Sprintf("template: %s: %s", name, r.Reason))
	case l.program == nil: // broken only under its short name: it calls itself by that
		return report(err.Error(), l.name)
	}
	b := &budget{}
	if err := link(name, p, b.functions()).Execute(&output{budget: b}, props); err != nil {
		return report(unescaped(err.Error(), name), name)
	}
	return report(unescaped(err.Error(), l.name), l.name)
}

// maxErrorText limits an error; templates can quote whole values.
const maxErrorText = 2000

// oneLine makes an error of text in one line of printable characters.
func oneLine(text string) error {
	return errors.New(safetext.Cut(safetext.Escape(text), maxErrorText, "…"))
}

// redaction replaces the message of an error about a template that may hold a secret.
const redaction = "the template has an error here; the rest of the message is not shown, because it may be secret"

// holdsSecret reports whether n is a Secret, or holds one: then its templates may contain a secret.
func holdsSecret(n *yaml.Node) bool {
	n = krm.Deref(n)
	if kind := krm.Lookup(n, "kind"); kind != nil && (kind.Value == "Secret" || kind.Value == "SecretList") {
		return true
	}
	return slices.ContainsFunc(n.Content, holdsSecret)
}

var (
	position = lazyregexp.New(`^(:[0-9]+(?::[0-9]+)?): `)
	// unknownProperty is the message of an error about the name of a property alone.
	unknownProperty = lazyregexp.New(` at <\.([A-Za-z_][A-Za-z0-9_]*)>: (map has no entry for key "([A-Za-z_][A-Za-z0-9_]*)")$`)
)

// redacted is the text of an error about a template of that name with its position and names of properties, and nothing
// else of the template.
func redacted(text, name string) string {
	begin := "template: " + name
	rest, ok := strings.CutPrefix(text, begin)
	if !ok {
		return begin + ": " + redaction
	}
	if at := position.FindStringSubmatch(rest); at != nil {
		begin += at[1]
	}
	if m := unknownProperty.FindStringSubmatch(rest); m != nil && m[1] == m[3] {
		return begin + ": " + m[2]
	}
	return begin + ": " + redaction
}

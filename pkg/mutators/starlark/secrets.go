package starlark

import (
	"cmp"
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// secrets are the values of the Secrets of a package, which no result shows.
type secrets struct {
	all      map[string]bool
	longest  int
	replacer *strings.Replacer // made by the first redact
}

const (
	shortest    = 4      // shorter values are not redacted: they occur in other text
	mostSecrets = 50_000 // with more, no text is shown
)

// add adds the values below data and stringData of n, or of parts of n, that are Secrets; inside is whether n is part of a
// Secret, or of a list of them.
func (s *secrets) add(n *yaml.Node, inside bool) {
	inside = inside || edit.IsSecret(n)
	if inside && n.Kind == yaml.MappingNode {
		s.values(krm.Lookup(n, "data"))
		s.values(krm.Lookup(n, "stringData"))
	}
	for _, c := range n.Content {
		if c.Kind != yaml.ScalarNode {
			s.add(c, inside)
		}
	}
}

// values adds the values in n, what base64 makes of them, and what they stand for in base64.
func (s *secrets) values(n *yaml.Node) {
	if n == nil {
		return
	}
	for _, c := range n.Content {
		s.values(c)
	}
	if n.Kind != yaml.ScalarNode {
		return
	}
	s.lines(n.Value)
	if plain, err := base64.StdEncoding.DecodeString(n.Value); err == nil && utf8.Valid(plain) {
		s.lines(string(plain))
	}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		coded := encoding.EncodeToString([]byte(n.Value))
		s.note(coded)
		s.note(strings.TrimRight(coded, "="))
	}
}

// lines adds each line of a value.
func (s *secrets) lines(value string) {
	for line := range strings.SplitSeq(value, "\n") {
		s.note(line)
		quoted := syntax.Quote(line, false)
		s.note(quoted[1 : len(quoted)-1])
	}
}

func (s *secrets) note(text string) {
	if text = strings.TrimSpace(text); len(text) < shortest || len(s.all) > mostSecrets {
		return
	}
	if s.all == nil {
		s.all = map[string]bool{}
	}
	s.all[text], s.longest = true, max(s.longest, len(text))
}

// redact replaces every secret in the first bytes of text by stars.
func (s *secrets) redact(text string, shown int) string {
	switch {
	case len(s.all) == 0:
		return text
	case len(s.all) > mostSecrets:
		return "(not shown: the package holds too many secrets to look for)"
	}
	if s.replacer == nil {
		longestFirst := func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }
		var pairs []string
		for _, secret := range slices.SortedFunc(maps.Keys(s.all), longestFirst) {
			pairs = append(pairs, secret, "***")
		}
		s.replacer = strings.NewReplacer(pairs...)
	}
	return s.replacer.Replace(text[:min(len(text), shown+s.longest)])
}

package starlark

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.starlark.net/syntax"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// secrets are what the Secrets of a package hold, which no result shows.
type secrets struct {
	all     map[string]bool
	longest int
	hider   *strings.Replacer // made when it is first needed
}

const (
	shortest    = 4      // what is shorter is not told from other text
	mostSecrets = 10_000 // with more of them nothing is shown
)

// add takes in what n holds below data and stringData, where n or a part of it is a Secret; inside is
// whether n stands in one, or in a list of them.
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
	for line := range strings.SplitSeq(n.Value, "\n") {
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

// hide puts stars in the place of every secret in the first bytes of text.
func (s *secrets) hide(text string, shown int) string {
	switch {
	case len(s.all) == 0:
		return text
	case len(s.all) > mostSecrets:
		return "(not shown: the package holds too many secrets to look for)"
	}
	if s.hider == nil {
		longestFirst := func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }
		var pairs []string
		for _, secret := range slices.SortedFunc(maps.Keys(s.all), longestFirst) {
			pairs = append(pairs, secret, "***")
		}
		s.hider = strings.NewReplacer(pairs...)
	}
	return s.hider.Replace(text[:min(len(text), shown+s.longest)])
}

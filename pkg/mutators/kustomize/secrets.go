package kustomize

import (
	"errors"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// secrets are texts that no message may show: kustomize quotes the config of a generator, and patches.
type secrets struct{ texts []string }

// file takes the lines of a file that a generator of Secrets reads.
func (s *secrets) file(data []byte, secret bool) {
	if secret {
		s.literals(strings.Split(string(data), "\n"), true)
	}
}

// literals takes texts of the form key=value.
func (s *secrets) literals(list []string, secret bool) {
	if !secret {
		return
	}
	for _, text := range list {
		_, value, _ := strings.Cut(text, "=")
		for _, t := range []string{text, value, strings.Trim(value, `"'`)} {
			s.add(t)
		}
	}
}

// shortest is the length of a text below which it says nothing, and would be found anywhere.
const shortest = 3

func (s *secrets) add(text string) {
	if text = strings.TrimSpace(text); len(text) >= shortest {
		s.texts = append(s.texts, text)
	}
}

// object takes the data of a Secret, which may be a patch.
func (s *secrets) object(n *yaml.Node) {
	if textOf(n, "kind") != "Secret" {
		return
	}
	for _, name := range []string{"data", "stringData"} {
		for _, value := range krm.Fields(krm.Lookup(n, name)) {
			for line := range strings.Lines(krm.Deref(value).Value) {
				s.add(line)
			}
		}
	}
}

// quoted are the parts of kustomize's messages that quote what it was given.
var quoted = lazyregexp.New("(?s)with config: `.*?`|line \\[[0-9 ]+\\]|\\[patch: \"(?:[^\"\\\\]|\\\\.)*\"\\]")

// maxMessage bounds a message.
const maxMessage = 2000

// redact is err in one line, without secrets.
func (s *secrets) redact(err error) error {
	text := quoted.ReplaceAllString(err.Error(), "[…]")
	slices.SortFunc(s.texts, func(a, b string) int { return len(b) - len(a) })
	for _, secret := range s.texts {
		text = strings.ReplaceAll(text, secret, "[redacted]")
	}
	return errors.New(safetext.SingleLine(text, maxMessage))
}

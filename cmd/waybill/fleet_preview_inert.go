package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/yaml"

	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// printInert prints data as JSON or YAML, with everything escaped that acts on a terminal or cannot be seen: names and
// values are anybody's.
func printInert(w io.Writer, format string, data any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	if err := enc.Encode(data); err != nil {
		return err
	}
	text := b.String()
	if format == "yaml" {
		var err error
		if text, err = inertYAML(text); err != nil {
			return err
		}
	} else {
		text = escaped(text, inJSON)
	}
	_, err := io.WriteString(w, text)
	return err
}

func inJSON(r rune) (out string) {
	for _, unit := range utf16.AppendRune(nil, r) {
		out += fmt.Sprintf(`\u%04x`, unit)
	}
	return out
}

func inYAML(r rune) string { return fmt.Sprintf(`\U%08x`, r) }

// escaped is text with every character beyond ASCII that cannot be shown as escape has it.
func escaped(text string, escape func(rune) string) string {
	var b strings.Builder
	for _, r := range text {
		if r < 0x7f || safetext.Visible(string(r)) == string(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(escape(r))
		}
	}
	return b.String()
}

func neverShown(text string) bool {
	return escaped(text, func(rune) string { return "" }) != text
}

// inertYAML is JSON as YAML. What cannot be shown stands in double quotes, where it can be escaped.
func inertYAML(asJSON string) (string, error) {
	plain, err := yaml.JSONToYAML([]byte(escaped(asJSON, inYAML)))
	if err != nil || !neverShown(string(plain)) {
		return string(plain), err
	}
	var doc kyaml.Node
	if err := kyaml.Unmarshal(plain, &doc); err != nil {
		return "", err
	}
	quote(&doc)
	var b bytes.Buffer
	enc := kyaml.NewEncoderWithOptions(&b, &kyaml.EncoderOptions{SeqIndent: kyaml.CompactSequenceStyle})
	if err := enc.Encode(&doc); err != nil {
		return "", err
	}
	return escaped(b.String(), inYAML), nil
}

func quote(n *kyaml.Node) {
	if n.Kind == kyaml.ScalarNode && neverShown(n.Value) {
		n.Style = kyaml.DoubleQuotedStyle
	}
	for _, child := range n.Content {
		quote(child)
	}
}

// withoutCommands writes text for a terminal so that no line of it is a command to those who read the logs of workflows.
func withoutCommands(w io.Writer, tell func(io.Writer) error) error {
	var b strings.Builder
	if err := tell(&b); err != nil {
		return err
	}
	var out strings.Builder
	for line := range strings.Lines(b.String()) {
		words := strings.TrimLeft(line, " \t")
		if rest, command := strings.CutPrefix(words, "::"); command {
			line = line[:len(line)-len(words)] + `\u003a:` + rest
		}
		out.WriteString(strings.NewReplacer("##[", `#\u0023[`, "##vso[", `#\u0023vso[`).Replace(line))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// grouped names the group behind a kind where several groups of a preview have it.
func grouped(p *waybillapi.FleetPreview) *waybillapi.FleetPreview {
	first, several := map[string]string{}, map[string]bool{}
	for _, g := range p.Groups {
		group, known := first[g.Object.Kind]
		several[g.Object.Kind] = several[g.Object.Kind] || known && group != g.Object.Group
		first[g.Object.Kind] = g.Object.Group
	}
	out := *p
	out.Groups = append(out.Groups[:0:0], p.Groups...)
	for i := range out.Groups {
		if o := &out.Groups[i].Object; several[o.Kind] && o.Group != "" {
			o.Kind += "." + o.Group
		}
	}
	return &out
}

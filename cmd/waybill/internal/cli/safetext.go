package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/style"
)

// PrintSafe prints data as JSON or YAML and escapes characters that act on a terminal or are invisible, as data may come
// from anywhere.
func PrintSafe(w io.Writer, format string, data any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	if err := enc.Encode(data); err != nil {
		return err
	}
	text := b.String()
	if format == "yaml" {
		var err error
		if text, err = safeYAML(text); err != nil {
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

// escaped replaces every non-ASCII character of text that is not printable by what escape returns for it.
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

func hasUnprintable(text string) bool {
	return escaped(text, func(rune) string { return "" }) != text
}

// safeYAML converts JSON to YAML. It quotes strings with characters that need escapes.
func safeYAML(asJSON string) (string, error) {
	plain, err := yaml.JSONToYAML([]byte(escaped(asJSON, inYAML)))
	if err != nil || !hasUnprintable(string(plain)) {
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
	if n.Kind == kyaml.ScalarNode && hasUnprintable(n.Value) {
		n.Style = kyaml.DoubleQuotedStyle
	}
	for _, child := range n.Content {
		quote(child)
	}
}

// WithoutCommands copies what write prints, and changes lines that a CI system would read as workflow commands.
func WithoutCommands(w io.Writer, write func(io.Writer) error) error {
	var b strings.Builder
	if err := write(style.On(&b, style.Of(w))); err != nil {
		return err
	}
	var out strings.Builder
	for line := range strings.Lines(b.String()) {
		words := line[len(beforeWords.FindString(line)):]
		if rest, command := strings.CutPrefix(words, "::"); command {
			line = line[:len(line)-len(words)] + `\u003a:` + rest
		}
		out.WriteString(strings.NewReplacer("##[", `#\u0023[`, "##vso[", `#\u0023vso[`).Replace(line))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// beforeWords are spaces and colours.
var beforeWords = lazyregexp.New("^(?:[ \t]|\x1b\\[[0-9;]*m)*")

// SafeText escapes characters of text that act on a terminal.
func SafeText(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n == 1 || r != '\n' && !strconv.IsPrint(r) {
			b.WriteString(strings.Trim(strconv.Quote(text[:n]), `"`))
		} else {
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}

// SafeCells applies SafeText to every cell.
func SafeCells(cells ...string) []string {
	for i, c := range cells {
		cells[i] = SafeText(c)
	}
	return cells
}

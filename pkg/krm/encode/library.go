package encode

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// Node has the YAML library write n, with lists indented below their key if wide.
func Node(n *yaml.Node, wide bool) ([]byte, error) {
	var buf bytes.Buffer
	enc := yaml.NewEncoder(&buf)
	if enc.CompactSeqIndent(); wide {
		enc.DefaultSeqIndent()
	}
	if err := enc.Encode(n); err != nil {
		return nil, err
	}
	err := enc.Close()
	return buf.Bytes(), err
}

// Parse parses the output of the library.
func Parse(text []byte) (doc *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			doc, err = nil, fmt.Errorf("not valid YAML: the parser gave up: %v", p)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(text))
	doc = &yaml.Node{}
	if err := dec.Decode(doc); err != nil {
		_, reason := SyntaxError(err)
		return nil, errors.New(reason)
	}
	if err := dec.Decode(&yaml.Node{}); err == nil || len(doc.Content) == 0 {
		return nil, errors.New("it is not exactly one document")
	}
	return doc, nil
}

var yamlLine = lazyregexp.New(`line (\d+): `)

// SyntaxError is the parser's message about a text, and its line, counted from 0.
func SyntaxError(err error) (line int, reason string) {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		line = n - 1
		text = strings.Replace(text, m[0], "", 1)
		if strings.HasPrefix(text, "did not find expected ") && !strings.HasPrefix(text, "did not find expected alphabetic") {
			line++ // errors of the grammar (not the scanner) count from zero
		}
	}
	if strings.HasPrefix(text, "unknown anchor") { // it may be a password that begins with "*"
		text = "an alias (a value that begins with \"*\") names no anchor; quote it if it is text"
	}
	return line, "not valid YAML: " + text
}

package fleet

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Content is the text of an object. Equal hashes mean equal data; equal data that is written differently has different hashes.
type Content struct {
	Hash   [sha256.Size]byte
	text   []byte
	indent int // columns before the object; in the first line the dash of a list stands there
}

func newContent(text []byte, indent int) *Content {
	return &Content{Hash: sha256.Sum256(text), text: text, indent: indent}
}

// contentOf is the content of a parsed object.
func contentOf(o *krm.Object) (*Content, error) {
	text, err := krm.WriteRaw(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Describe(), err)
	}
	return newContent(text, 0), nil
}

// YAML is the text of the object.
func (c *Content) YAML() []byte {
	if c.indent == 0 {
		return c.text
	}
	out := make([]byte, 0, len(c.text))
	for line := range bytes.Lines(c.text) {
		if len(line) > c.indent {
			line = line[c.indent:]
		} else {
			line = []byte("\n") // a blank line within a text
		}
		out = append(out, line...)
	}
	return out
}

var errNoObject = errors.New("is not one object")

// Object parses the object.
func (c *Content) Object() (*krm.Object, error) { return c.parse(c.YAML()) }

func (c *Content) parse(text []byte) (*krm.Object, error) {
	objects, err := krm.Read("manifest", text, krm.Limits{})
	if err != nil {
		return nil, err
	}
	if len(objects) != 1 {
		return nil, errNoObject
	}
	return objects[0], nil
}

// ID is the identity of the object. It parses the identifying fields alone, if they are enough.
func (c *Content) ID() (krm.ID, error) {
	text := c.YAML()
	if o, err := c.parse(identifyingFields(text)); err == nil && o.Kind() != "" && o.Name() != "" {
		return o.ID(), nil
	}
	o, err := c.parse(text)
	if err != nil {
		return krm.ID{}, err
	}
	return o.ID(), nil
}

// identifyingFields is the text of the outermost fields that identify an object.
func identifyingFields(text []byte) []byte {
	var out []byte
	in := false
	for line := range bytes.Lines(text) {
		if line[0] != ' ' && line[0] != '\n' && line[0] != '-' && line[0] != '#' {
			key, _, _ := bytes.Cut(line, []byte(":"))
			in = string(key) == "apiVersion" || string(key) == "kind" || string(key) == "metadata"
		}
		if in {
			out = append(out, line...)
		}
	}
	return out
}

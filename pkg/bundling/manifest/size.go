package manifest

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// JSONSize is the length of n as compact JSON as Go's encoder writes it, with HTML characters
// escaped. It writes nothing: with templates it runs once per cluster.
func JSONSize(n *yaml.Node) (int, error) {
	n = krm.Deref(n)
	if n.Kind == yaml.ScalarNode {
		return scalarSize(n)
	}
	size, step := 2, 1 // the brackets; a list holds values, a map keys and values
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	for i := 0; i+step <= len(n.Content); i += step {
		if i > 0 {
			size++ // the comma
		}
		if step == 2 {
			size += textSize(n.Content[i].Value) + 1 // the colon
		}
		s, err := JSONSize(n.Content[i+step-1])
		if err != nil {
			return 0, err
		}
		size += s
	}
	return size, nil
}

func scalarSize(n *yaml.Node) (int, error) {
	switch n.ShortTag() {
	case yaml.NodeTagNull:
		return len("null"), nil
	case yaml.NodeTagBool, yaml.NodeTagInt, yaml.NodeTagFloat:
		v, err := krm.Value(n)
		if err != nil {
			return 0, fmt.Errorf("%s is not a number that JSON can hold", n.Value)
		}
		text, err := json.Marshal(v)
		return len(text), err
	}
	return textSize(n.Value), nil
}

// textSize is the length of s as a JSON string.
func textSize(s string) int {
	size := 2 // the quotes
	for i := 0; i < len(s); {
		if b := s[i]; b < utf8.RuneSelf {
			size += asciiSize(b)
			i++
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\u2028', r == '\u2029', r == utf8.RuneError && width == 1:
			size += len(`\u2028`)
		default:
			size += width
		}
		i += width
	}
	return size
}

func asciiSize(b byte) int {
	switch b {
	case '"', '\\', '\b', '\f', '\n', '\r', '\t':
		return len(`\n`)
	case '<', '>', '&':
		return len(`\u003c`)
	}
	if b < ' ' {
		return len(`\u0000`)
	}
	return 1
}

// CountedSize is the size that KubeStellar counts for an object of that JSON length: its encoder adds a newline.
func CountedSize(length int) int { return length + 1 }

// EncodedSize is the size that an OCM hub counts for it: a protobuf field of that many bytes.
func EncodedSize(length int) int {
	const tag, bitsPerByte = 1, 7
	return tag + (bits.Len(uint(length|1))+bitsPerByte-1)/bitsPerByte + length
}

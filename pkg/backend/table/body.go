package table

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

// Bounds of a body.
const (
	maxBody  = 1 << 20
	maxDepth = 64
)

// MaxMessage bounds messages, in bytes.
const MaxMessage = 300

// ParseBody parses the JSON object of a resource. A repeated field is refused: backends differ in which one they use.
func ParseBody(text string) (map[string]any, error) {
	if len(text) > maxBody {
		return nil, fmt.Errorf("body is longer than %d bytes", maxBody)
	}
	if !utf8.ValidString(text) {
		return nil, errors.New("body is not UTF-8")
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	v, err := parseValue(d, maxDepth)
	if err != nil {
		return nil, fmt.Errorf("body: %s", safetext.SingleLine(err.Error(), MaxMessage))
	}
	fields, ok := v.(map[string]any)
	if !ok || strings.Trim(text[d.InputOffset():], " \t\r\n") != "" {
		return nil, errors.New("body: want one JSON object")
	}
	return fields, nil
}

func parseValue(d *json.Decoder, deeper int) (any, error) {
	token, err := d.Token()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	if deeper == 0 {
		return nil, fmt.Errorf("is nested deeper than %d", maxDepth)
	}
	switch token {
	case json.Delim('{'):
		return parseObject(d, deeper-1)
	case json.Delim('['):
		return parseList(d, deeper-1)
	}
	if n, ok := token.(json.Number); ok {
		return plainNumber(n), nil
	}
	return token, nil
}

func parseObject(d *json.Decoder, deeper int) (any, error) {
	fields := map[string]any{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, ok := token.(string)
		if _, twice := fields[key]; !ok || twice {
			return nil, fmt.Errorf("field %q occurs twice", key)
		}
		if fields[key], err = parseValue(d, deeper); err != nil {
			return nil, err
		}
	}
	_, err := d.Token() // the end
	return fields, err
}

func parseList(d *json.Decoder, deeper int) (any, error) {
	list := []any{}
	for d.More() {
		v, err := parseValue(d, deeper)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token() // the end
	return list, err
}

// maxExactInt is the limit up to which a float64 holds every whole number.
const maxExactInt = 1 << 53

// plainNumber is a number in the form of hashes: whole numbers without point and exponent.
func plainNumber(n json.Number) json.Number {
	if !strings.ContainsAny(string(n), ".eE") {
		return n
	}
	f, err := n.Float64()
	if err != nil || f != math.Trunc(f) || math.Abs(f) > maxExactInt {
		return n
	}
	return json.Number(strconv.FormatInt(int64(f), 10))
}

// Canonical is v as JSON with sorted keys, no insignificant space and no HTML escaping.
func Canonical(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // what was parsed from JSON is JSON
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// MaxFields bounds the field digests of one body in the inventory.
const MaxFields = 1 << 16

// fieldDigests are short digests of the fields, by which the next plan finds those that have changed.
func fieldDigests(fields map[string]any) string {
	var b strings.Builder
	for i, key := range slices.Sorted(maps.Keys(fields)) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(url.QueryEscape(key) + ":" + digest(Canonical(fields[key]))[:8])
	}
	if b.Len() > MaxFields {
		return ""
	}
	return b.String()
}

// ChangedFields are the fields in which two results of fieldDigests differ, sorted; nil if one of them is empty.
func ChangedFields(old, now string) (changed []string) {
	if old == "" || now == "" {
		return nil
	}
	differs := map[string]bool{}
	for _, entry := range strings.Fields(old) {
		differs[entry] = true
	}
	for _, entry := range strings.Fields(now) {
		if !differs[entry] {
			differs[entry] = true
		} else {
			delete(differs, entry)
		}
	}
	for entry := range differs {
		key, _, _ := strings.Cut(entry, ":")
		if name, err := url.QueryUnescape(key); err == nil {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	return slices.Compact(changed)
}

// TextAt is the string or whole number at a path in a body.
func TextAt(fields map[string]any, path []string) (string, bool) {
	for _, name := range path[:len(path)-1] {
		inner, ok := fields[name].(map[string]any)
		if !ok {
			return "", false
		}
		fields = inner
	}
	switch v := fields[path[len(path)-1]].(type) {
	case string:
		return v, true
	case json.Number:
		return string(v), !strings.ContainsAny(string(v), ".eE")
	}
	return "", false
}

// Short shortens a value for an error.
func Short(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:80], "") + "..."
	}
	return s
}

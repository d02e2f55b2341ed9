package mutation

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
)

// key is a step to a place that can be written.
type key struct {
	name   string
	forced bool // no place in a list
}

// place is where a path leads in a document: keys in place of queries and wildcards, and the value there. It is false where
// one of these matches nothing.
func (p *path) place(doc string) (keys []key, at gjson.Result, is bool) {
	at = gjson.Parse(doc)
	for i := range p.parts {
		one := &p.parts[i]
		next := one.step(at)
		if !one.search {
			keys = append(keys, key{one.key, one.forced})
		} else if name, found := nameOf(at, next); found && name != "" { // sjson has no way to an empty key
			keys = append(keys, key{name, at.IsObject()})
		} else {
			return nil, gjson.Result{}, false
		}
		at = next
	}
	return keys, at, true
}

// nameOf is the key of a value in a list or an object.
func nameOf(in, what gjson.Result) (name string, found bool) {
	if !what.Exists() {
		return "", false
	}
	i := 0
	in.ForEach(func(k, v gjson.Result) bool {
		if v.Index == what.Index {
			name, found = strconv.Itoa(i), true
			if in.IsObject() {
				name = k.String()
			}
		}
		i++
		return !found
	})
	return name, found
}

// set writes JSON to a place, and creates what is missing on the way.
func set(doc string, keys []key, raw string) (string, error) {
	at := gjson.Parse(doc)
	for _, k := range keys {
		if err := k.fits(at); err != nil {
			return "", err
		}
		at = k.in(at)
	}
	made, err := sjson.SetRaw(doc, pathOf(keys), raw)
	if err != nil {
		return "", errors.New("it cannot be written there")
	}
	return made, nil
}

// remove removes the value at a place, if there is one.
func remove(doc string, keys []key) string {
	in, at := gjson.Result{}, gjson.Parse(doc)
	var k key
	for _, k = range keys {
		if last := k.name == "-1" && !k.forced && at.IsArray(); last {
			k.name = strconv.Itoa(len(at.Array()) - 1)
		}
		if in, at = at, k.in(at); !at.Exists() {
			return doc
		}
	}
	return doc[:in.Index] + without(in, k) + doc[in.Index+len(in.Raw):]
}

// without is a list or an object without the value of a key. sjson produces invalid JSON where a key begins with a quote.
func without(in gjson.Result, k key) string {
	var parts []string
	i, ends := 0, "[]"
	in.ForEach(func(name, v gjson.Result) bool {
		if in.IsObject() {
			if ends = "{}"; name.String() != k.name {
				parts = append(parts, name.Raw+":"+v.Raw)
			}
		} else if strconv.Itoa(i) != canonical(k.name) {
			parts = append(parts, v.Raw)
		}
		i++
		return true
	})
	return ends[:1] + strings.Join(parts, ",") + ends[1:]
}

// canonical is a place in a list without needless zeros.
func canonical(index string) string {
	if n, err := strconv.Atoi(index); err == nil {
		return strconv.Itoa(n)
	}
	return index
}

// in is the value of a key. sjson would look into strings, too.
func (k key) in(at gjson.Result) gjson.Result {
	if at.IsObject() || at.IsArray() && k.isIndex() && len(k.name) <= maxDigits { // gjson's numbers overflow
		return at.Get(gjson.Escape(k.name))
	}
	return gjson.Result{}
}

// maxDigits bounds the digits of a place in a list.
const maxDigits = 9

func (k key) isIndex() bool { return !k.forced && isIndex(k.name) }

// fits says why a key cannot be written.
func (k key) fits(at gjson.Result) error {
	switch {
	case at.IsObject():
		return nil
	case !at.Exists() || at.Type == gjson.Null:
		if at.Exists() && k.name == "-1" && !k.forced {
			return errors.New("-1 is a place in a list, and the value is null")
		}
		return k.near(0)
	case !at.IsArray():
		return fmt.Errorf("%s leads through something that is neither an object nor a list", truncatePath(k.name))
	case k.name == "-1" && !k.forced:
		return nil
	case !k.isIndex():
		return fmt.Errorf("%s leads into a list, whose items have numbers", truncatePath(k.name))
	}
	return k.near(len(at.Array()))
}

// near refuses a place in a list far after its end.
func (k key) near(items int) error {
	if !k.isIndex() {
		return nil
	}
	if n, err := strconv.Atoi(k.name); err != nil || n > items+maxGap {
		return fmt.Errorf("%s is more than %d places after the end of a list; if it is a key, write :%[1]s", truncatePath(k.name), maxGap)
	}
	return nil
}

// pathOf is a path in sjson's syntax.
func pathOf(keys []key) string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = gjson.Escape(k.name)
		switch {
		case k.forced && (isIndex(k.name) || k.name == "-1"):
			parts[i] = ":" + parts[i]
		case strings.HasPrefix(k.name, ":"):
			parts[i] = `\` + parts[i]
		}
	}
	return strings.Join(parts, ".")
}

// truncatePath shortens the text of a path for an error.
func truncatePath(s string) string {
	if len(s) > maxErrorPath {
		s = strings.ToValidUTF8(s[:maxErrorPath], "") + "..."
	}
	return s
}

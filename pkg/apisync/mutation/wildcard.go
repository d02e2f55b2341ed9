package mutation

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// hasWildcard reports whether a step of the path has * or ?, so that it may match several keys.
func (p *path) hasWildcard() bool {
	return slices.ContainsFunc(p.parts, func(one part) bool { return one.wildcard })
}

// removeAll removes the values at all places to which a path with wildcards leads. A document without any stays as it is
// written.
func (p *path) removeAll(doc string) string {
	i := slices.IndexFunc(p.parts, func(one part) bool { return one.wildcard })
	if i < 0 {
		if keys, _, is := p.place(doc); is {
			return remove(doc, keys)
		}
		return doc
	}
	before, rest := &path{parts: p.parts[:i]}, &path{parts: p.parts[i+1:]}
	_, in, is := before.place(doc)
	if !is || !in.IsObject() {
		return doc
	}
	made, changed := removeMatches(in, &p.parts[i], rest)
	if !changed {
		return doc
	}
	return doc[:in.Index] + made + doc[in.Index+len(in.Raw):]
}

// removeMatches removes what the rest of a path leads to below each key of an object that a wildcard matches; without a
// rest, the keys.
func removeMatches(in gjson.Result, one *part, rest *path) (made string, changed bool) {
	var parts []string
	in.ForEach(func(name, v gjson.Result) bool {
		value := v.Raw
		if one.matches(name) {
			if len(rest.parts) == 0 {
				changed = true
				return true
			}
			value = rest.removeAll(v.Raw)
			changed = changed || value != v.Raw
		}
		parts = append(parts, name.Raw+":"+value)
		return true
	})
	return "{" + strings.Join(parts, ",") + "}", changed
}

// matches reports whether gjson finds a key by a wildcard.
func (one *part) matches(key gjson.Result) bool {
	return gjson.Get("{"+key.Raw+":1}", one.read).Exists()
}

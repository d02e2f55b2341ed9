package mutation

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/template/text"
)

// naive writes to a place, or removes it, in plain data. It returns false where that is not possible.
type naive struct {
	remove bool
	new    any
}

func (n naive) at(v any, there bool, keys []key) (any, bool) {
	if len(keys) == 0 {
		return n.new, true
	}
	k := keys[0]
	switch v := v.(type) {
	case map[string]any:
		return n.inObject(v, k, keys[1:])
	case []any:
		return n.inList(v, k, keys[1:])
	case nil:
		if n.remove || there && k.name == "-1" && !k.forced {
			return v, n.remove
		}
		if k.isIndex() || k.name == "-1" && !k.forced {
			return n.inList(nil, k, keys[1:])
		}
		return n.inObject(map[string]any{}, k, keys[1:])
	}
	return v, n.remove
}

func (n naive) inObject(m map[string]any, k key, rest []key) (any, bool) {
	old, there := m[k.name]
	if n.remove && (!there || len(rest) == 0) {
		delete(m, k.name)
		return m, true
	}
	made, ok := n.at(old, there, rest)
	m[k.name] = made
	return m, ok
}

func (n naive) inList(list []any, k key, rest []key) (any, bool) {
	i, err := strconv.Atoi(k.name)
	switch {
	case k.name == "-1" && !k.forced && n.remove:
		i = len(list) - 1
	case k.name == "-1" && !k.forced:
		i = len(list)
	case !k.isIndex() || err != nil || len(k.name) > maxDigits:
		return list, n.remove
	}
	there := i >= 0 && i < len(list)
	switch {
	case n.remove && !there:
		return list, true
	case n.remove && len(rest) == 0:
		return slices.Delete(list, i, i+1), true
	case !there && i > len(list)+maxGap:
		return list, false
	}
	for len(list) <= i {
		list = append(list, nil)
	}
	made, ok := n.at(list[i], there, rest)
	list[i] = made
	return list, ok
}

// FuzzPlace writes and removes where a path leads: the result is JSON, equals that of the naive model, and nothing else
// changed.
func FuzzPlace(f *testing.F) {
	for _, path := range []string{"a", "a.b.c", "a.0", "a.1.b", "a.-1", "-1", ":0", "a.:0.1", `a\.b`, "a*", `a.#(b==1).c`, `a.#(b==1)`, "0", "b.200", "é", `\:1.2`, "a|b", "?*", "**"} {
		for _, doc := range []string{
			`{}`, `{"a": 1}`, `{"a": {"b": [1, {"c": 2}]}, "b": null}`, ` {"a" : [ ] , "a.b" : "x" } `, `{"a": [{"b": 1, "c": 2}, {"b": 2}], "0": 3}`,
			`{"a": "[1, 2]", "b": "{\"c\": 1}"}`, `{"a\"b": "\\\"", "é": {"\\": []}, "-1": 1, ":1": [1,2,3]}`, `{"a": [[], [[]], [1e400, -0]]}`, `{"": 1}`, `{"\"b": "\\\"", "a": {}}`,
		} {
			f.Add(doc, path)
		}
	}
	f.Fuzz(func(t *testing.T, doc, path string) {
		p, err := parsePlace(path)
		if err != nil || !json.Valid([]byte(doc)) || !utf8.ValidString(doc+path) || strings.Contains(doc, `\u`) || twice(doc) {
			return
		}
		keys, at, is := p.place(doc)
		if v, err := text.Decode([]byte(doc)); err != nil || !isObject(v) || !is {
			return
		}
		if at.Exists() && !strings.Contains(doc, at.Raw) {
			t.Errorf("%s is not in %s", at.Raw, doc)
		}
		made, err := set(doc, keys, `["new"]`)
		check(t, doc, naive{new: []any{"new"}}, keys, made, err)
		check(t, doc, naive{remove: true}, keys, remove(doc, keys), nil)
	})
}

// FuzzRemoveAll removes all places to which a path with wildcards leads: the result equals that of a naive model, and the
// path leads to nothing any more.
func FuzzRemoveAll(f *testing.F) {
	for _, path := range []string{"*", "a*", "?", "*.b", "a.*", "*.*", "*.*.c", "*b*.c?", `a\.*`, "a.*.0", "*.-1", "*.:0", "é*.?"} {
		for _, doc := range []string{
			`{}`, `{"a": 1, "ab": 2, "b": 3}`, `{"a": {"b": 1, "c": {"c": 1.50}}, "b": {"b": [1, 2], "c": null}}`, ` {"a.b" : [ {"b": 1} ], "a.": {}, "": {"": 1} } `,
			`{"a": {"0": 1, "x": [1, 2], "y": [[3]]}, "ébb": {"c": "*"}}`, `{"a": "{\"b\": 1}", "b": {"cc": 1, "c": 2}}`,
		} {
			f.Add(doc, path)
		}
	}
	f.Fuzz(func(t *testing.T, doc, path string) {
		p, err := parsePlace(path)
		if err != nil || !p.hasWildcard() || strings.Count(path, "*") > 4 || strings.ContainsAny(path, `#\`) || !json.Valid([]byte(doc)) || !utf8.ValidString(doc+path) || strings.Contains(doc, `\u`) || twice(doc) {
			return
		}
		v, err := text.Decode([]byte(doc))
		if err != nil || !isObject(v) {
			return
		}
		made := p.removeAll(doc)
		got, err := text.Decode([]byte(made))
		if want := removeNaively(v, p.parts); err != nil || !cmp.Equal(want, got) {
			t.Errorf("%s at %s became %s: %v\n%s", doc, path, made, err, cmp.Diff(want, got))
		}
	})
}

// removeNaively removes what parts lead to in plain data.
func removeNaively(v any, parts []part) any {
	m, is := v.(map[string]any)
	if !parts[0].wildcard {
		one := naive{remove: true}
		if len(parts) == 1 {
			v, _ = one.at(v, true, []key{{parts[0].key, parts[0].forced}})
		} else if at := (key{parts[0].key, parts[0].forced}); is && m[at.name] != nil {
			m[at.name] = removeNaively(m[at.name], parts[1:])
		} else if list, is := v.([]any); is && at.isIndex() && len(at.name) <= maxDigits {
			if i, _ := strconv.Atoi(at.name); i < len(list) {
				list[i] = removeNaively(list[i], parts[1:])
			}
		}
		return v
	}
	for name, below := range m {
		switch {
		case !glob([]rune(parts[0].read), []rune(name)):
		case len(parts) == 1:
			delete(m, name)
		default:
			m[name] = removeNaively(below, parts[1:])
		}
	}
	return v
}

// glob reports whether a pattern with * and ? matches.
func glob(pattern, text []rune) bool {
	switch {
	case len(pattern) == 0:
		return len(text) == 0
	case pattern[0] == '*':
		return glob(pattern[1:], text) || len(text) > 0 && glob(pattern, text[1:])
	case len(text) == 0 || pattern[0] != '?' && pattern[0] != text[0]:
		return false
	}
	return glob(pattern[1:], text[1:])
}

func isObject(v any) bool { _, is := v.(map[string]any); return is }

func check(t *testing.T, doc string, n naive, keys []key, made string, err error) {
	t.Helper()
	before, _ := text.Decode([]byte(doc))
	want, ok := n.at(before, true, keys)
	if ok != (err == nil) {
		t.Fatalf("%s at %v: error %v", doc, keys, err)
	}
	if err != nil {
		return
	}
	r := run{left: text.NewAllowance(), self: read(doc)}
	if err := r.replaceDoc(made, keys); err != nil || r.self != nil && !cmp.Equal(read(made), r.self) {
		t.Errorf("%s at %v: %v\n%s", doc, keys, err, cmp.Diff(read(made), r.self))
	}
	if got, err := text.Decode([]byte(made)); err != nil || !cmp.Equal(want, got) {
		t.Errorf("%s at %v became %s: %v\n%s", doc, keys, made, err, cmp.Diff(want, got))
	}
}

func read(doc string) map[string]any {
	v, _ := text.Decode([]byte(doc))
	m, _ := v.(map[string]any)
	return m
}

// twice reports whether an object has a key twice: there libraries differ.
func twice(doc string) bool {
	var v any
	return json.Unmarshal([]byte(doc), &v) != nil || countKeys(v) != strings.Count(withoutStrings(doc), ":")
}

func countKeys(v any) (n int) {
	switch v := v.(type) {
	case map[string]any:
		for _, part := range v {
			n += 1 + countKeys(part)
		}
	case []any:
		for _, part := range v {
			n += countKeys(part)
		}
	}
	return n
}

// withoutStrings is a document without its strings.
func withoutStrings(doc string) string {
	var out strings.Builder
	quoted := false
	for i := 0; i < len(doc); i++ {
		switch {
		case quoted && doc[i] == '\\':
			i++
		case doc[i] == '"':
			quoted = !quoted
		case !quoted:
			out.WriteByte(doc[i])
		}
	}
	return out.String()
}

// FuzzTexts reads any document by any path: the call returns, and its results are bounded by the document.
func FuzzTexts(f *testing.F) {
	for _, path := range []string{"a", "a.#", "a.#.b", "a.#(b==1)#.c|0", `a.#(b.#(c=="x")).d`, "a|#.b|#", "*.?", `#(a=="|@tostr|@tostr")`, "a.#[b=1]#", "#.#.#.#"} {
		f.Add(`{"a": [{"b": 1, "c": "[1]"}, {"b": [1, {"c": "x"}]}], "x": "y"}`, path)
	}
	f.Fuzz(func(t *testing.T, doc, path string) {
		if !json.Valid([]byte(doc)) {
			return
		}
		total := 0
		for _, s := range Texts([]byte(doc), path) {
			total += len(s)
		}
		if most := 3*len(doc) + 400*(1+strings.Count(doc, "e")+strings.Count(doc, "E")); total > most {
			t.Errorf("%d bytes from a document of %d", total, len(doc))
		}
	})
}

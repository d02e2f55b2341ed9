package objectdiff

import (
	"slices"
	"strings"

	"k8s.io/utils/ptr"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
	"github.com/waybill-dev/waybill/pkg/merge/secret"
)

// comparison collects the differences that a merge does not report: another order of named items, and annotations of tools.
type comparison struct {
	reported map[string]bool // fields that the merge reports
	secret   bool            // values are not to be shown
	found    []diff.Change
}

// BeyondMerge are the differences that fields, the changes that a merge reports, do not contain.
func BeyondMerge(fields []diff.Change, from, to *krm.Object) []diff.Change {
	return compare(fields, from, to).found
}

func compare(fields []diff.Change, from, to *krm.Object) *comparison {
	u := &comparison{reported: map[string]bool{}, secret: secret.Contains("", from.Node()) || secret.Contains("", to.Node())}
	for _, f := range fields {
		u.reported[f.Field] = true
	}
	u.annotations(from.Lookup("metadata", "annotations"), to.Lookup("metadata", "annotations"))
	u.orders("", from.Node(), to.Node())
	return u
}

func (u *comparison) add(field string, kind diff.Kind, from, to *string) {
	if u.reported[field] {
		return
	}
	for _, v := range []**string{&from, &to} {
		if *v != nil && u.secret {
			*v = ptr.To(secret.Hidden)
		}
	}
	u.found = append(u.found, diff.Change{Field: field, Kind: kind, From: from, To: to})
}

func (u *comparison) annotations(from, to *yaml.Node) {
	const all = "metadata.annotations"
	if u.reported[all] || u.reported["metadata"] {
		return
	}
	was, is := valuesOf(from), valuesOf(to)
	for name, v := range was {
		field := below(all, name)
		switch now, stays := is[name]; {
		case !stays:
			u.add(field, diff.Removed, short(v), nil)
		case now != v:
			u.add(field, diff.Changed, short(v), short(now))
		}
	}
	for name, v := range is {
		if _, known := was[name]; !known {
			u.add(below(all, name), diff.Added, nil, short(v))
		}
	}
}

func valuesOf(n *yaml.Node) map[string]string {
	out := map[string]string{}
	if n = krm.Deref(n); n != nil && n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if v := krm.Deref(n.Content[i+1]); v.Kind == yaml.ScalarNode {
				out[n.Content[i].Value] = v.Value
			}
		}
	}
	return out
}

// longest is how much of a value is reported, in characters.
const longest = 200

func short(text string) *string {
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "…"
	}
	return &text
}

// below is the path of a field, as a merge writes it.
func below(path, name string) string {
	switch {
	case strings.ContainsAny(name, "./[]"):
		return path + "[" + name + "]"
	case path == "":
		return name
	}
	return path + "." + name
}

// orders finds lists whose items come in another order, below two nodes of the same place.
func (u *comparison) orders(path string, from, to *yaml.Node) {
	from, to = krm.Deref(from), krm.Deref(to)
	switch {
	case from == nil || to == nil || from.Kind != to.Kind || u.reported[path] && path != "":
	case from.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(from.Content); i += 2 {
			name := from.Content[i].Value
			if v := krm.Lookup(to, name); v != nil {
				u.orders(below(path, name), from.Content[i+1], v)
			}
		}
	case from.Kind == yaml.SequenceNode:
		u.order(path, from, to)
	}
}

func (u *comparison) order(path string, from, to *yaml.Node) {
	identity := u.identity(path)
	was, is := byIdentity(identity, from), byIdentity(identity, to)
	if was == nil || is == nil {
		return
	}
	var before, after []string
	for _, n := range from.Content {
		name := identity(n)
		if is[name] != nil {
			before = append(before, name)
			u.orders(path+"["+name+"]", n, is[name])
		}
	}
	for _, n := range to.Content {
		if name := identity(n); was[name] != nil {
			after = append(after, name)
		}
	}
	if !slices.Equal(before, after) {
		u.add(path, diff.Moved, joinNames(before), joinNames(after))
	}
}

func joinNames(names []string) *string {
	for i, name := range names {
		names[i] = strings.TrimPrefix(name, "name=")
	}
	return short("[" + strings.Join(names, ", ") + "]")
}

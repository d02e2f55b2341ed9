package schema

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed lists.txt
var table string

// Builtin returns the type of a kind of Kubernetes, nil for others and for kinds without a list that merges.
func Builtin(apiVersion, kind string) *Type { return builtin()[apiVersion+" "+kind] }

var builtin = sync.OnceValue(func() map[string]*Type { return parse(table) })

// parse reads a table. A line has four words: "<apiVersion> <kind> = <type>" names the type of a kind,
// "<type> <field> <form> <type>" that of a field. The form is "." for a value of that type, "{}" for a
// map of them, "[key,key]" for a list of them that merges by these keys, and "[]" for a set, of no type.
func parse(table string) map[string]*Type {
	kinds, types := map[string]*Type{}, map[string]*Type{"-": nil}
	named := func(name string) *Type {
		if t, ok := types[name]; ok {
			return t
		}
		types[name] = Map(map[string]*Type{})
		return types[name]
	}
	for line := range strings.Lines(table) {
		w := strings.Fields(line)
		if w[2] == "=" {
			kinds[w[0]+" "+w[1]] = named(w[3])
			continue
		}
		named(w[0]).fields[w[1]] = formed(w[2], named(w[3]))
	}
	return kinds
}

// formed returns the type of a field with that form.
func formed(form string, of *Type) *Type {
	switch form {
	case ".":
		return of
	case "{}":
		return &Type{others: of}
	case "[]":
		return List(of)
	}
	return List(of, strings.Split(strings.Trim(form, "[]"), ",")...)
}

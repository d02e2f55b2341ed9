package engine

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/Masterminds/sprig/v3"

	"github.com/waybill-dev/waybill/pkg/template"
)

// function is one that templates can call.
type function struct {
	// make returns the function for a run.
	make func(r *run) any
	// cost checks arguments beside what reading them costs.
	cost func(r *run, args []any) error
	// reads is how much of its arguments it reads.
	reads reading
}

// reading is how much of its arguments a function reads.
type reading int

const (
	deep    reading = iota // everything
	prints                 // everything, and makes text of it
	shallow                // values themselves and their direct parts
	nothing                // draws its costs by itself
)

// builtins are the functions of text/template that templates can call as they are.
const builtins = `and or not lt le gt ge len index call`

// sprigs are the functions of sprig.
var sprigs = sync.OnceValue(sprig.TxtFuncMap)

var (
	// functionsByName returns all functions that templates can call, except builtins.
	functionsByName func() map[string]*function
	// names returns all names for the parser.
	names func() map[string]any
)

func init() { // tpl needs both, and is one of them
	functionsByName = sync.OnceValue(allFunctions)
	names = sync.OnceValue(allNames)
}

func allNames() map[string]any {
	all := map[string]any{}
	for name := range functionsByName() {
		all[name] = true
	}
	for name := range strings.FieldsSeq(builtins) {
		all[name] = true
	}
	return all
}

func allFunctions() map[string]*function {
	all := map[string]*function{}
	for name, f := range sprigs() {
		all[name] = simple(f)
	}
	delete(all, "env") // Helm has neither
	delete(all, "expandenv")
	for _, more := range []map[string]*function{ownFunctions(), encodings(), durations(), clocks(), randoms(), regexes()} {
		maps.Copy(all, more)
	}
	for name, cost := range template.Costs() {
		forms(all, name, func(f *function) { f.cost = func(r *run, args []any) error { return cost(r, args) } })
	}
	for name, cost := range moreCosts {
		forms(all, name, func(f *function) { f.cost = both(f.cost, cost) })
	}
	for reads, names := range map[reading]string{prints: printing, shallow: shallowly, nothing: unread} {
		for name := range strings.FieldsSeq(names) {
			forms(all, name, func(f *function) { f.reads = reads })
		}
	}
	return all
}

const (
	// printing are functions that make text of any value.
	printing = `print println printf html js urlquery toString quote squote cat join toStrings sortAlpha`
	// shallowly are functions that read only what is at the top of a value.
	shallowly = `default empty coalesce all any compact ternary typeOf typeIs typeIsLike kindOf kindIs tuple list get set unset hasKey pluck
		pick omit keys values append push prepend first rest last initial reverse slice concat dig required lookup eq ne`
	// unread are functions whose arguments cost nothing, or that draw their costs by themselves.
	unread = `include tpl dict toYaml merge mergeOverwrite regexMatch regexFind regexFindAll regexSplit regexReplaceAll regexReplaceAllLiteral`
)

// makesText are the functions whose result is a text.
var makesText = sync.OnceValue(func() map[string]bool {
	is := map[string]bool{}
	for name := range strings.FieldsSeq(`include tpl toYaml mustToYaml toYamlPretty toJson mustToJson toPrettyJson toRawJson toToml quote
		squote indent nindent trunc trim trimSuffix trimPrefix trimAll upper lower title replace printf print println join b64enc b64dec sha256sum
		toString cat repeat contains hasPrefix hasSuffix kebabcase snakecase camelcase int int64 add sub mul`) {
		is[name] = true
	}
	return is
})

// both draws two costs.
func both(first, second func(*run, []any) error) func(*run, []any) error {
	if first == nil {
		return second
	}
	return func(r *run, args []any) error {
		if err := first(r, args); err != nil {
			return err
		}
		return second(r, args)
	}
}

// forms changes a function and its must form.
func forms(all map[string]*function, name string, set func(*function)) {
	set(all[name])
	if must := all["must"+strings.ToUpper(name[:1])+name[1:]]; must != nil {
		set(must)
	}
}

// functionsAmong are the functions among names, in order.
func functionsAmong(names map[string]bool) (found []string) {
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if functionsByName()[name] != nil {
			found = append(found, name)
		}
	}
	return found
}

func simple(f any) *function { return &function{make: func(*run) any { return f }} }

// ownFunctions are functions of Helm, and those whose versions in sprig or text/template depend on more than their arguments or
// cannot be limited by a wrapper.
func ownFunctions() map[string]*function {
	all := map[string]*function{
		"include": {make: func(r *run) any { return r.include }}, "tpl": {make: func(r *run) any { return r.tpl }},
		"required": simple(required), "fail": simple(fail),
		"lookup":        simple(func(_, _, _, _ string) map[string]any { return map[string]any{} }),
		"getHostByName": simple(func(string) string { return "" }),
		"keys":          simple(template.Keys), "values": simple(template.Values), // in order
		"osBase": simple(path.Base), "osDir": simple(path.Dir), "osClean": simple(path.Clean), "osExt": simple(path.Ext),
		"osIsAbs": simple(path.IsAbs),
		"printf":  {make: func(r *run) any { return r.printf }},
		"eq":      {make: func(r *run) any { return r.equal }}, "ne": {make: func(r *run) any { return r.unequal }},
	}
	for name, f := range template.Printers() {
		all[name] = simple(f)
	}
	return all
}

// message is what a chart says to its user.
type message struct{ text string }

func (m *message) Error() string { return m.text }

func fail(text string) (string, error) { return "", &message{text} }

func required(text string, v any) (any, error) {
	if v == nil || v == "" {
		return v, &message{text}
	}
	return v, nil
}

// printf is fmt.Sprintf within limits.
func (r *run) printf(format string, args ...any) (string, error) {
	m, err := r.measure(true, args...)
	if err != nil {
		return "", err
	}
	if err := template.CheckPrintf(format, args, m.parts, m.bytes); err != nil {
		return "", err
	}
	return sprintf(format, args), nil
}

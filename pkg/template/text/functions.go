package text

import (
	"fmt"
	"maps"
	"path"
	"strings"
	"sync"

	"github.com/Masterminds/semver/v3"
	"github.com/Masterminds/sprig/v3"

	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/template"
)

// fromSprig are sprig's functions that templates can call, within the limits of cost.go. Functions that depend on the clock,
// the time zone, the environment, the network or random numbers, or that make keys, are left out.
const fromSprig = `
	abbrev abbrevboth trunc trim upper lower title untitle substr repeat trimall trimAll trimSuffix trimPrefix nospace initials
	swapcase snakecase camelcase kebabcase wrap wrapWith contains hasPrefix hasSuffix quote squote cat indent nindent replace
	plural sha1sum sha256sum sha512sum adler32sum toString hello
	atoi int64 int float64 seq toDecimal split splitList splitn toStrings until untilStep
	add1 add sub div mod mul add1f addf subf divf mulf biggest max min maxf minf ceil floor round
	join sortAlpha default empty coalesce all any compact mustCompact
	toJson toPrettyJson toRawJson mustToJson mustToPrettyJson mustToRawJson ternary
	typeOf typeIs typeIsLike kindOf kindIs deepEqual
	base dir clean ext isAbs b64enc b64dec b32enc b32dec duration durationRound decryptAES
	tuple list dict get set unset hasKey pluck pick omit merge mergeOverwrite mustMerge mustMergeOverwrite
	append push mustAppend mustPush prepend mustPrepend first mustFirst rest mustRest last mustLast initial mustInitial
	reverse mustReverse uniq mustUniq without mustWithout has mustHas slice mustSlice concat dig chunk mustChunk
	semver semverCompare regexQuoteMeta urlParse urlJoin`

// builtins are the functions of text/template that templates can call as they are. They do not include call, since data hold no
// functions, and those that make text.
const builtins = `and or not eq ne lt le gt ge len index`

// functionsByName are all functions that templates can call, except builtins.
var functionsByName = sync.OnceValue(func() map[string]*function {
	all := map[string]*function{}
	library := sprig.TxtFuncMap()
	for name := range strings.FieldsSeq(fromSprig) {
		all[name] = simple(library[name])
	}
	maps.Copy(all, ownFunctions())
	for name, cost := range costs() {
		forms(all, name, func(f *function) { f.cost = cost })
	}
	for level, names := range []string{"print println printf html js urlquery toString", "quote squote cat", "join toStrings sortAlpha"} {
		for name := range strings.FieldsSeq(names) {
			all[name].showsMissing = level + 1
		}
	}
	for _, name := range []string{"set", "unset", "merge", "mergeOverwrite"} {
		forms(all, name, func(f *function) { f.mutates = true })
	}
	return all
})

// forms changes a function and its must form.
func forms(all map[string]*function, name string, set func(*function)) {
	set(all[name])
	if must := all["must"+strings.ToUpper(name[:1])+name[1:]]; must != nil {
		set(must)
	}
}

// names are all names for the parser.
var names = sync.OnceValue(func() map[string]any {
	names := map[string]any{}
	for name := range functionsByName() {
		names[name] = true
	}
	for name := range strings.FieldsSeq(builtins) {
		names[name] = true
	}
	return names
})

func simple(f any) *function { return &function{make: func(*budget) any { return f }} }

// ownFunctions are functions that sprig and text/template lack, or whose versions there depend on more than their arguments
// or cannot be limited by a wrapper.
func ownFunctions() map[string]*function {
	all := map[string]*function{
		"sha3sum": simple(sha3sum), "sha3short": simple(sha3short), "shortHash": simple(shortHash),
		"fromJson": simple(fromJSON), "mustFromJson": simple(fromJSON),
		"deepCopy": simple(same), "mustDeepCopy": simple(same), // every result is a copy
		"keys": simple(template.Keys), "values": simple(template.Values), // in order
		"osBase": simple(path.Base), "osDir": simple(path.Dir), "osClean": simple(path.Clean), "osExt": simple(path.Ext),
		"osIsAbs": simple(path.IsAbs),
		"fail":    {make: func(b *budget) any { return b.fail }},
		"printf":  {make: func(b *budget) any { return b.printf }},
	}
	for name, f := range template.Printers() {
		all[name] = simple(f)
	}
	maps.Copy(all, regexFunctions())
	return all
}

func same(v any) any { return v }

func fromJSON(text string) (any, error) { return Decode([]byte(text)) }

// fail ends the template. Its message is shown only if it is a constant of the template; else it may be a value.
func (b *budget) fail(message string) (string, error) {
	if !b.messages[message] {
		return "", template.Refuse("it calls fail; what that says is not shown, because it may be a value")
	}
	return "", template.Refuse("it calls fail: %s", safetext.Cut(oneLine(message), maxMessage, "..."))
}

// printf is fmt.Sprintf within limits.
func (b *budget) printf(format string, args ...any) (string, error) {
	e, err := b.measure(args...)
	if err != nil {
		return "", err
	}
	if err := template.CheckPrintf(format, args, e.parts, e.bytes); err != nil {
		return "", err
	}
	for i, a := range args {
		if version, is := a.(*semver.Version); is { // else some verbs write its address
			args[i] = version.String()
		}
	}
	return fmt.Sprintf(format, args...), nil
}

package text

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
	"github.com/Masterminds/sprig/v3"

	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/template"
)

// kept are sprig's functions that are here as they are there, but for what price.go asks of them first. Those that look at
// the clock, the zone of the machine, the environment, the network or chance, or that make keys, are not here.
const kept = `
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

// builtins are text/template's own functions that are here as they are there: all but call, since data hold no
// functions, and those that make text.
const builtins = `and or not eq ne lt le gt ge len index`

// functionsByName are all that templates can call beside builtins.
var functionsByName = func() map[string]*function {
	all := map[string]*function{}
	theirs := sprig.TxtFuncMap()
	for name := range strings.FieldsSeq(kept) {
		all[name] = is(theirs[name])
	}
	maps.Copy(all, ours())
	for name, price := range prices {
		forms(all, name, func(f *function) { f.price = price })
	}
	for level, names := range []string{"print println printf html js urlquery toString", "quote squote cat", "join toStrings sortAlpha"} {
		for name := range strings.FieldsSeq(names) {
			all[name].shows = level + 1
		}
	}
	for _, name := range []string{"set", "unset", "merge", "mergeOverwrite"} {
		forms(all, name, func(f *function) { f.changes = true })
	}
	return all
}()

// forms sets something of a function and of its must form.
func forms(all map[string]*function, name string, set func(*function)) {
	set(all[name])
	if must := all["must"+strings.ToUpper(name[:1])+name[1:]]; must != nil {
		set(must)
	}
}

// names are what parsing knows.
var names = func() map[string]any {
	names := map[string]any{}
	for name := range functionsByName {
		names[name] = true
	}
	for name := range strings.FieldsSeq(builtins) {
		names[name] = true
	}
	return names
}()

func is(f any) *function { return &function{make: func(*budget) any { return f }} }

// ours are functions that sprig and text/template lack, or have in a way that depends on something else than their
// arguments or cannot be bounded from outside.
func ours() map[string]*function {
	all := map[string]*function{
		"sha3sum": is(sha3sum), "sha3short": is(sha3short), "shortHash": is(shortHash),
		"fromJson": is(fromJSON), "mustFromJson": is(fromJSON),
		"deepCopy": is(same), "mustDeepCopy": is(same), // what any function gives is a copy
		"keys": is(keys), "values": is(values), // in order
		"osBase": is(path.Base), "osDir": is(path.Dir), "osClean": is(path.Clean), "osExt": is(path.Ext), "osIsAbs": is(path.IsAbs),
		"fail": {make: func(b *budget) any { return b.fail }},
	}
	maps.Copy(all, printing())
	maps.Copy(all, matching())
	return all
}

func same(v any) any { return v }

// keys are the keys of dicts, those of each in order.
func keys(dicts ...map[string]any) []string {
	all := []string{}
	for _, d := range dicts {
		all = append(all, slices.Sorted(maps.Keys(d))...)
	}
	return all
}

// values are the values of a dict, in the order of their keys.
func values(dict map[string]any) []any {
	all := []any{}
	for _, key := range slices.Sorted(maps.Keys(dict)) {
		all = append(all, dict[key])
	}
	return all
}

func fromJSON(text string) (any, error) { return Decode([]byte(text)) }

// fail ends the template. What it says is told where it stands in the template so; else it may be a value.
func (b *budget) fail(message string) (string, error) {
	if !b.said[message] {
		return "", template.Refuse("it calls fail; what that says is not shown, because it may be a value")
	}
	return "", template.Refuse("it calls fail: %s", safetext.Cut(oneLine(message), maxSaid, "..."))
}

// printing are the functions that make text of anything.
func printing() map[string]*function {
	all := map[string]*function{"printf": {make: func(b *budget) any { return b.printf }}}
	for name, f := range template.Printers() {
		all[name] = is(f)
	}
	return all
}

// printf is fmt.Sprintf within bounds.
func (b *budget) printf(format string, args ...any) (string, error) {
	e, err := b.weigh(args...)
	if err != nil {
		return "", err
	}
	f := template.ScanFormat(format, "#0+- .")
	switch {
	case f.Address:
		return "", template.Refuse("printf writes no addresses: do not use %%p")
	case f.Padding > template.MaxPadding, f.Star && template.Widest(args) > template.MaxPadding:
		return "", template.Refuse("printf with a width or precision above %d", template.MaxPadding)
	}
	times := 1
	if f.Indexed { // an argument may be used many times
		times = max(f.Verbs, 1)
	}
	padding := f.Verbs * template.MaxPadding * min(f.Padded, 1)
	if len(format)+padding+times*template.MaxGrowth*(e.bytes+e.parts*24) > maxTransient {
		return "", errTooLong
	}
	for i, a := range args {
		if version, is := a.(*semver.Version); is { // else some verbs write its address
			args[i] = version.String()
		}
	}
	return fmt.Sprintf(format, args...), nil
}

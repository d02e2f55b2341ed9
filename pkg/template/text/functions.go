package text

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/Masterminds/sprig/v3"

	"github.com/waybill-dev/waybill/pkg/template"
)

// kept are sprig's functions that are here as they are there, but for what price.go asks of them first.
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

// left are sprig's functions that are not here: they look at the clock, the zone of the machine, the environment, the
// network or chance, or they make keys.
const left = `
	ago date date_in_zone date_modify dateInZone dateModify htmlDate htmlDateInZone must_date_modify mustDateModify mustToDate
	now toDate unixEpoch env expandenv getHostByName
	randAlphaNum randAlpha randAscii randNumeric randInt randBytes shuffle uuidv4
	bcrypt htpasswd derivePassword encryptAES buildCustomCert genPrivateKey
	genCA genCAWithKey genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey`

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
		all[name].price = price
	}
	for level, names := range []string{"print println printf html js urlquery toString", "quote squote cat", "join toStrings sortAlpha"} {
		for name := range strings.FieldsSeq(names) {
			all[name].shows = level + 1
		}
	}
	for _, name := range []string{"set", "unset", "merge", "mergeOverwrite", "mustMerge", "mustMergeOverwrite"} {
		all[name].changes = true
	}
	return all
}()

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
	return "", template.Refuse("it calls fail: %s", shortened(oneLine(message)))
}

func shortened(text string) string {
	if len(text) <= maxSaid {
		return text
	}
	return strings.ToValidUTF8(text[:maxSaid], "") + "..."
}

package text

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/Masterminds/sprig/v3"
	"github.com/google/go-cmp/cmp"
)

// excluded are sprig's functions that templates cannot call: they depend on the clock, the time zone, the environment, the network
// or random numbers, or they make keys.
const excluded = `
	ago date date_in_zone date_modify dateInZone dateModify htmlDate htmlDateInZone must_date_modify mustDateModify mustToDate
	now toDate unixEpoch env expandenv getHostByName
	randAlphaNum randAlpha randAscii randNumeric randInt randBytes shuffle uuidv4
	bcrypt htpasswd derivePassword encryptAES buildCustomCert genPrivateKey
	genCA genCAWithKey genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey`

// TestFunctionsAreDecided fails when the library has a new function: it belongs to those that are kept,
// if it depends on nothing but its arguments, with a cost if it makes more than it is given; or to those left out.
func TestFunctionsAreDecided(t *testing.T) {
	decided := map[string]bool{}
	for name := range strings.FieldsSeq(fromSprig + " " + excluded) {
		if decided[name] {
			t.Errorf("%s is decided twice", name)
		}
		decided[name] = true
	}
	for name := range ownFunctions() {
		decided[name] = true
	}
	library := sprig.TxtFuncMap()
	for name := range library {
		if !decided[name] {
			t.Errorf("%s is new: keep it or leave it out", name)
		}
	}
	for name := range strings.FieldsSeq(fromSprig + " " + excluded) {
		if library[name] == nil {
			t.Errorf("the library has no %s", name)
		}
	}
	for name := range strings.FieldsSeq(excluded) {
		if names()[name] != nil {
			t.Errorf("templates can call %s", name)
		}
	}
}

// TestExcludedAreDocumented wants each function that is left out on the page about what differs from kcp's sync agent.
func TestExcludedAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/sync.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(excluded) {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/sync.md lacks %s", name)
		}
	}
}

// TestFunctionSet is what templates can call, in all: each is a promise.
func TestFunctionSet(t *testing.T) {
	want := strings.Fields(`abbrev abbrevboth add add1 add1f addf adler32sum all and any append atoi b32dec b32enc b64dec b64enc base
		biggest camelcase cat ceil chunk clean coalesce compact concat contains decryptAES deepCopy deepEqual default dict dig dir
		div divf duration durationRound empty eq ext fail first float64 floor fromJson ge get gt has hasKey hasPrefix hasSuffix
		hello html indent index initial initials int int64 isAbs join js kebabcase keys kindIs kindOf last le len list lower lt max
		maxf merge mergeOverwrite min minf mod mul mulf mustAppend mustChunk mustCompact mustDeepCopy mustFirst mustFromJson
		mustHas mustInitial mustLast mustMerge mustMergeOverwrite mustPrepend mustPush mustRegexFind mustRegexFindAll
		mustRegexMatch mustRegexReplaceAll mustRegexReplaceAllLiteral mustRegexSplit mustRest mustReverse mustSlice mustToJson
		mustToPrettyJson mustToRawJson mustUniq mustWithout ne nindent nospace not omit or osBase osClean osDir osExt osIsAbs pick
		pluck plural prepend print printf println push quote regexFind regexFindAll regexMatch regexQuoteMeta regexReplaceAll
		regexReplaceAllLiteral regexSplit repeat replace rest reverse round semver semverCompare seq set sha1sum sha256sum sha3short
		sha3sum sha512sum shortHash slice snakecase sortAlpha split splitList splitn squote sub subf substr swapcase ternary title
		toDecimal toJson toPrettyJson toRawJson toString toStrings trim trimAll trimPrefix trimSuffix trimall trunc tuple typeIs
		typeIsLike typeOf uniq unset until untilStep untitle upper urlJoin urlParse urlquery values without wrap wrapWith`)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(names()))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

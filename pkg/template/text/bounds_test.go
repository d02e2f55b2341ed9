package text_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/template/text"
)

// patience is far more than any template may take, and memory what one may take: the race detector and a busy machine
// are slow.
const patience, memory = slow * 2 * time.Second, slow * 128 << 20

const doubling = `{{ $x := "0123456789abcdef" }}{{ range 40 }}{{ $x = `

var hostile = map[string]struct{ reason, template string }{
	"Endless":        {"a loop with nothing in it", `{{ range 1000000000000 }}{{ end }}`},
	"Nested":         {"loops in loops", `{{ range 1000000 }}{{ range 1000000 }}x{{ end }}{{ end }}`},
	"Recursive":      {"a template that calls itself", `{{ define "x" }}{{ template "x" }}{{ end }}{{ template "x" }}`},
	"Tree":           {"and twice", `{{ define "x" }}{{ if . }}{{ template "x" (sub . 1) }}{{ template "x" (sub . 1) }}{{ end }}{{ end }}{{ template "x" 60 }}`},
	"Repeat":         {"a billion", `{{ repeat 1000000000 "x" }}`},
	"RepeatOverflow": {"a product beyond all integers", `{{ repeat 4611686018427387904 "xxxx" }}`},
	"Until":          {"", `{{ until 1000000000 }}`},
	"UntilBelow":     {"", `{{ until -1000000000 }}`},
	"UntilStep":      {"", `{{ untilStep 0 9223372036854775807 1 }}`},
	"UntilWrap":      {"steps that overflow", `{{ untilStep 0 9223372036854775807 9223372036854775806 }}{{ untilStep 9223372036854775800 9223372036854775807 5 | len | repeat 1000000 }}`},
	"Seq":            {"", `{{ seq 1 1000000000 }}`},
	"Seq3":           {"", `{{ seq 0 1 1000000000 }}`},
	"Indent":         {"", `{{ indent 1000000000 "x" }}`},
	"IndentLines":    {"", `{{ nindent 1000 (repeat 1000 "\n") }}`},
	"Printf":         {"", `{{ printf "%1000000000d" 1 }}`},
	"PrintfStar":     {"", `{{ printf "%*d" 1000000000 1 }}`},
	"PrintfIndexed":  {"", `{{ $x := repeat 100000 "x" }}{{ printf "` + strings.Repeat("%[1]s", 1000) + `" $x }}`},
	"PrintfMany":     {"", `{{ printf "` + strings.Repeat("%1000[1]d", 1000) + `" 1 }}`},
	"PrintfAddress":  {"an address is another one every time", `{{ printf "%p" .Object }}`},
	"PrintfAddress2": {"wherever it hides", `{{ printf "%-5.3p" (list 1) }}`},
	"Doubling":       {"a text that doubles", doubling + `printf "%s%s" $x $x }}{{ end }}`},
	"DoublingPrint":  {"", doubling + `print $x $x }}{{ end }}`},
	"DoublingJoin":   {"", doubling + `join $x (list $x $x) }}{{ end }}`},
	"DoublingCat":    {"", doubling + `cat $x $x }}{{ end }}`},
	"DoublingQuote":  {"escapes of escapes", doubling + `quote $x $x }}{{ end }}`},
	"DoublingJson":   {"", doubling + `toJson (list $x $x) }}{{ end }}`},
	"DoublingHex":    {"", doubling + `printf "%x" $x }}{{ end }}`},
	"DoublingB64":    {"", doubling + `b64enc (b32enc $x) }}{{ end }}`},
	"DoublingRegex":  {"", doubling + `regexReplaceAll "." $x "$0$0" }}{{ end }}`},
	"DoublingEach":   {"", doubling + `regexReplaceAll "" $x $x }}{{ end }}`},
	"DoublingQuoteR": {"", doubling + `regexQuoteMeta (replace "0" "...." $x) }}{{ end }}`},
	"DoublingList":   {"a list of itself", `{{ $x := list 1 }}{{ range 40 }}{{ $x = list $x $x }}{{ end }}{{ $x }}`},
	"DoublingConcat": {"", `{{ $x := list 1 }}{{ range 40 }}{{ $x = concat $x $x }}{{ end }}{{ $x }}`},
	"DoublingDict":   {"", `{{ $x := dict }}{{ range 40 }}{{ $x = dict "a" $x "b" $x }}{{ end }}{{ $x }}`},
	"DoublingSet":    {"a dict in itself", `{{ $x := dict "a" 1 }}{{ range $i := 40 }}{{ $_ := set $x (toString $i) $x }}{{ end }}{{ $x }}`},
	"GrowBehind":     {"a part that grows after it was weighed", `{{ $d := dict }}{{ $l := list $d }}{{ range 12 }}{{ $l = concat $l $l }}{{ end }}{{ $_ := set $d "a" (until 9999) }}{{ range 9 }}{{ $l = list $l $l }}{{ end }}{{ $l }}`},
	"DeepList":       {"a list in a list in a list", `{{ $x := list }}{{ range 100000 }}{{ $x = list $x }}{{ end }}{{ $x }}`},
	"DeepSet":        {"from the inside", `{{ $d := dict }}{{ $in := $d }}{{ range 100000 }}{{ $_ := set $in "a" (dict) }}{{ $in = $in.a }}{{ end }}{{ $d }}`},
	"DeepMerge":      {"", `{{ $d := dict }}{{ range 100000 }}{{ $d = merge (dict) (dict "a" $d) }}{{ end }}{{ $d }}`},
	"Append":         {"a list that grows", `{{ $x := list }}{{ range 1000000 }}{{ $x = append $x "0123456789" }}{{ end }}`},
	"Keep":           {"texts that are kept", `{{ $x := list }}{{ range 1000 }}{{ $x = append $x (repeat 200000 "x") }}{{ end }}`},
	"Make":           {"texts that are not", `{{ range 100000 }}{{ $_ := repeat 200000 "x" }}{{ end }}`},
	"Output":         {"a text that is written", `{{ range 100000 }}0123456789{{ end }}`},
	"OutputValue":    {"", `{{ $x := repeat 1000 "x" }}{{ range 100000 }}{{ $x }}{{ end }}`},
	"Wrap":           {"a separator after each letter", `{{ wrapWith 1 (repeat 1000 "y") (repeat 1000 "x") }}`},
	"Replace":        {"", `{{ replace "x" (repeat 1000 "y") (repeat 1000 "x") }}`},
	"ReplaceEmpty":   {"", `{{ replace "" (repeat 1000 "y") (repeat 1000 "x") }}`},
	"Split":          {"", `{{ split "" (repeat 200000 "x") }}`},
	"SplitList":      {"", `{{ splitList "x" (repeat 200000 "x") }}`},
	"Splitn":         {"", `{{ splitn "x" -1 (repeat 200000 "x") }}`},
	"Join":           {"", `{{ join (repeat 1000 "x") (until 1000) }}`},
	"Uniq":           {"each with each", `{{ range 100 }}{{ $_ := uniq (until 9999) }}{{ end }}`},
	"Without":        {"", `{{ range 1000 }}{{ $_ := without (until 9999) ` + strings.Repeat("-1 ", 1000) + ` }}{{ end }}`},
	"Trim":           {"each letter with each", `{{ $x := repeat 100000 "éx" }}{{ range 100 }}{{ $_ := trimAll $x $x }}{{ end }}`},
	"RegexText":      {"a pattern with many states over a long text", `{{ regexMatch "(x+x+)+(x+x+)+(x+x+)+y" (repeat 200000 "x") }}{{ range 1000 }}{{ $_ := regexMatch "(x?){500}x{500}" (repeat 9000 "x") }}{{ end }}`},
	"RegexStates":    {"", `{{ regexMatch "((((x{100}){10}))){1000}" "x" }}`},
	"RegexCompile":   {"patterns that are compiled over and over", `{{ range 100000 }}{{ $_ := regexMatch "(x?){500}" "" }}{{ end }}`},
	"RegexAll":       {"", `{{ regexFindAll "" (repeat 200000 "x") -1 }}`},
	"RegexSplit":     {"", `{{ regexSplit "" (repeat 200000 "x") -1 }}`},
	"RegexLiteral":   {"", `{{ regexReplaceAllLiteral "" (repeat 20000 "x") (repeat 20000 "x") }}`},
	"Pretty":         {"spaces in front of everything", `{{ $x := until 9999 }}{{ range 90 }}{{ $x = list $x }}{{ end }}{{ toPrettyJson $x }}`},
	"Chunk":          {"", `{{ chunk 0 (until 9) }}`},
	"FromJson":       {"", `{{ fromJson (repeat 100000 "[") }}`},
	"FromJsonDeep":   {"", `{{ fromJson (print (repeat 5000 "[") (repeat 5000 "]")) }}`},
	"Digits":         {"a number of a million digits", `{{ $x := 1e-300 }}{{ divf ` + strings.Repeat("$x ", 3000) + `}}`},
	"Version":        {"", `{{ semver (repeat 100000 "1") }}`},
	"Constraint":     {"", `{{ semverCompare (repeat 10000 ">1||") "1.0.0" }}`},
	"Declared":       {"", strings.Repeat(`{{ $x := 1 }}`, 201)},
	"Compare":        {"an error that quotes all of a value", `{{ $x := until 9999 }}{{ $x = list $x $x }}{{ eq $x $x }}`},
	"Shuffle":        {"dicts are sorted over and over", `{{ $d := dict }}{{ range until 2000 }}{{ $_ := set $d (toString .) 1 }}{{ end }}`},
	"Invalid":        {"bytes that are no text", `{{ b64dec "/w==" }}`},
	"TruncRune":      {"half a letter", `{{ trunc 1 "é" }}`},
	"NoPanic":        {"a function that panics", `{{ first 1 }}`},
	"NoPanicNil":     {"", `{{ concat .x }}`},
	"NoPanicDivide":  {"", `{{ div 1 0 }}`},
	"NoPanicRepeat":  {"", `{{ repeat -1 "x" }}`},
	"NoPanicSubstr":  {"", `{{ substr 9 3 "x" }}`},
	"NoPanicFloat":   {"", `{{ mulf 1e308 1e308 | mulf 1 }}`},
	"NoPanicDig":     {"", `{{ dig 1 2 }}`},
	"NoPanicIndent":  {"", `{{ indent -5 "x" }}`},
	"NoPanicSet":     {"", `{{ set .x "a" 1 }}`},
	"Call":           {"there is nothing to call", `{{ .Object.metadata.name.Foo }}`},
	"Fail":           {"", `{{ fail "no" }}`},
	"Length":         {"", `{{ sha3short "x" 0 }}`},
	"LengthBelow":    {"", `{{ sha3short "x" -1 }}`},
	"HashOfMap":      {"", `{{ sha3short .Object }}`},
}

func TestHostileTemplates(t *testing.T) {
	for name, tc := range hostile {
		t.Run(name, func(t *testing.T) {
			compiled, err := text.Compile("template", tc.template)
			if err != nil {
				return // is as good
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			got, err := compiled.Execute(t.Context(), data(t))
			took := time.Since(began)
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Errorf("%s: it gave %d bytes", tc.reason, len(got.Trimmed))
			}
			if taken := after.TotalAlloc - before.TotalAlloc; took > patience || taken > memory {
				t.Errorf("%s: it took %v and %d MiB", tc.reason, took, taken>>20)
			}
			t.Logf("%v, %d MiB: %v", took, (after.TotalAlloc-before.TotalAlloc)>>20, err)
		})
	}
}

// TestTheSameEveryTime is about bounds that do not depend on how fast the machine is.
func TestTheSameEveryTime(t *testing.T) {
	for name, tc := range hostile {
		compiled, err := text.Compile("template", tc.template)
		if err != nil {
			continue
		}
		_, first := compiled.Execute(t.Context(), data(t))
		_, second := compiled.Execute(t.Context(), data(t))
		if first.Error() != second.Error() {
			t.Errorf("%s: first %v, then %v", name, first, second)
		}
	}
}

func TestRefusedTemplates(t *testing.T) {
	for _, template := range []string{
		"{{", "{{ .a", "{{ end }}", "{{ env \"HOME\" }}", "{{ now }}", "{{ randAlpha 5 }}", "{{ uuidv4 }}", "{{ genPrivateKey \"rsa\" }}", "{{ call .f }}",
		"{{ tpl .a . }}", "{{ include \"a\" . }}", "{{ guardPrint 1 }}", "{{ shuffle \"ab\" }}", strings.Repeat("x", 10_241),
	} {
		if _, err := text.Compile("template", template); err == nil {
			t.Errorf("%.40q compiles", template)
		} else if len(err.Error()) > 600 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: too long an error: %v", template, err)
		}
	}
	if _, err := text.Compile("template", strings.Repeat("é", 10_240)); err != nil {
		t.Errorf("the bound is in characters, as the type says: %v", err)
	}
}

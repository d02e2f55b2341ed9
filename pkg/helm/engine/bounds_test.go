package engine_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/helm/engine"
)

// patience is far more than any chart may take, and memory what one may allocate: a busy machine is slow.
const patience, memory = 20 * time.Second, 4 << 30

const doubling = `{{ $x := "0123456789abcdef" }}{{ range 60 }}{{ $x = `

// hostile are templates that must end soon, with an error.
var hostile = map[string]struct{ reason, text string }{
	"Endless":        {"a loop with nothing in it", `{{ range 1000000000000 }}{{ end }}`},
	"Nested":         {"loops in loops", `{{ range 1000000 }}{{ range 1000000 }}x{{ end }}{{ end }}`},
	"Recursive":      {"a template that calls itself", `{{ define "x" }}{{ template "x" }}{{ end }}{{ template "x" }}`},
	"Include":        {"", `{{ define "x" }}{{ include "x" . }}{{ end }}{{ include "x" . }}`},
	"IncludeFile":    {"the file itself", `{{ include .Template.Name . }}`},
	"Tree":           {"a template that calls itself twice", `{{ define "x" }}{{ if . }}{{ include "x" (sub . 1) }}{{ include "x" (sub . 1) }}{{ end }}{{ end }}{{ include "x" 60 }}`},
	"Tpl":            {"a text that expands itself", `{{ $t := "{{ tpl .t . }}" }}{{ tpl $t (dict "t" $t) }}`},
	"TplTwice":       {"twice", `{{ $t := "{{ if .n }}{{ tpl .t (dict \"t\" .t \"n\" (sub .n 1)) }}{{ tpl .t (dict \"t\" .t \"n\" (sub .n 1)) }}{{ end }}" }}{{ tpl $t (dict "t" $t "n" 60) }}`},
	"TplLoop":        {"an endless loop in a text", `{{ tpl "{{ range 1000000000000 }}{{ end }}" . }}`},
	"TplMany":        {"another text each time", `{{ range $i := 10000000 }}{{ tpl (printf "{{ %d }}" $i) . }}{{ end }}`},
	"TplDefine":      {"a copy of all templates each time", `{{ range $i := 10000000 }}{{ tpl "{{ define \"q\" }}x{{ end }}" . }}{{ end }}`},
	"TplScopes":      {"scopes in scopes", `{{ $t := "{{ define \"q\" }}x{{ end }}{{ tpl .t . }}" }}{{ tpl $t (dict "t" $t) }}`},
	"TplNesting":     {"blocks in blocks", `{{ tpl (repeat 100000 "{{ if 1 }}") . }}`},
	"TplParens":      {"", `{{ tpl (printf "{{ %s" (repeat 100000 "(")) . }}`},
	"TplLong":        {"", `{{ tpl (repeat 5000000 "{{ 1 }}") . }}`},
	"Self":           {"a dict in itself", `{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ $d }}`},
	"SelfYAML":       {"", `{{ $_ := set .Values "d" .Values }}{{ toYaml .Values }}`},
	"SelfJSON":       {"", `{{ $_ := set . "d" . }}{{ toJson . }}`},
	"SelfCopy":       {"", `{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ deepCopy $d }}`},
	"SelfMerge":      {"", `{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ $e := dict }}{{ $_ := set $e "d" $e }}{{ merge $d $e }}`},
	"SelfEqual":      {"", `{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ $e := dict }}{{ $_ := set $e "d" $e }}{{ deepEqual $d $e }}`},
	"SelfCompare":    {"an error that quotes it", `{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ eq $d $d }}`},
	"SelfKey":        {"as a key", `{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ dict $d 1 }}`},
	"SelfRange":      {"in an error of range", `{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ range $d.d.d.d.d }}{{ indent . "x" }}{{ end }}{{ printf "%d" $d }}`},
	"SelfDefault":    {"", `{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ has $d (list $d) }}`},
	"SelfTernary":    {"in an error of reflection", `{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ index $d $d }}{{ upper $d }}{{ first $d }}`},
	"Doubling":       {"a text that doubles", doubling + `printf "%s%s" $x $x }}{{ end }}`},
	"DoublingPrint":  {"", doubling + `print $x $x }}{{ end }}`},
	"DoublingJoin":   {"", doubling + `join $x (list $x $x) }}{{ end }}`},
	"DoublingQuote":  {"", doubling + `quote $x $x }}{{ end }}`},
	"DoublingYAML":   {"", doubling + `toYaml (list $x $x) }}{{ end }}`},
	"DoublingTOML":   {"", doubling + `toToml (dict "a" $x "b" $x) }}{{ end }}`},
	"DoublingB64":    {"", doubling + `b64enc (b32enc $x) }}{{ end }}`},
	"DoublingRegex":  {"", doubling + `regexReplaceAll "." $x "$0$0" }}{{ end }}`},
	"DoublingTpl":    {"", doubling + `tpl "{{ . }}{{ . }}" $x }}{{ end }}`},
	"DoublingList":   {"a list of itself", `{{ $x := list 1 }}{{ range 60 }}{{ $x = list $x $x }}{{ end }}{{ $x }}`},
	"DoublingYAML2":  {"", `{{ $x := list 1 }}{{ range 60 }}{{ $x = list $x $x }}{{ end }}{{ toYaml $x }}`},
	"DoublingConcat": {"", `{{ $x := list 1 }}{{ range 60 }}{{ $x = concat $x $x }}{{ end }}`},
	"Merge":          {"a merge of what doubles", `{{ $x := dict }}{{ $y := dict }}{{ range 40 }}{{ $x = dict "a" $x "b" $x }}{{ $y = dict "a" $y "b" $y }}{{ end }}{{ $_ := merge $x $y }}`},
	"DeepDict":       {"a dict in a dict in a dict", `{{ $x := dict }}{{ range 100000 }}{{ $x = dict "a" $x }}{{ end }}{{ toYaml $x }}`},
	"FromYAMLDeep":   {"", `{{ fromYaml (printf "a: %s" (repeat 100000 "[")) | toYaml }}{{ fail "" }}`},
	"FromJSONDeep":   {"", `{{ fromJson (print "{\"a\":" (repeat 9000 "[") (repeat 9000 "]") "}") | toYaml }}`},
	"Bomb": {"aliases of aliases", `{{ $t := "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" }}{{ range $i := untilStep 1 9 1 }}{{ $p := printf "*a%d" (sub $i 1) }}` +
		`{{ $t = printf "%sa%d: &a%d [%s,%s,%s,%s,%s,%s,%s,%s,%s,%s]\n" $t $i $i $p $p $p $p $p $p $p $p $p $p }}{{ end }}{{ $y := fromYaml $t }}{{ if $y.Error }}{{ fail $y.Error }}{{ end }}`},
	"BombText":      {"aliases of a long text", `{{ $t := printf "a: &a %s\nb: [%s]\n" (repeat 100000 "x") (repeat 30000 "*a,") }}{{ $y := fromYaml $t }}{{ if $y.Error }}{{ fail $y.Error }}{{ end }}`},
	"TOML":          {"a text that takes long to read", `{{ range 100000 }}{{ $_ := fromToml (repeat 100000 "[a]\nb = 1\n") }}{{ end }}`},
	"Repeat":        {"a billion", `{{ repeat 1000000000 "x" }}`},
	"RepeatBelow":   {"", `{{ repeat -1 "x" }}`},
	"Until":         {"", `{{ until 1000000000 }}`},
	"UntilStep":     {"", `{{ untilStep 0 9223372036854775807 1 }}`},
	"Seq":           {"", `{{ seq 1 1000000000 }}`},
	"Indent":        {"", `{{ indent 1000000000 "x" }}`},
	"Printf":        {"", `{{ printf "%1000000000d" 1 }}`},
	"PrintfAddress": {"an address is another one every time", `{{ printf "%p" .Values }}`},
	"Keep":          {"texts that are kept", `{{ $x := list }}{{ range 100000 }}{{ $x = append $x (repeat 2000000 "x") }}{{ end }}`},
	"Output":        {"a text that is written", `{{ range 10000000 }}0123456789{{ end }}`},
	"Append":        {"a list that grows", `{{ $x := list }}{{ range 10000000 }}{{ $x = append $x "0123456789" }}{{ end }}`},
	"Set":           {"a dict that grows", `{{ $x := dict }}{{ range $i := 100000000 }}{{ $_ := set $x (toString $i) $x }}{{ end }}`},
	"Uniq":          {"each with each", `{{ range 1000 }}{{ $_ := uniq (until 50000) }}{{ end }}`},
	"Has":           {"", `{{ $l := until 100000 }}{{ range 100000 }}{{ $_ := has -1 $l }}{{ end }}`},
	"RegexText":     {"", `{{ range 1000 }}{{ $_ := regexMatch "(x?){500}x{500}" (repeat 9000 "x") }}{{ end }}`},
	"RegexStates":   {"", `{{ mustRegexMatch "((((x{100}){10}))){1000}" "x" }}`},
	"RegexCompile":  {"", `{{ range $i := 100000 }}{{ $_ := regexMatch (printf "(x?){500}%d" $i) "" }}{{ end }}`},
	"Derive":        {"a hash that is slow by purpose", `{{ range 1000 }}{{ derivePassword 1 "long" "p" "u" "s" }}{{ end }}`},
	"Version":       {"", `{{ semver (repeat 100000 "1") }}`},
	"Digits":        {"", `{{ $x := 1e-300 }}{{ range 100000 }}{{ $_ := divf ` + strings.Repeat("$x ", 3000) + `}}{{ end }}`},
	"Files":         {"a large file many times", `{{ range 10000000 }}{{ $_ := $.Files.Get "large" }}{{ end }}`},
	"FilesConfig":   {"", `{{ range 10000000 }}{{ $_ := $.Files.AsConfig }}{{ end }}`},
	"FilesNested":   {"as an argument", `{{ range 10000000 }}{{ $_ := len $.Files.AsSecrets }}{{ end }}`},
	"FilesLines":    {"", `{{ range 10000000 }}{{ $_ := $.Files.Lines "large" }}{{ end }}`},
	"Glob":          {"a pattern that takes long", `{{ .Files.Glob "*a*a*a*a*a*a*a*a*a*b" }}`},
	"GlobMany":      {"", `{{ range 10000000 }}{{ $_ := $.Files.Glob "**a**b**" }}{{ end }}`},
	"GlobNested":    {"", `{{ .Files.Glob "` + strings.Repeat("{a,", 80) + strings.Repeat("}", 80) + `" }}`},
	"Format":        {"a layout of a million bytes", `{{ $t := toDate "2006" "2017" }}{{ range 10000000 }}{{ $_ := $t.Format (repeat 1000000 "2006") }}{{ end }}`},
	"Variables":     {"each use searches all", strings.Repeat(`{{ $x := 1 }}`, 20000) + `{{ range 1000000 }}{{ $ }}{{ end }}`},
	"Environment":   {"", `{{ env "HOME" }}`},
	"Network":       {"there is no lookup", `{{ if not (lookup "v1" "Node" "" "") }}{{ fail (getHostByName "localhost") }}{{ end }}`},
	"Call":          {"", `{{ call .Values.name }}`},
	"Guard":         {"the functions of the guards", `{{ guardLeave }}`},
	"Nesting":       {"", strings.Repeat("{{ if 1 }}", 100_000)},
	"Parens":        {"", "{{ " + strings.Repeat("(", 100_000)},
	"ElseIf":        {"", "{{ if 1 }}" + strings.Repeat("{{ else if 1 }}", 100_000) + "{{ end }}"},
	"Long":          {"", strings.Repeat("x", engine.MaxFile+1)},
}

func TestHostileCharts(t *testing.T) {
	for name, tc := range hostile {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			got, err := renderLarge(tc.text)
			took := time.Since(began)
			runtime.ReadMemStats(&after)
			taken := after.TotalAlloc - before.TotalAlloc
			fault, is := errors.AsType[*engine.Error](err)
			if !is || fault.File != "web/templates/a.yaml" || fault.Line == 0 && name != "Long" {
				t.Errorf("%s: it gave %d bytes and %v", tc.reason, len(got), err)
			}
			if took > patience || taken > memory {
				t.Errorf("%s: it took %v and %d MiB", tc.reason, took, taken>>20)
			}
			t.Logf("%v, %d MiB: %.300v", took.Round(time.Millisecond), taken>>20, err)
		})
	}
}

// renderLarge has large files beside the template.
func renderLarge(text string) (string, error) {
	const name = "web/templates/a.yaml"
	compiled, err := engine.Compile([]engine.File{{Name: name, Data: []byte(text)}})
	if err != nil {
		return "", err
	}
	dot := testValues()
	dot["Files"] = engine.Files{"large": []byte(strings.Repeat("line\n", 200_000)), strings.Repeat("a", 300): nil}
	made, err := compiled.Render(func(string) map[string]any { return dot }, engine.Options{})
	return made[name], err
}

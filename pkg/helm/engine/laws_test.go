package engine_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/helm/engine"
)

// checkLaws holds for every chart and values: the same again gives the same, also from another parse and in other goroutines at the
// same time, and values stay as they are.
func checkLaws(t testing.TB, files []engine.File, values func() map[string]any, o engine.Options) (map[string]string, error) {
	t.Helper()
	compiled, err := engine.Compile(files)
	if err != nil {
		return nil, err
	}
	given, untouched := values(), values()
	dot := func(string) map[string]any { return given }
	first, err := compiled.Render(dot, o)
	same := func(what string, made map[string]string, again error) {
		if diff := cmp.Diff(first, made); diff != "" || (err == nil) != (again == nil) || err != nil && err.Error() != again.Error() {
			t.Errorf("%s: %v, then %v\n%s", what, err, again, diff)
		}
	}
	var running sync.WaitGroup
	for range 3 {
		running.Go(func() {
			made, again := compiled.Render(dot, o)
			same("in another goroutine", made, again)
		})
	}
	running.Wait()
	if diff := cmp.Diff(untouched, given, cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })); diff != "" {
		t.Errorf("values were changed:\n%s", diff)
	}
	other, again := engine.Compile(files)
	if again != nil {
		t.Fatal(again)
	}
	made, again := other.Render(func(string) map[string]any { return values() }, o)
	same("parsed again", made, again)
	return first, err
}

func TestLaws(t *testing.T) {
	chance := `{{ randAlphaNum 8 }} {{ randAlpha 8 }} {{ randNumeric 8 }} {{ randAscii 8 }} {{ randBytes 8 }} {{ randInt 1 9 }} {{ uuidv4 }} {{ shuffle "abcdefgh" }}`
	for name, text := range map[string]string{
		"Chance": chance, "Clock": `{{ now }} {{ ago 0 }} {{ date "2006" "x" }} {{ htmlDate nil }} {{ (now).Unix }}`,
		"Set":      `{{ $_ := set .Values "name" "other" }}{{ $_ := set .Values.map.a "x" 9 }}{{ $_ := merge .Values.map (dict "q" 1) }}{{ toYaml .Values }}`,
		"SetDot":   `{{ $_ := set . "More" 1 }}{{ $_ := unset .Values "list" }}{{ .More }}`,
		"SetText":  `{{ tpl "{{ $_ := set .Values \"name\" 1 }}" . }}{{ .Values.name }}`,
		"Sort":     `{{ sortAlpha .Values.list }}{{ sortAlpha .Chart.Keywords }}`,
		"Files":    `{{ $_ := merge (dict "Files" (.Files.Glob "bin")) . }}{{ .Files.AsConfig }}`,
		"Order":    `{{ keys .Values }} {{ values .Values.map }} {{ range $k, $v := .Values }}{{ $k }}{{ end }} {{ .Values }}`,
		"Tpl":      `{{ tpl "{{ define \"a\" }}x{{ .Values.name }}{{ end }}{{ include \"a\" . }}" . }}{{ tpl "{{ kebabcase .Values.name }}" . }}`,
		"Failure":  `{{ fail .Values.name }}`,
		"Failure2": `{{ range .Values.list }}{{ .x.y }}{{ end }}`,
		"Version":  `{{ semver "1.2.3" }} {{ list (semver "1.2.3") }} {{ printf "%d %v" (semver "1.2.3") (semver "1.2.3") }}`,
	} {
		t.Run(name, func(t *testing.T) {
			files := []engine.File{{Name: "web/templates/a.yaml", Data: []byte(text)}, {Name: "web/templates/b.yaml", Data: []byte(text)}}
			made, err := checkLaws(t, files, func() map[string]any {
				v := testValues()
				v["Chart"].(map[string]any)["Keywords"] = []string{"b", "a"}
				return v
			}, engine.Options{Seed: "s", Now: time.Unix(1_000_000_000, 5)})
			if (err != nil) != strings.HasPrefix(name, "Failure") || strings.Contains(made["web/templates/a.yaml"], "0xc0") {
				t.Errorf("got %v, %v", made, err)
			}
		})
	}
	for i := range 3 {
		if _, err := checkLaws(t, shop(t), func() map[string]any { return variant(t, i) }, engine.Options{}); err != nil {
			t.Error(err)
		}
	}
}

// TestSetIsSeen wants what a template sets to be there for later ones, as in Helm, and for no other Render.
func TestSetIsSeen(t *testing.T) {
	compiled, err := engine.Compile([]engine.File{
		{Name: "web/templates/b.yaml", Data: []byte(`{{ $_ := set .Values "name" "set" }}{{ $_ := set . "Mine" 1 }}`)},
		{Name: "web/templates/a.yaml", Data: []byte(`{{ .Values.name }} {{ .Mine }}`)}, // comes after b
	})
	if err != nil {
		t.Fatal(err)
	}
	dot := testValues()
	for range 2 {
		made, err := compiled.Render(func(string) map[string]any { return dot }, engine.Options{})
		if err != nil || made["web/templates/a.yaml"] != "set 1" {
			t.Errorf("got %q, %v", made, err)
		}
	}
	if dot["Values"].(map[string]any)["name"] != "shop" || dot["Mine"] != nil || dot["Template"] != nil {
		t.Errorf("values were changed: %v", dot)
	}
}

// TestSeed wants what a seed gives to depend on nothing but the file, the function, its arguments and how often they came before.
func TestSeed(t *testing.T) {
	draw := func(seed, text string) string {
		made, err := render(t, engine.Options{Seed: seed}, text)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	once := draw("s", `{{ randAlphaNum 20 }}`)
	if twice := strings.Fields(draw("s", `{{ randAlpha 3 }} {{ randAlphaNum 20 }} {{ randAlphaNum 20 }}`)); twice[1] != once || twice[2] == once {
		t.Errorf("%q, with other calls %q", once, twice)
	}
	if other := draw("t", `{{ randAlphaNum 20 }}`); other == once || len(other) != 20 {
		t.Errorf("two seeds give %q and %q", once, other)
	}
	const golden = "Pvd80wxTDE"
	if got := draw("s", `{{ randAlphaNum 10 }}`); got != golden {
		t.Errorf("a seed gives another text than it did: %q, want %q", got, golden)
	}
	if u := draw("s", `{{ uuidv4 }}`); len(u) != 36 || u[14] != '4' || !strings.ContainsRune("89ab", rune(u[19])) {
		t.Errorf("%q is no UUID of version 4", u)
	}
	if text := draw("s", `{{ range 200 }}{{ randInt 3 5 }}{{ end }}`); strings.Trim(text, "34") != "" || !strings.Contains(text, "3") || !strings.Contains(text, "4") {
		t.Errorf("randInt 3 5 gives %s", text)
	}
}

// TestClock wants the time of the options, in UTC.
func TestClock(t *testing.T) {
	now := time.Date(2026, 11, 26, 1, 2, 3, 4, time.FixedZone("CET", 3600))
	made, err := render(t, engine.Options{Now: now}, `{{ now | date "2006-01-02 15:04 MST" }} {{ ago 1795651200 }} {{ now }} {{ now | durationRound }}`)
	if want := "2026-11-26 00:02 UTC 2m3s 2026-11-26 00:02:03.000000004 +0000 UTC 0s"; err != nil || made != want {
		t.Errorf("got %q, %v, want %q", made, err, want)
	}
}

// TestRefusedFunctions wants each function that chance, the clock or the machine determines to be refused, with what to do.
func TestRefusedFunctions(t *testing.T) {
	never := map[string]string{
		"genPrivateKey": `"rsa"`, "genCA": `"ca" 365`, "genCAWithKey": `"ca" 365 "k"`, "genSelfSignedCert": `"a" nil nil 365`, "genSelfSignedCertWithKey": `"a" nil nil 365 "k"`,
		"genSignedCert": `"a" nil nil 365 "ca"`, "genSignedCertWithKey": `"a" nil nil 365 "ca" "k"`, "bcrypt": `"p"`, "htpasswd": `"u" "p"`, "encryptAES": `"k" "t"`,
	}
	seeded := map[string]string{
		"randAlphaNum": "5", "randAlpha": "5", "randNumeric": "5", "randAscii": "5", "randBytes": "5", "randInt": "1 5", "uuidv4": "", "shuffle": `"ab"`,
	}
	clock := map[string]string{"now": "", "ago": "0", "date": `"2006" ""`, "dateInZone": `"2006" "" "UTC"`, "htmlDate": `""`, "htmlDateInZone": `"" "UTC"`}
	seed, now := engine.Options{Seed: "s"}, engine.Options{Now: time.Unix(1, 0)}
	check := func(functions map[string]string, o engine.Options, say string) {
		t.Helper()
		for name, args := range functions {
			_, err := render(t, o, "\n{{ "+name+" "+args+" }}")
			if (say == "") != (err == nil) || err != nil && (!strings.HasPrefix(err.Error(), "web/templates/a.yaml:2:3: "+name) || !strings.Contains(err.Error(), say)) {
				t.Errorf("%s with %+v: %v", name, o, err)
			}
		}
	}
	check(never, seed, "make it once and pass it as a value")
	check(seeded, engine.Options{}, "set a value in place of it, or set a seed")
	check(seeded, seed, "")
	check(clock, seed, "set a value in place of it, or set the time")
	check(clock, now, "")
	check(map[string]string{"dateInZone": `"2006" 0 "Europe/Berlin"`}, now, "use the zone UTC")
	if made, err := render(t, engine.Options{}, `{{ if .Values.missing }}{{ genCA "ca" 365 }}{{ now }}{{ end }}ok`); err != nil || made != "ok" {
		t.Errorf("what is not called is not refused: %q, %v", made, err)
	}
}

package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const before = `# Speed

    make first

Some words.

    make one
    make two

<!-- measured; CI checks the ratios -->

| resources | run as | kpt | ratio |
|---:|---|---:|---:|
| 10 | linked in | 2 s | 12.0× |
| 1000 | linked in | 30 s | 30.0× |

Measured long ago.
<!-- end -->

    go test -bench Two

<!-- measured -->
<!-- end -->

The end.
`

const kptTable = "building\n| resources | run as | kpt | ratio |\n|---:|---|---:|---:|\n| 10 | linked in | 1.9 s | 9.0× |\n| 1000 | linked in | 31 s | 20.1× |\n"

const goBench = `goos: linux
BenchmarkTwo/clusters=10/one_field-2         	      20	   1234567 ns/op	        42.41 ×kpt	         3.500 MB-peak	 5000 B/op	       7 allocs/op
BenchmarkTwo/all-2   	      20	   99 ns/op	   123456 B/op	       7 allocs/op
PASS
`

func fake(outputs map[string]string) *page {
	return &page{progress: io.Discard, tries: 2, run: func(command string) (string, error) {
		out, ok := outputs[command]
		if !ok {
			return "", errors.New("no such command: " + command)
		}
		return out, nil
	}}
}

func pageFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestMeasure(t *testing.T) {
	name := pageFile(t, before)
	if err := fake(map[string]string{"make one\nmake two": kptTable, "go test -bench Two": goBench}).handle(name, "", false); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name) // #nosec G304 -- of the test
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "Measured on 2") {
			lines = append(lines, line)
		}
	}
	want := strings.NewReplacer(`| 10 | linked in | 2 s | 12.0× |
| 1000 | linked in | 30 s | 30.0× |

Measured long ago.
`, `| 10 | linked in | 1.9 s | 9.0× |
| 1000 | linked in | 31 s | 20.1× |


`, `<!-- measured -->
`, `<!-- measured -->

| benchmark | time | kpt | peak | allocated |
| --- | ---: | ---: | ---: | ---: |
| Two, clusters=10, one field | 1.23 ms | 42.4× | 3.50 MB | 5 kB |
| Two, all | 99 ns |  |  | 123 kB |


`, "|---:|---|---:|---:|", "| ---: | --- | ---: | ---: |").Replace(before)
	if d := cmp.Diff(want, strings.Join(lines, "")); d != "" {
		t.Error(d)
	}
}

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct{ reason, output, want string }{
		"holds":     {"a third less is allowed", kptTable, ""},
		"fell":      {"one ratio fell by more than a third", strings.Replace(kptTable, "9.0×", "7.9×", 1), `10, linked in: column "ratio" fell from 12.0× to 7.9×`},
		"both":      {"all that fell are listed", strings.NewReplacer("9.0×", "7.9×", "20.1×", "19.9×").Replace(kptTable), "1000, linked in: column"},
		"missing":   {"a row that is not measured any more is not a success", strings.Replace(kptTable, "| 1000", "| 999", 1), "1000, linked in: the command prints no such row any more"},
		"columns":   {"a column more does not shift the others", strings.NewReplacer("| kpt |", "| MB | kpt |", "---:|\n", "---:|---:|\n", "| 1.9 s", "| 5 MB | 1.9 s", "| 31 s", "| 5 MB | 31 s").Replace(kptTable), ""},
		"renamed":   {"a column that is gone is not a success", strings.Replace(kptTable, "| ratio |", "| other |", 1), `10, linked in: column "ratio": the command prints no ratio there, but ""`},
		"no number": {"a run that took no time is not a success", strings.Replace(kptTable, "9.0×", "NaN×", 1), `the command prints no ratio there, but "NaN×"`},
		"nothing":   {"the command prints no table", "done\n", "line 10: the command prints no table: there is no table with rows"},
	} {
		t.Run(name, func(t *testing.T) {
			err := fake(map[string]string{"make one\nmake two": c.output}).handle(pageFile(t, before), "", true)
			if got := message(err); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
			}
		})
	}
}

// TestCheckWithoutRatios checks that a section that CI checks fails if it has nothing to check, as does -only that matches nothing.
func TestCheckWithoutRatios(t *testing.T) {
	p := map[string]string{"make one\nmake two": kptTable}
	empty := "    make one\n    make two\n\n" + checkedMark + "\n" + endMark + "\n"
	for name, c := range map[string]struct {
		text, only string
		check      bool
		want       string
	}{
		"empty":            {empty, "", true, "line 4: there is no table with rows: measure it with make speed"},
		"no ratio":         {strings.NewReplacer("12.0×", "12 s", "30.0×", "30 s").Replace(before), "", true, "line 10: the table has no ratio, so that there is nothing to check: measure it with make speed"},
		"nothing chosen":   {before, "three", true, errNoSection.Error()},
		"nothing measured": {before, "three", false, errNoSection.Error()},
		"not checked":      {before, "Two", true, errNoSection.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			if err := fake(p).handle(pageFile(t, c.text), c.only, c.check); !strings.HasSuffix(message(err), c.want) || err == nil {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// TestUntouched checks that sections that are not chosen stay as they are, also empty ones.
func TestUntouched(t *testing.T) {
	text := "    make one\n\n" + checkedMark + "\n" + endMark + "\n\n    make two\n\n" + measuredMark + "\n\n| a |\n\n" + endMark + "\n"
	p := fake(nil)
	if err := p.parse(text); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(text, p.text()); d != "" {
		t.Error(d)
	}
}

// TestOneFails checks that a command that fails does not lose the tables of others, or its own old one.
func TestOneFails(t *testing.T) {
	name := pageFile(t, before)
	err := fake(map[string]string{"go test -bench Two": goBench}).handle(name, "", false)
	data, readErr := os.ReadFile(name) // #nosec G304 -- of the test
	if readErr != nil {
		t.Fatal(readErr)
	}
	if got := message(err); got != "line 10: no such command: make one\nmake two" {
		t.Errorf("got %q", got)
	}
	for _, want := range []string{"| 1000 | linked in | 30 s | 30.0× |\n\nMeasured long ago.\n", "| Two, all | 99 ns |"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("want %q in\n%s", want, data)
		}
	}
}

// TestTries checks that a ratio that fell once may hold in another run.
func TestTries(t *testing.T) {
	runs := 0
	p := fake(nil)
	p.run = func(string) (string, error) {
		runs++
		return strings.Replace(kptTable, "9.0×", []string{"", "2.0×", "9.0×"}[runs], 1), nil
	}
	if err := p.handle(pageFile(t, before), "", true); err != nil || runs != 2 {
		t.Errorf("%v after %d runs", err, runs)
	}
}

func TestPageFaults(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no command": {"# x\n" + measuredMark + "\n" + endMark + "\n", "line 2: no command above the measured table"},
		"no end":     {"    make\n\n" + measuredMark + "\n| a |\n", `line 3: no "<!-- end -->" after the measured table`},
		"nested":     {"    make\n\n" + measuredMark + "\n" + checkedMark + "\n", "line 4: a measured table begins inside of another"},
	} {
		t.Run(name, func(t *testing.T) {
			err := fake(nil).handle(pageFile(t, c.text), "", false)
			if !strings.HasSuffix(message(err), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

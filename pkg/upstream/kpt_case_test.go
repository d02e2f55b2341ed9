package upstream_test

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/merge"
)

// kptCase is one case while it runs.
type kptCase struct {
	*pair
	file, reason string
	commands     []string
	archive      *txtar.Archive
	rows         []string // that showed
}

func readCase(t testing.TB, file string) *kptCase {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(a.Comment)), "\n")
	return &kptCase{file: file, reason: lines[0], commands: lines[1:], archive: a}
}

func (c *kptCase) open(t testing.TB) {
	t.Helper()
	over := len(c.commands) > 0 && c.commands[0] == "over http"
	if over {
		c.commands = c.commands[1:]
	}
	var published []txtar.File
	for _, f := range c.archive.Files {
		if strings.Contains(f.Name, ":") && !strings.HasPrefix(f.Name, "write:") {
			published = append(published, f)
		}
	}
	c.pair = newPair(t, openRepositories(t, published, over))
}

func (c *kptCase) section(name string) string {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// lines are those of a section, sorted.
func (c *kptCase) lines(name string) []string {
	out := strings.FieldsFunc(c.section(name), func(r rune) bool { return r == '\n' })
	return slices.Sorted(slices.Values(out))
}

// do runs one command, and reports whether the case goes on.
func (c *kptCase) do(t *testing.T, line string) bool {
	t.Helper()
	words := strings.Fields(line)
	refuses := ""
	if strings.HasPrefix(words[0], "!") {
		refuses, words = words[0], words[1:]
	}
	var kpt, ours error
	switch words[0] {
	case "get":
		kpt, ours = c.get(t, words[1:]...)
	case "update":
		kpt, ours = c.updateAs(t, words[1:])
	default:
		c.doHere(t, line, words)
		return true
	}
	if want := refuses == "!" || refuses == "!kpt"; (kpt != nil) != want {
		t.Errorf("%s\n%s: kpt: %v", c.reason, line, kpt)
	}
	if want := refuses == "!"; (ours != nil) != want {
		t.Errorf("%s\n%s: waybill: %v", c.reason, line, ours)
	}
	if kpt != nil || ours != nil {
		return false
	}
	diff, rows := c.compare(t)
	if diff != "" {
		t.Errorf("%s\nafter %s (-kpt +waybill):\n%s", c.reason, line, diff)
	}
	c.rows = append(c.rows, rows...)
	return diff == ""
}

// doHere runs the commands that edit both copies.
func (c *kptCase) doHere(t *testing.T, line string, words []string) {
	t.Helper()
	switch words[0] {
	case "row":
		c.rows = append(c.rows, strings.TrimPrefix(line, "row "))
	case "replace":
		before, after := quoted(t, strings.SplitN(line, " ", 3)[2])
		c.replace(t, words[1], c.text(before), c.text(after))
	case "write":
		c.edit(t, func(dir string) { c.write(t, filepath.Join(dir, words[1]), c.section("write:"+words[1])) })
	case "delete":
		c.remove(t, words[1])
	default:
		t.Fatalf("%s: no such command", line)
	}
}

func (c *kptCase) updateAs(t *testing.T, words []string) (kpt, ours error) {
	t.Helper()
	sub, ref, s := ".", "", merge.Strategy("")
	for _, w := range words {
		if v, ok := strings.CutPrefix(w, "--strategy="); ok {
			s = merge.Strategy(v)
		} else if dir, r, _ := strings.Cut(w, "@"); true {
			sub, ref = filepath.Clean(dir), r
		}
	}
	return c.update(t, sub, ref, s)
}

// quoted reads two texts in quotes.
func quoted(t testing.TB, text string) (a, b string) {
	t.Helper()
	first, err := strconv.QuotedPrefix(text)
	if err == nil {
		a, err = strconv.Unquote(first)
	}
	if err == nil {
		b, err = strconv.Unquote(strings.TrimSpace(text[len(first):]))
	}
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return a, b
}

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTroubleshooting wants every text that heads an entry of the page to be in the code.
func TestTroubleshooting(t *testing.T) {
	page, err := os.ReadFile("../../docs/troubleshooting.md")
	if err != nil {
		t.Fatal(err)
	}
	code := sources(t)
	headings := regexp.MustCompile("(?m)^### `+ ?(.*?) ?`+$").FindAllSubmatch(page, -1)
	if len(headings) < 20 {
		t.Errorf("only %d errors", len(headings))
	}
	for _, m := range headings {
		if text := string(m[1]); !strings.Contains(code, text) {
			t.Errorf("no message contains %q", text)
		}
	}
}

// sources are the texts of all Go files that ship.
func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, dir := range []string{"../../cmd", "../../controllers", "../../pkg"} {
		err := filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return err
			}
			text, err := os.ReadFile(file)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

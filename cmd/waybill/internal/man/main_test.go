package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/controller"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/root"
)

func written(t *testing.T, date string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if err := run(dir, "v1.2.3", date); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(name) // #nosec G304 -- a folder of the test
		files[strings.TrimPrefix(name, dir+string(filepath.Separator))] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// plain decompresses a page, and takes away what man(7) needs.
func plain(t *testing.T, content string) string {
	t.Helper()
	in, err := gzip.NewReader(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if !in.ModTime.IsZero() || in.Name != "" {
		t.Errorf("the compressed file has time %v and name %q", in.ModTime, in.Name)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(`\-`, "-", `\e`, `\`, `\&`, "", `\[u2192]`, "→", `\[u2013]`, "–", `\[u2026]`, "…").Replace(string(text))
}

func TestSameBytes(t *testing.T) {
	const date = "2026-11-01T23:30:00-02:00"
	files := written(t, date)
	if diff := cmp.Diff(files, written(t, date)); diff != "" {
		t.Errorf("a second run wrote other bytes:\n%s", diff)
	}
	page := plain(t, files[filepath.Join("man", "waybill-fn-render.1.gz")])
	if want := `.TH "WAYBILL-FN-RENDER" "1" "2026-11-02" "waybill v1.2.3" "Waybill"`; !strings.HasPrefix(page, want) {
		t.Errorf("want a page that begins with %s, got:\n%s", want, page)
	}
	for name, content := range files {
		if filepath.Dir(name) == "man" {
			content = plain(t, content)
		}
		if now := time.Now().Format(time.DateOnly); now != "2026-11-02" && strings.Contains(content, now) {
			t.Errorf("%s has the date of today", name)
		}
	}
}

// TestEveryCommand wants a page with the help of every command that help lists, those of waybill-controller, too.
func TestEveryCommand(t *testing.T) {
	files := written(t, "2026-11-01T00:00:00Z")
	pages := 0
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		if cmd.Hidden {
			return
		}
		pages++
		name := filepath.Join("man", strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1.gz")
		page := plain(t, files[name])
		for line := range strings.Lines(cmd.Short + "\n" + cmd.Long + "\n" + cmd.Example) {
			if !strings.Contains(page, strings.TrimRight(line, "\n")) {
				t.Errorf("%s lacks %q", name, line)
			}
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(root.NewCommand(root.Parts{Controller: controller.NewCommand, OpenPorch: controller.OpenPorch}))
	if !strings.Contains(plain(t, files[filepath.Join("man", "waybill-controller.1.gz")]), "--leader-elect") {
		t.Error("the page of waybill controller lacks the flags of waybill-controller")
	}
	want := map[string]string{"waybill.bash": "complete -o", "_waybill": "#compdef waybill", "waybill.fish": "complete -c waybill",
		"waybill.ps1": "Register-ArgumentCompleter"}
	for name, text := range want {
		if !strings.Contains(files[filepath.Join("completions", name)], text) {
			t.Errorf("%s lacks %q", name, text)
		}
	}
	if len(files) != pages+len(want) {
		t.Errorf("%d files for %d commands and %d shells", len(files), pages, len(want))
	}
}

func TestHostileText(t *testing.T) {
	cmd := &cobra.Command{Use: "x", Short: "a short text", Run: func(*cobra.Command, []string) {},
		Long: ".so /etc/passwd\n'ig\nC:\\path *.yaml <NAME> →\n\n  - item\n.br"}
	page := string(page{version: "v1", date: time.Unix(0, 0).UTC()}.of(cmd))
	for _, request := range []string{"\n.so", "\n'ig", "\n.br"} {
		if strings.Contains(page, request) {
			t.Errorf("text became the request %q:\n%s", request, page)
		}
	}
	if want := `C:\epath *.yaml <NAME> \[u2192]`; !bytes.Contains([]byte(page), []byte(want)) {
		t.Errorf("want %s in:\n%s", want, page)
	}
}

func TestArguments(t *testing.T) {
	cases := map[string]struct{ reason, output, date, want string }{
		"no folder": {reason: "it would write into the working directory", date: "2026-11-01T00:00:00Z", want: "-output names no folder"},
		"no date":   {reason: "a date of today would change the bytes", output: t.TempDir(), want: "-date: "},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if err := run(tc.output, "v1", tc.date); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: want an error with %q, got %v", tc.reason, tc.want, err)
			}
		})
	}
}

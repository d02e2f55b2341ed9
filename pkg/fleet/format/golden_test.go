package format_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/format"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/style"
)

// forms are the formats of a preview, by the ending of the file.
var forms = []struct {
	ending string
	tell   func(io.Writer, *waybill.FleetPreview) error
}{
	{"txt", func(w io.Writer, p *waybill.FleetPreview) error { return format.Text(w, p, false) }},
	{"all.txt", func(w io.Writer, p *waybill.FleetPreview) error { return format.Text(w, p, true) }},
	{"md", format.Markdown},
	{"github", format.Annotations},
	{"sarif", sarifWithoutRules},
	{"json", func(w io.Writer, p *waybill.FleetPreview) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(p)
	}},
}

// sarifWithoutRules leaves the rules out, which are the same for all.
func sarifWithoutRules(w io.Writer, p *waybill.FleetPreview) error {
	var b bytes.Buffer
	if err := format.SARIF(&b, p); err != nil {
		return err
	}
	var log struct {
		Runs []struct {
			Results json.RawMessage `json:"results"`
		} `json:"runs"`
	}
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		return err
	}
	_, err := w.Write(append(log.Runs[0].Results, '\n'))
	return err
}

// TestGolden holds every case in every form to a file; -update rewrites it.
func TestGolden(t *testing.T) {
	for name, tc := range cases() {
		t.Run(name, func(t *testing.T) {
			p := previewOf(t, tc.before, tc.after)
			got := &txtar.Archive{Comment: []byte(tc.reason + "\n")}
			for _, form := range forms {
				var b bytes.Buffer
				if err := form.tell(&b, p); err != nil {
					t.Fatal(err)
				}
				got.Files = append(got.Files, txtar.File{Name: "preview." + form.ending, Data: b.Bytes()})
				checkEscaped(t, form.ending, b.String())
				checkColors(t, form.ending, b.String(), func(w io.Writer) error { return form.tell(w, p) })
			}
			file := filepath.Join("testdata", name+".txtar")
			if *fntest.Update {
				if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(txtar.Format(got))); diff != "" {
				t.Errorf("%s (-want +got); -update rewrites it:\n%s", tc.reason, diff)
			}
		})
	}
}

// checkColors wants colours in texts for terminals only, and nothing else than colours.
func checkColors(t testing.TB, form, plain string, tell func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if err := tell(style.On(&b, true)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plain, style.Plain(b.String())); diff != "" || (b.String() != plain) != strings.HasSuffix(form, "txt") {
		t.Errorf("%s in colours (-plain +without codes):\n%s", form, diff)
	}
}

// checkEscaped wants nothing in a form that acts where it is shown.
func checkEscaped(t testing.TB, form, text string) {
	t.Helper()
	bad := map[string][]string{
		"txt":     {"\x1b", "\u202e", "\r"},
		"all.txt": {"\x1b", "\u202e", "\r"},
		"md":      {"\x1b", "\u202e", "\r", "<script", "![", "@", "`"},
		"github":  {"\x1b", "\u202e", "\r", "\n::error::x"},
		"sarif":   {"\x1b", "\u202e"},
		"json":    {"\x1b"},
	}
	for _, word := range append(bad[form], "hunter") {
		if strings.Contains(text, word) {
			t.Errorf("%s has %q in it:\n%s", form, word, text)
		}
	}
	if form == "md" && (strings.Count(text, "<details>") != strings.Count(text, "</details>") || strings.Count(text, "<code>") != strings.Count(text, "</code>")) {
		t.Errorf("what is opened is not closed:\n%s", text)
	}
	if form == "github" {
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "::notice ") && !strings.HasPrefix(line, "::warning ") && !strings.HasPrefix(line, "::error ") || strings.Count(line, "::") != 2 && !strings.Contains(line, "script") {
				t.Errorf("a line is no annotation: %q", line)
			}
		}
	}
}

package explain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
)

// TestGolden asks the questions of every case, one a line, and holds the answers to the case; -update rewrites them. A
// question that begins with "fields " asks about all fields, one with "yaml " for data.
func TestGolden(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) < 6 {
		t.Fatal(err, cases)
	}
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			files, questions, kept := map[string][]byte{}, "", archive.Files[:0]
			for _, f := range archive.Files {
				switch f.Name {
				case "answers":
					continue
				case "questions":
					questions = string(f.Data)
				default:
					files[f.Name] = []byte(strings.ReplaceAll(string(f.Data), "%ESC%", "\\e[31m\\u202e\\r"))
				}
				kept = append(kept, f)
			}
			var answers strings.Builder
			w := rendered(t, "pkg", files)
			for line := range strings.Lines(questions) {
				answers.WriteString("$ " + line + answer(t, w, strings.TrimSpace(line)) + "\n")
			}
			archive.Files = append(kept, txtar.File{Name: "answers", Data: []byte(answers.String())})
			if *fntest.Update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(txtar.Format(archive))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", archive.Comment, diff)
			}
			for _, cluster := range w.fleet.Clusters() {
				checkPresent(t, w, cluster)
			}
		})
	}
}

func answer(t *testing.T, w *Snapshot, question string) string {
	question, data := strings.CutPrefix(question, "yaml ")
	question, fields := strings.CutPrefix(question, "fields ")
	x, text := ask(t, w, question, fields)
	if !data {
		return text
	}
	out, err := yaml.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "hunter2") {
		t.Errorf("%s: a secret is shown:\n%s", question, out)
	}
	return string(out)
}

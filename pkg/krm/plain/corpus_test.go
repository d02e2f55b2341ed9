package plain_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm/plain"
)

// corpus are the YAML files of this repository and of WAYBILL_TESTDATA, and the documents in them.
func corpus(t testing.TB) (texts [][]byte) {
	t.Helper()
	texts = append(texts, []byte(web), []byte("---\n"+config+"---\n"+web))
	for _, top := range []string{"../../..", os.Getenv("WAYBILL_TESTDATA")} {
		_ = filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
			if ext := filepath.Ext(path); err != nil || ext != ".yaml" && ext != ".yml" && ext != ".txtar" {
				return nil
			}
			data, err := os.ReadFile(path) // #nosec G304 -- a test's own folders
			if err != nil || len(data) > 1<<20 {
				return nil
			}
			texts = append(texts, data)
			for _, sep := range []string{"\n---\n", " --\n"} { // the latter between the files of an archive
				for part := range bytes.SplitSeq(data, []byte(sep)) {
					if at := bytes.LastIndex(part, []byte("\n-- ")); at >= 0 {
						part = part[:at]
					}
					texts = append(texts, append(bytes.Clone(part), '\n'))
				}
			}
			return nil
		})
	}
	return texts
}

// pieces are what mutants get.
var pieces = []string{"  ", " ", "- ", "-", "#", " # a", ": ", ":", "'", "\"", "a", "true", "~", "\n", "\n\n", "|", "|-\n", ">", ">+\n", "|2\n", "{}", "[]", "[", "}",
	"&a ", "*a", "!!str ", "? ", "null: a", "null", "---\n", "--- ", "...\n", "\t", "é", "\u0085", "\u2028", "\ufeff", "\u00a0", "\r", "\\", "\\n", "\\/", "\x00", "\xff",
	"a: b\n", "  a: b\n", "    - b: c\n", "  - b\n", "- - a\n", "-   a: b\n", "a:\n", "  # c\n", "<<: ", "%", "@", "`", "=", ",", "1: a\n", "0x1", "2026-11-26", "1e3"}

// mutant is text with some changes: pieces added and taken away, lines moved, indented and repeated.
func mutant(random *rand.Rand, text string) []byte {
	for range 1 + random.IntN(3) {
		lines := strings.SplitAfter(text, "\n")
		i, j := random.IntN(len(lines)), random.IntN(len(lines))
		switch random.IntN(8) {
		case 0:
			lines[i], lines[j] = lines[j], lines[i]
		case 1:
			lines[i] = " " + lines[i]
		case 2:
			lines[i] = strings.TrimPrefix(lines[i], " ")
		case 3:
			lines[i] += lines[i]
		default:
			at := random.IntN(len(lines[i]) + 1)
			until := min(len(lines[i]), at+[]int{0, 0, 0, 1, 2, 5}[random.IntN(6)])
			lines[i] = lines[i][:at] + pieces[random.IntN(len(pieces))] + lines[i][until:]
		}
		text = strings.Join(lines, "")
	}
	return []byte(text)
}

// TestPrintable finds each byte that is not printable at every place of a text, beside bytes at the edges.
func TestPrintable(t *testing.T) {
	for _, edge := range []byte("\n ~a") {
		for b := range 256 {
			for at := range 40 {
				text := bytes.Repeat([]byte{edge}, 40)
				text[at] = byte(b)
				want := at
				if b >= ' ' && b < 0x7f || b == '\n' {
					want = len(text)
				}
				if got := plain.Printable(text); got != want {
					t.Fatalf("%q: got %d, want %d", text, got, want)
				}
			}
		}
	}
}

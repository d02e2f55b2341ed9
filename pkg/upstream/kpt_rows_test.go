package upstream_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// updateRow is one change since a package was got.
type updateRow struct {
	reason string
	base   []string // files, each with what it says
	theirs []string // what upstream made of them; "-" for a file that it deleted
	ours   []string // what was done here, as commands of TestSameAsKptCommands
	file   string   // the one to look at
	// want is what it says in the end under each strategy, in their order: that of "theirs", of "ours", of
	// "both", what "base" had, "none" if it is gone, or "error" if the update refuses; "" is not tried.
	want [4]string
	rows []string // of the page that show
}

var updateStrategies = [4]merge.Strategy{merge.ResourceMerge, merge.FastForward, merge.ForceDeleteReplace, merge.CopyMerge}

// coloured is an object that both sides change at different places.
func coloured(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\ndata:\n  here: base\n  there: base\n"
}

// updateRows are the rows of kpt's documentation of what each strategy does, for the root's files first, then
// for local subpackages. All packages hold keep.yaml, too: kpt keeps the last object of a package.
var updateRows = map[string]updateRow{
	"untouched":                       {reason: "a file that was not changed here is upstream's", base: []string{"cm.yaml", "O"}, theirs: []string{"cm.yaml", "U"}, file: "cm.yaml", want: [4]string{"theirs", "theirs", "theirs", "theirs"}},
	"quiet":                           {reason: "a file that was not changed on either side stays", base: []string{"cm.yaml", "O"}, file: "cm.yaml", want: [4]string{"base", "base", "base", "base"}},
	"quiet upstream":                  {reason: "what upstream did not change stays ours", base: []string{"cm.yaml", "O"}, ours: []string{`replace cm.yaml "here: base" "here: ours"`}, file: "cm.yaml", want: [4]string{"ours", "error", "base", "base"}},
	"resource changed twice":          {reason: "field by field, or upstream's whole file", base: []string{"cm.yaml", "O"}, theirs: []string{"cm.yaml", "U"}, ours: []string{`replace cm.yaml "here: base" "here: ours"`}, file: "cm.yaml", want: [4]string{"both", "error", "theirs", "theirs"}},
	"resource added here":             {reason: "a file of ours", ours: []string{"write new.yaml"}, file: "new.yaml", want: [4]string{"ours", "error", "none", "ours"}},
	"resource added upstream":         {reason: "a file of theirs", theirs: []string{"new.yaml", "U"}, file: "new.yaml", want: [4]string{"theirs", "theirs", "theirs", "theirs"}},
	"resource added twice":            {reason: "union of fields", theirs: []string{"new.yaml", "U"}, ours: []string{"write new.yaml"}, file: "new.yaml", want: [4]string{"theirs", "error", "theirs", "theirs"}},
	"resource deleted here":           {reason: "gone by our wish", base: []string{"cm.yaml", "O"}, ours: []string{"delete cm.yaml"}, file: "cm.yaml", want: [4]string{"none", "error", "base", "base"}},
	"resource deleted here, changed":  {reason: "gone by our wish, whatever upstream does", base: []string{"cm.yaml", "O"}, theirs: []string{"cm.yaml", "U"}, ours: []string{"delete cm.yaml"}, file: "cm.yaml", want: [4]string{"none", "error", "theirs", "theirs"}},
	"resource deleted there":          {reason: "deleted, since it was not changed here", base: []string{"cm.yaml", "O"}, theirs: []string{"cm.yaml", "-"}, file: "cm.yaml", want: [4]string{"none", "none", "none", "none"}},
	"resource deleted there, changed": {reason: "changed here, so it stays if we are asked", base: []string{"cm.yaml", "O"}, theirs: []string{"cm.yaml", "-"}, ours: []string{`replace cm.yaml "here: base" "here: ours"`}, file: "cm.yaml", want: [4]string{"ours", "error", "none", "none"}},
	"resource deleted twice":          {reason: "gone", base: []string{"cm.yaml", "O"}, theirs: []string{"cm.yaml", "-"}, ours: []string{"delete cm.yaml"}, file: "cm.yaml", want: [4]string{"none", "error", "none", "none"}},

	"plain untouched":              {reason: "upstream's", base: []string{"a.txt", "base"}, theirs: []string{"a.txt", "theirs"}, file: "a.txt", want: [4]string{"theirs", "theirs", "theirs", "theirs"}},
	"plain changed here":           {reason: "ours", base: []string{"a.txt", "base"}, ours: []string{`replace a.txt "base" "ours"`}, file: "a.txt", want: [4]string{"ours", "error", "base", "base"}},
	"plain changed twice":          {reason: "ours, as it does not merge", base: []string{"a.txt", "base"}, theirs: []string{"a.txt", "theirs"}, ours: []string{`replace a.txt "base" "ours"`}, file: "a.txt", want: [4]string{"ours", "error", "theirs", "theirs"}},
	"plain deleted there":          {reason: "gone", base: []string{"a.txt", "base"}, theirs: []string{"a.txt", "-"}, file: "a.txt", want: [4]string{"none", "none", "none", "none"}},
	"plain deleted there, changed": {reason: "ours if we are asked", base: []string{"a.txt", "base"}, theirs: []string{"a.txt", "-"}, ours: []string{`replace a.txt "base" "ours"`}, file: "a.txt", want: [4]string{"ours", "error", "none", "none"}},
	"plain added twice":            {reason: "ours", theirs: []string{"new.txt", "theirs"}, ours: []string{"write new.txt"}, file: "new.txt", want: [4]string{"ours", "error", "theirs", "theirs"}},
	"plain added here":             {reason: "ours", ours: []string{"write new.txt"}, file: "new.txt", want: [4]string{"ours", "error", "none", "ours"}},
	"plain added there":            {reason: "theirs", theirs: []string{"new.txt", "theirs"}, file: "new.txt", want: [4]string{"theirs", "theirs", "theirs", "theirs"}},
	"plain deleted here":           {reason: "a file that is no resource comes back", base: []string{"a.txt", "base"}, ours: []string{"delete a.txt"}, file: "a.txt", want: [4]string{"base", "error", "base", "base"}},
	"plain deleted here, changed":  {reason: "as it is now", base: []string{"a.txt", "base"}, theirs: []string{"a.txt", "theirs"}, ours: []string{"delete a.txt"}, file: "a.txt", want: [4]string{"theirs", "error", "theirs", "theirs"}},
	"json changed twice":           {reason: "JSON is no resource", base: []string{"a.json", "{\"a\": \"base\"}"}, theirs: []string{"a.json", "{\"a\": \"theirs\"}"}, ours: []string{`replace a.json "base" "ours"`}, file: "a.json", want: [4]string{"ours", "error", "theirs", "theirs"}},
	"git file untouched":           {reason: "files of Git's are not upstream's to change", base: []string{".gitignore", "base"}, theirs: []string{".gitignore", "theirs"}, file: ".gitignore", want: [4]string{"base", "theirs", "theirs", "theirs"}},
	"git file changed twice":       {reason: "so it stays", base: []string{".gitignore", "base"}, theirs: []string{".gitignore", "theirs"}, ours: []string{`replace .gitignore "base" "ours"`}, file: ".gitignore", want: [4]string{"ours", "error", "theirs", "theirs"}},
	"folder emptied there":         {reason: "a folder goes with what is in it", base: []string{"dir/a.txt", "base"}, theirs: []string{"dir/a.txt", "-"}, file: "dir/a.txt", want: [4]string{"none", "none", "none", "none"}},

	"sub added there":            {reason: "added", theirs: subFiles("U"), file: "sub/cm.yaml", want: [4]string{"theirs", "theirs", "theirs", "theirs"}},
	"sub added here":             {reason: "kept, if we are asked", ours: []string{"write sub/Kptfile", "write sub/cm.yaml"}, file: "sub/cm.yaml", want: [4]string{"ours", "error", "none", "ours"}},
	"sub added twice":            {reason: "the two may be different packages", theirs: subFiles("U"), ours: []string{"write sub/Kptfile", "write sub/cm.yaml"}, file: "sub/cm.yaml", want: [4]string{"error", "error", "theirs", "theirs"}},
	"sub deleted there":          {reason: "deleted", base: subFiles("O"), theirs: []string{"sub/Kptfile", "-", "sub/cm.yaml", "-", "sub/keep.yaml", "-"}, file: "sub/cm.yaml", want: [4]string{"none", "none", "none", "none"}},
	"sub deleted there, changed": {reason: "changed here, so it stays if we are asked", base: subFiles("O"), theirs: []string{"sub/Kptfile", "-", "sub/cm.yaml", "-", "sub/keep.yaml", "-"}, ours: []string{`replace sub/cm.yaml "here: base" "here: ours"`}, file: "sub/cm.yaml", want: [4]string{"ours", "error", "none", "none"}},
	"sub deleted here":           {reason: "gone by our wish", base: subFiles("O"), ours: []string{"delete sub"}, file: "sub/cm.yaml", want: [4]string{"none", "error", "base", "base"}},
	"sub deleted here, changed":  {reason: "gone by our wish, whatever upstream does", base: subFiles("O"), theirs: subFiles("U"), ours: []string{"delete sub"}, file: "sub/cm.yaml", want: [4]string{"none", "error", "theirs", "theirs"}},
	"sub untouched":              {reason: "upstream's", base: subFiles("O"), theirs: subFiles("U"), file: "sub/cm.yaml", want: [4]string{"theirs", "theirs", "theirs", "theirs"}},
	"sub changed twice":          {reason: "merges as the root does", base: subFiles("O"), theirs: subFiles("U"), ours: []string{`replace sub/cm.yaml "here: base" "here: ours"`}, file: "sub/cm.yaml", want: [4]string{"both", "error", "theirs", "theirs"}},
	"sub Kptfile changed twice":  {reason: "its Kptfile merges", base: append(subFiles("O"), "sub/Kptfile", subKptfile+"info:\n  man: base\n  site: base\n"), theirs: []string{"sub/Kptfile", subKptfile + "info:\n  man: theirs\n  site: base\n"}, ours: []string{`replace sub/Kptfile "site: base" "site: ours"`}, file: "sub/Kptfile", want: [4]string{"both", "error", "theirs", "theirs"}},
	"sub Kptfile gone there":     {reason: "a folder that was a package", base: subFiles("O"), theirs: append(subFiles("U"), "sub/Kptfile", "-"), file: "sub/cm.yaml", want: [4]string{"theirs", "theirs", "theirs", "theirs"}},
	"sub Kptfile added here":     {reason: "a folder made a package here goes on to get what upstream changes", base: []string{"sub/cm.yaml", "O", "sub/keep.yaml", "O"}, theirs: []string{"sub/cm.yaml", "U"}, ours: []string{"write sub/Kptfile"}, file: "sub/cm.yaml", want: [4]string{"theirs", "error", "theirs", "theirs"}},
}

const subKptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sub\n"

func subFiles(version string) []string {
	return []string{"sub/Kptfile", subKptfile, "sub/cm.yaml", version, "sub/keep.yaml", "O"}
}

// TestRowsSameAsKpt: each row, under each strategy, ends as it says, and as it does with kpt, but for
// copy-merge, which this kpt does not know.
func TestRowsSameAsKpt(t *testing.T) {
	testenv.Need(t, testenv.Kpt, testenv.Git)
	for name, row := range updateRows {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := row.got(t)
			var rows []string
			for i, strategy := range updateStrategies {
				if row.want[i] == "" {
					continue
				}
				rows = append(rows, row.update(t, c, strategy, row.want[i])...)
			}
			if diff := cmp.Diff(slices.Sorted(slices.Values(row.rows)), slices.Compact(slices.Sorted(slices.Values(rows)))); diff != "" {
				t.Errorf("%s\nrows of the page (-case +now):\n%s", row.reason, diff)
			}
		})
	}
}

// archive is what upstream has at the tags base and theirs.
func (row updateRow) archive() (out []txtar.File) {
	files := map[string]string{"Kptfile": strings.ReplaceAll(subKptfile, "sub", "web"), "keep.yaml": coloured("keep")}
	for ref, changes := range [][]string{row.base, row.theirs} {
		for i := 0; i < len(changes); i += 2 {
			files[changes[i]] = rowText(changes[i], changes[i+1])
		}
		for p, text := range files {
			if text != "-\n" {
				out = append(out, txtar.File{Name: []string{"base", "theirs"}[ref] + ":repo/web/" + p, Data: []byte(text)})
			}
		}
	}
	return out
}

// rowText is the text of a file: O and U are an object of its name.
func rowText(file, what string) string {
	name := strings.TrimSuffix(filepath.Base(file), ".yaml")
	switch what {
	case "O":
		return coloured(name)
	case "U":
		return strings.ReplaceAll(coloured(name), "there: base", "there: theirs")
	}
	return strings.TrimSuffix(what, "\n") + "\n"
}

// got is the package with the local edits.
func (row updateRow) got(t *testing.T) *kptCase {
	t.Helper()
	c := &kptCase{pair: newPair(t, openRepositories(t, row.archive(), false)), reason: row.reason, archive: &txtar.Archive{}}
	for _, file := range []string{"new.txt", "new.yaml", "sub/cm.yaml", "sub/Kptfile"} {
		text := map[string]string{"sub/Kptfile": subKptfile, "new.txt": "ours"}[file]
		if text == "" {
			text = strings.Replace(rowText(file, "O"), "here: base", "here: ours", 1)
		}
		c.archive.Files = append(c.archive.Files, txtar.File{Name: "write:" + file, Data: []byte(text)})
	}
	for _, line := range slices.Concat([]string{"get repo.git/web@base"}, row.ours) {
		c.do(t, line)
	}
	return c
}

// update updates a copy, and returns the rows of the page that this shows.
func (row updateRow) update(t *testing.T, got *kptCase, strategy merge.Strategy, want string) []string {
	t.Helper()
	c := &kptCase{pair: got.copied(t), reason: fmt.Sprintf("%s, under %s", row.reason, strategy), archive: got.archive}
	if strategy == merge.CopyMerge {
		if err := c.updateOurs(t, ".", "theirs", strategy); err != nil {
			t.Errorf("%s: %v", c.reason, err)
		}
	} else {
		c.do(t, map[bool]string{true: "! "}[want == "error"]+"update @theirs --strategy="+string(strategy))
	}
	if want != "error" {
		row.check(t, c, want)
	}
	return c.rows
}

// check checks the file of the row.
func (row updateRow) check(t *testing.T, c *kptCase, want string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(c.dirs()[1], row.file))
	theirs, ours := strings.Contains(string(data), "theirs"), strings.Contains(string(data), "ours")
	got := map[[2]bool]string{{true, true}: "both", {true, false}: "theirs", {false, true}: "ours"}[[2]bool{theirs, ours}]
	if os.IsNotExist(err) {
		got = "none"
	} else if got == "" {
		got = "base"
	}
	if got != want {
		t.Errorf("%s: %s is %s, want %s", c.reason, row.file, got, want)
	}
}

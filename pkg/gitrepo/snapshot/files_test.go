package snapshot_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

func TestFiles(t *testing.T) {
	root := repository(t)
	t.Setenv("GIT_DIR", "/nowhere") // as in a hook of another repository
	onlyYAML := pkgtree.Limits{Only: func(name string) bool { return strings.HasSuffix(name, ".yaml") }}
	cases := map[string]struct {
		reason, dir, commit string
		want                map[string]string
	}{
		"Now":      {"the newest commit, without links and what is not asked for", "pkg", "HEAD", map[string]string{"a.yaml": "two", "deep/b.yaml": "one", "same.yaml": "same", "pro gram.yaml": "#!\n"}},
		"Before":   {"as git names commits", "pkg", "main~1", map[string]string{"a.yaml": "one", "deep/b.yaml": "one", "same.yaml": "same", "pro gram.yaml": "#!\n"}},
		"Branch":   {"a branch, and a folder in the package", "pkg/deep", "side", map[string]string{"b.yaml": "one"}},
		"WholeOne": {"the root", ".", "side", map[string]string{"pkg/a.yaml": "side", "pkg/deep/b.yaml": "one", "pkg/same.yaml": "same", "pkg/pro gram.yaml": "#!\n", "beside.yaml": "one", "late/c.yaml": "side"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := at(t, filepath.Join(root, tc.dir))
			for i, known := range []snapshot.Known{{}, knownOf(t, r), {}} {
				if i == 2 {
					r.Prepare(t.Context(), resolve(t, r, tc.commit))
				}
				tree, err := r.Files(t.Context(), resolve(t, r, tc.commit), known, onlyYAML)
				if err != nil {
					t.Fatal(err)
				}
				got := map[string]string{}
				for p, b := range tree.All() {
					got[p] = string(b.Data())
					if known[b.GitID()] != b {
						t.Errorf("%s is not known afterwards", p)
					}
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
				}
			}
		})
	}
}

// TestManyFiles reads more files than one process of git reads: some are equal, some known, some packed and some replaced.
func TestManyFiles(t *testing.T) {
	root := repository(t)
	const files = 2500
	text := func(i int) string { return fmt.Sprint("text ", i%2400) }
	for i := range files {
		write(t, root, fmt.Sprintf("many/%d.yaml", i), text(i))
		if i == 1000 {
			gittest.Git(t, root, "add", "--all")
			gittest.Git(t, root, "commit", "--quiet", "--message", "some")
			gittest.Git(t, root, "repack", "-a", "-d", "--quiet")
		}
	}
	gittest.Git(t, root, "add", "--all")
	gittest.Git(t, root, "commit", "--quiet", "--message", "many")
	r := at(t, filepath.Join(root, "many"))
	head, one := resolve(t, r, "HEAD"), pkgtree.NewBlob([]byte(text(7)))
	known, all := snapshot.Known{one.GitID(): one}, pkgtree.Limits{Bytes: files * int64(len("text 1000"))}
	tree, err := r.Files(t.Context(), head, known, all)
	if err != nil || tree.Len() != files || tree.Blob("7.yaml") != one || tree.Blob("2407.yaml") != one || len(known) != 2400 {
		t.Fatalf("%d files, %d known, %v", tree.Len(), len(known), err)
	}
	for i := range files {
		if data, _ := tree.Get(fmt.Sprintf("%d.yaml", i)); string(data) != text(i) {
			t.Fatalf("%d.yaml is %q", i, data)
		}
	}
	if _, err := r.Files(t.Context(), head, snapshot.Known{}, pkgtree.Limits{Bytes: 20_000}); err == nil || !strings.Contains(err.Error(), "or 20000 bytes") {
		t.Errorf("too many bytes: %v", err)
	}
	gittest.Git(t, root, "replace", "HEAD:many/2301.yaml", "HEAD:many/8.yaml")
	if tree, err = r.Files(t.Context(), head, snapshot.Known{}, all); err != nil || string(tree.Blob("2301.yaml").Data()) != text(8) {
		t.Errorf("a file that another one replaces: %v", err)
	}
	gittest.Git(t, root, "replace", "--delete", strings.TrimSpace(gittest.Git(t, root, "rev-parse", "HEAD:many/2301.yaml")))
	lost := gittest.Git(t, root, "rev-parse", "HEAD:many/2300.yaml")
	if err := os.Remove(filepath.Join(root, ".git", "objects", lost[:2], strings.TrimSpace(lost[2:]))); err != nil {
		t.Fatal(err)
	}
	var partial *snapshot.PartialError
	if _, err := r.Files(t.Context(), head, snapshot.Known{}, all); !errors.As(err, &partial) || partial.File != "2300.yaml" {
		t.Errorf("a file that is not there: %v", err)
	}
}

// knownOf are the files of the work tree.
func knownOf(t *testing.T, r *snapshot.Repository) snapshot.Known {
	t.Helper()
	tree, err := pkgtree.ReadDir(filepath.Join(r.Root, r.Prefix), pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	known := snapshot.Known{}
	known.Add(tree)
	return known
}

// TestSharedBlob reads files that are one blob: each of them counts, whether the blob is known or not.
func TestSharedBlob(t *testing.T) {
	root := repository(t)
	for _, name := range []string{"a", "b", "c"} {
		write(t, root, "shared/"+name, "the same text")
	}
	gittest.Git(t, root, "add", "shared")
	gittest.Git(t, root, "commit", "--quiet", "--message", "shared")
	r, known := at(t, filepath.Join(root, "shared")), snapshot.Known{}
	for _, reason := range []string{"new", "known"} {
		for size, want := range map[int64]bool{3 * 13: true, 3*13 - 1: false} {
			tree, err := r.Files(t.Context(), resolve(t, r, "HEAD"), known, pkgtree.Limits{Bytes: size})
			if (err == nil) != want || want && tree.Len() != 3 {
				t.Errorf("%s, at most %d bytes: %d files, %v", reason, size, tree.Len(), err)
			}
		}
	}
}

package revision_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// TestUpstreamOf finds the upstream that a lock names, also one that Porch wrote: with a branch as the ref, and without the directory
// of the Repository.
func TestUpstreamOf(t *testing.T) {
	up, down := gittest.NewBare(t), gittest.NewBare(t)
	kptfile := gittest.Files(map[string]string{"base/shop/Kptfile": "# 1\n", "base/other/Kptfile": ""})
	gittest.Commit(t, up, gittest.Change{Tag: "base/shop/v1", Files: kptfile})
	t.Chdir(filepath.Dir(up)) // the Repository has a relative path, the lock an absolute one
	first := gittest.Git(t, up, "rev-parse", "main")
	for n := 2; n <= 3; n++ {
		gittest.Commit(t, up, gittest.Change{Tag: fmt.Sprintf("base/shop/v%d", n), Files: gittest.Files(map[string]string{"base/shop/Kptfile": fmt.Sprintf("# %d\n", n)})})
	}
	for name, tc := range map[string]struct {
		reason, repo, dir, ref, commit string
		at                             string // name; "" for none
		newer                          string
		err                            string
	}{
		"tag":       {"the lock of waybill", up, "base/shop", "base/shop/v1", first, "up.shop.v1", "2 3", ""},
		"porch":     {"Porch leaves the directory out, and may name a branch", up, "shop", "main", first, "up.shop.v1", "2 3", ""},
		"gone":      {"if the tag is gone, the commit counts", up, "base/shop", "base/shop/v2.5", first, "up.shop.v1", "2 3", ""},
		"other":     {"another package is not the upstream", up, "base/other", "base/other/v1", first, "", "", ""},
		"no place":  {"a folder that no Repository shows", up, "nowhere", "v1", first, "", "", `no Repository of namespace "fleet" shows that package`},
		"elsewhere": {"a repository that none shows", "https://me:s3cret@example.com/x.git", "shop", "v1", first, "", "", `of https://example.com/x.git, and no Repository`},
		"no lock":   {"a package of its own", "", "", "", "", "", "", "has no upstream"},
	} {
		t.Run(name, func(t *testing.T) {
			lock := ""
			if tc.repo != "" {
				lock = fmt.Sprintf("upstreamLock:\n  type: git\n  git: {repo: %q, directory: %q, ref: %q, commit: %q}\n", tc.repo, tc.dir, tc.ref, tc.commit)
			}
			gittest.Commit(t, down, gittest.Change{Files: gittest.Files(map[string]string{"shop/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: shop}\n" + lock})})
			all := append(known(t, filepath.Base(up), revision.Config{Name: "up", Directory: "base"}), known(t, down, revision.Config{Name: "down"})...)
			u, err := revision.UpstreamOf(all[len(all)-1], all)
			if tc.err != "" || err != nil {
				if err == nil || tc.err == "" || !strings.Contains(err.Error(), tc.err) || strings.Contains(err.Error(), "s3cret") {
					t.Fatalf("%s: error %v, want %q", tc.reason, err, tc.err)
				}
				return
			}
			at, newer := "", []string{}
			if u.At != nil {
				at = u.At.Name
			}
			for _, k := range u.Newer() {
				newer = append(newer, fmt.Sprint(k.Revision.Revision))
			}
			if at != tc.at || strings.Join(newer, " ") != tc.newer {
				t.Errorf("%s: at %q, newer %v", tc.reason, at, newer)
			}
			if tc.at == "" {
				return
			}
			tree, _, err := u.Base(all)
			if data, _ := tree.Get("Kptfile"); err != nil || string(data) != "# 1\n" {
				t.Errorf("%s: the base is %q: %v", tc.reason, data, err)
			}
		})
	}
}

// known are the revisions of a repository in namespace fleet.
func known(t *testing.T, dir string, cfg revision.Config) (out []revision.Known) {
	t.Helper()
	s := openStore(t, dir, cfg)
	revs, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range revs {
		out = append(out, revision.Known{Revision: r, Namespace: "fleet", Store: s, URL: dir})
	}
	return out
}

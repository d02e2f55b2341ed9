package revision_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// TestCloneIntoFolder clones a package into a folder of the main branch that holds files, or only files that do not count.
func TestCloneIntoFolder(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		cfg    revision.Config
		files  []string
		link   string
		err    string
	}{
		"files": {reason: "the clone would replace them", files: []string{"net/upf/a.yaml", "net/upf/b/c.md", "net/upf/d", "net/upf/e"},
			err: `folder "net/upf" of branch "main" holds 4 files ("a.yaml", "b/c.md", "d", ...) and no package, and the clone would delete them: move or delete them on that branch, or choose another package name`},
		"below": {reason: "files in subfolders count", files: []string{"net/upf/b/c.md"},
			err: `folder "net/upf" of branch "main" holds 1 file ("b/c.md") and no package, and the clone would delete it: move or delete it on that branch, or choose another package name`},
		"link":          {reason: "a link counts", link: "net/upf/link", err: `holds 1 file ("link") and no package`},
		"odd name":      {reason: "a file with a name that no package can have counts", files: []string{`net/upf/back\slash`}, err: `holds 1 file ("back\\slash") and no package`},
		"like Kptfile":  {reason: "a file with a similar name makes no package", files: []string{"net/upf/kptfile"}, err: `holds 1 file ("kptfile")`},
		"directory":     {reason: "the folder is that of the repository", cfg: revision.Config{Directory: "fleet"}, files: []string{"fleet/net/upf/x"}, err: `folder "fleet/net/upf" of branch "main" holds 1 file ("x")`},
		"package below": {reason: "a package in it is reported first", files: []string{"net/upf/sub/Kptfile", "net/upf/x"}, err: `package "net/upf/sub" lies inside it`},
		"package":       {reason: "the folder is a package", files: []string{"net/upf/Kptfile"}, err: "the package exists already"},
		"beside":        {reason: "files beside it stay", files: []string{"net/upf.md", "net/a.yaml", "net/upf-2/x", "upf/x"}},
		"left behind":   {reason: "temporary files of a killed write do not count", files: []string{"net/upf/.waybill-tmp-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, s := newRepo(t, tc.cfg)
			files := map[string]string{}
			for _, p := range tc.files {
				files[p] = "x\n"
			}
			gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(files)})
			if tc.link != "" {
				link(t, dir, tc.link)
			}
			if err := s.Refresh(ctx); err != nil {
				t.Fatal(err)
			}
			if tc.err == "" {
				must(t)(s.CreateDraft(ctx, cloneRequest(t)))
				checkLaws(t, dir, s, tc.cfg)
				return
			}
			unchanged(t, tc.reason, dir, func() {
				_, err := s.CreateDraft(ctx, cloneRequest(t))
				if _, refused := errors.AsType[*revision.RefusedError](err); !refused || !strings.Contains(err.Error(), tc.err) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s: got %v, want one line with %q", tc.reason, err, tc.err)
				}
			})
		})
	}
}

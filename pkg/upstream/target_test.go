package upstream_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/upstream"
)

func TestParseTarget(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, target string
		want           kptfilev1.Git
		err            string
	}{
		"web":         {reason: "the usual way", target: "https://git.example/org/repo.git/a/b@v1", want: kptfilev1.Git{Repo: "https://git.example/org/repo", Directory: "/a/b", Ref: "v1"}},
		"root":        {reason: "the package may be the whole repository", target: "https://git.example/repo.git@v1", want: kptfilev1.Git{Repo: "https://git.example/repo", Directory: "/", Ref: "v1"}},
		"no ref":      {reason: "the default branch is found out later", target: "/srv/repo.git/a/", want: kptfilev1.Git{Repo: "/srv/repo", Directory: "/a"}},
		"scp":         {reason: "the first @ is not the ref's", target: "git@host:org/repo.git/a@v1", want: kptfilev1.Git{Repo: "git@host:org/repo", Directory: "/a", Ref: "v1"}},
		"ref slashes": {reason: "a package's own tag", target: "/r.git/a@a/v1", want: kptfilev1.Git{Repo: "/r", Directory: "/a", Ref: "a/v1"}},
		"dot git":     {reason: "a folder may begin like the suffix", target: "/x.github/r.git/a", want: kptfilev1.Git{Repo: "/x.github/r", Directory: "/a"}},
		"host":        {reason: "a host may be called so", target: "https://my.git/org/r.git/a", want: kptfilev1.Git{Repo: "https://my.git/org/r", Directory: "/a"}},
		"github":      {reason: "where repositories are OWNER/NAME the suffix is not needed", target: "https://github.com/o/r/a/b@v1", want: kptfilev1.Git{Repo: "https://github.com/o/r", Directory: "/a/b", Ref: "v1"}},
		"browser":     {reason: "an address from the browser names the branch in its own way", target: "https://github.com/o/r/tree/main/a", want: kptfilev1.Git{Repo: "https://github.com/o/r", Directory: "/a", Ref: "main"}},
		"github root": {reason: "the whole of it", target: "https://github.com/o/r", want: kptfilev1.Git{Repo: "https://github.com/o/r", Directory: "/"}},
		"ambiguous":   {reason: "the end of the repository is not known", target: "https://git.example/a/b/c@v1", err: "ambiguous repo/dir@version specify '.git' in argument"},
		"secret":      {reason: "the error does not show the password", target: "https://me:s3cret@git.example/a/b", err: "ambiguous"},
		"no repo":     {reason: "a suffix alone is none", target: ".git/a", err: "names no repository"},
		"folder":      {reason: "the folder of a work tree is its repository", target: "/srv/w/.git/web@v1", want: kptfilev1.Git{Repo: "/srv/w", Directory: "/web", Ref: "v1"}},
		"folder root": {reason: "and the whole of it a package", target: "/srv/w//.git@v1", want: kptfilev1.Git{Repo: "/srv/w", Directory: "/", Ref: "v1"}},
		"folder URL":  {reason: "as a URL, too", target: "file:///srv/w/.git/web", want: kptfilev1.Git{Repo: "file:///srv/w", Directory: "/web"}},
		"folder here": {reason: "and from here", target: "./.git/web@v1", want: kptfilev1.Git{Repo: ".", Directory: "/web", Ref: "v1"}},
		"no folder":   {reason: "the root of the file system is none", target: "/.git/a", err: "names no repository"},
		"no file":     {reason: "nor is that of a URL", target: "file:///.git/a", err: "names no repository"},
		"no host":     {reason: "nor is a host", target: "https://git.example/.git/a", err: "names no repository"},
		"around":      {reason: "a way that comes back is the folder where it ends", target: "/r.git/a/../b/./c@v1/", want: kptfilev1.Git{Repo: "/r", Directory: "/b/c", Ref: "v1"}},
		"no user":     {reason: "SSH's short form without a user", target: "host:org/r.git/a@v1", want: kptfilev1.Git{Repo: "host:org/r", Directory: "/a", Ref: "v1"}},
		"no git":      {reason: "the target is named", target: "file:///srv/x/repo/p@v1", err: `"file:///srv/x/repo/p@v1" does not say where`},
		"no git path": {reason: "as a path, too", target: "/srv/x/repo/p@v1", err: `"/srv/x/repo/p@v1" does not say where`},
		"no git web":  {reason: "what may be a secret is not", target: "https://s3cr/et@git.example/a@v1", err: `"https://git.example/a@v1" does not say where`},
		"query":       {reason: "a token behind the ref is not shown", target: "https://git.example/r.git/a@v1?token=s3cret", err: `"https://git.example/r.git/a@v1": the address of a package has no query`},
		"query first": {reason: "nor one behind the directory", target: "https://git.example/r.git/a?token=s3cret@v1", err: `"https://git.example/r.git/a": the address of a package has no query`},
		"query scp":   {reason: "nor in SSH's short form", target: "git@git.example:o/r.git/a@v1?token=s3cret", err: `"git@git.example:o/r.git/a@v1": the address`},
		"password":    {reason: "scheme, host, path and ref stay", target: "https://me:s3cret@git.example/a/b@v1", err: `"https://git.example/a/b@v1" does not say where`},
		"tag":         {reason: "a ref may have slashes", target: "https://me:s3cret@git.example/a/b@b/v1", err: `"https://git.example/a/b@b/v1" does not say where`},
		"port":        {reason: "and a host a port", target: "https://me:s3cret@localhost:8443/a/b@v1", err: `"https://localhost:8443/a/b@v1" does not say where`},
		"up":          {reason: "a directory is in the repository", target: "/r.git/a/../../x", err: "leaves the repository"},
		"empty":       {reason: "nothing at all", target: "", err: "ambiguous"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := upstream.ParseTarget(tc.target)
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) || strings.Contains(err.Error(), "s3cr") {
					t.Fatalf("%s: got %v", tc.reason, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func FuzzParseTarget(f *testing.F) {
	for _, s := range []string{"https://h/o/r.git/a@v1", "git@h:o/r.git/a", "https://github.com/o/r/tree/b/d", ".git", "a.git@", "file:///x.git//..//y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, target string) {
		git, err := upstream.ParseTarget(target)
		if err != nil {
			return
		}
		if git.Repo == "" || !strings.HasPrefix(git.Directory, "/") || strings.Contains(git.Directory+"/", "/../") {
			t.Errorf("%q is taken for %+v", target, git)
		}
	})
}

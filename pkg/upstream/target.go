package upstream

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// hosts are those whose repositories are known to be OWNER/NAME, so that no ".git" need say where the
// repository ends.
var hosts = map[string]bool{"github.com": true, "bitbucket.org": true}

// ParseTarget reads REPO[.git]/DIR[@REF], as people name packages: the repository without ".git", the
// directory with a slash before it, the ref, which may be empty.
func ParseTarget(target string) (kptfilev1.Git, error) {
	if repo, rest, ok := cutRepo(target); ok {
		dir, ref, _ := strings.Cut(rest, "@")
		return newTarget(target, repo, dir, ref)
	}
	if git, ok := parseWeb(target); ok {
		return newTarget(target, git.Repo, git.Directory, git.Ref)
	}
	return kptfilev1.Git{}, fmt.Errorf("ambiguous repo/dir@version specify '.git' in argument: %q does not say where the "+
		"repository ends; write REPO.git/DIR[@REF]", shown(target))
}

// cutRepo cuts after the first ".git" that ends a segment of the path.
func cutRepo(target string) (repo, rest string, ok bool) {
	from := 0
	if i := strings.Index(target, "://"); i >= 0 { // a host may be called anything
		from = i + len("://")
		from += max(0, strings.IndexByte(target[from:], '/'))
	}
	for {
		i := strings.Index(target[from:], ".git")
		if i < 0 {
			return "", "", false
		}
		end := from + i + len(".git")
		if rest = target[end:]; rest == "" || rest[0] == '/' || rest[0] == '@' {
			return target[:end-len(".git")], rest, true
		}
		from = end
	}
}

// parseWeb reads the address of a package as it stands in a browser, or as one would shorten it.
func parseWeb(target string) (kptfilev1.Git, bool) {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || !hosts[u.Host] || u.RawQuery != "" || u.Fragment != "" {
		return kptfilev1.Git{}, false
	}
	full, ref, _ := strings.Cut(u.Path, "@")
	parts := strings.SplitN(strings.Trim(full, "/"), "/", 3)
	if len(parts) < 2 {
		return kptfilev1.Git{}, false
	}
	dir := strings.Join(parts[2:], "")
	if rest, ok := strings.CutPrefix(dir, "tree/"); ok && ref == "" {
		ref, dir, _ = strings.Cut(rest, "/")
	}
	u.Path, u.RawPath = "/"+parts[0]+"/"+parts[1], ""
	return kptfilev1.Git{Repo: u.String(), Directory: dir, Ref: ref}, true
}

func newTarget(target, repo, dir, ref string) (kptfilev1.Git, error) {
	if repo == "" || strings.HasSuffix(repo, "/") {
		return kptfilev1.Git{}, fmt.Errorf("%q names no repository", shown(target))
	}
	if strings.Contains(ref, "?") || strings.Contains(dir, "?") && strings.Contains(target, "://") {
		return kptfilev1.Git{}, fmt.Errorf("%q: the address of a package has no query: "+
			"a user and password stand before the host, or Git's credential helpers know them", shown(target))
	}
	clean := path.Clean(strings.TrimLeft(dir, "/"))
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return kptfilev1.Git{}, fmt.Errorf("%q: the directory leaves the repository", shown(target))
	}
	return kptfilev1.Git{Repo: repo, Directory: path.Clean("/" + clean), Ref: strings.TrimRight(ref, "/")}, nil
}

// shown is a target without what may be a secret. A path of this machine has none.
func shown(target string) string {
	if strings.HasPrefix(target, "file:///") || strings.HasPrefix(target, "/") && !strings.HasPrefix(target, "//") {
		return target
	}
	return gitrepo.Redact(target)
}

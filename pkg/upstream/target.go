package upstream

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/oci"
)

// webHosts have repositories OWNER/NAME, so that the end of the repository in a path is known without
// ".git".
var webHosts = map[string]bool{"github.com": true, "bitbucket.org": true}

// ParseTarget parses REPO[.git]/DIR[@REF], with which users name packages. It returns the repository without ".git", the
// directory with a slash before it, and the ref, which may be empty.
// oci://HOST/REPO[:TAG][@DIGEST] names an artifact: the ref is its tag, and its digest.
func ParseTarget(target string) (kptfilev1.Git, error) {
	if oci.IsURL(target) {
		ref, err := oci.ParseReference(target)
		return kptfilev1.Git{Repo: ref.URL(), Directory: "/", Ref: joinRef(ref)}, err
	}
	if repo, rest, ok := cutRepo(target); ok {
		dir, ref, _ := strings.Cut(rest, "@")
		return newTarget(target, repo, dir, ref)
	}
	if git, ok := parseWeb(target); ok {
		return newTarget(target, git.Repo, git.Directory, git.Ref)
	}
	return kptfilev1.Git{}, fmt.Errorf("ambiguous repo/dir@version specify '.git' in argument: %q does not say where the "+
		"repository ends; write REPO.git/DIR[@REF]", redacted(target))
}

// cutRepo cuts after the first ".git" at the end of a segment of the path.
func cutRepo(target string) (repo, rest string, ok bool) {
	from := 0
	if i := strings.Index(target, "://"); i >= 0 { // the name of a host does not count
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

// parseWeb parses the address of a package in a browser, or its shortened form.
func parseWeb(target string) (kptfilev1.Git, bool) {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || !webHosts[u.Host] || u.RawQuery != "" || u.Fragment != "" {
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
	repo = withoutSlash(repo)
	if repo == "" {
		return kptfilev1.Git{}, fmt.Errorf("%q names no repository", redacted(target))
	}
	if strings.Contains(ref, "?") || strings.Contains(dir, "?") && strings.Contains(target, "://") {
		return kptfilev1.Git{}, fmt.Errorf("%q: the address of a package has no query: "+
			"write user and password before the host, or store them in a credential helper of Git", redacted(target))
	}
	clean := path.Clean(strings.TrimLeft(dir, "/"))
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return kptfilev1.Git{}, fmt.Errorf("%q: the directory leaves the repository", redacted(target))
	}
	return kptfilev1.Git{Repo: repo, Directory: path.Clean("/" + clean), Ref: strings.TrimRight(ref, "/")}, nil
}

// withoutSlash is the repository before a "/.git": the folder that holds it; "" if that is none.
func withoutSlash(repo string) string {
	if !strings.HasSuffix(repo, "/") {
		return repo
	}
	repo = strings.TrimRight(repo, "/")
	scheme, rest, isURL := strings.Cut(repo, "://")
	if isURL && !strings.Contains(rest, "/") || scheme == "file:" {
		return ""
	}
	return repo
}

// redacted is a target without what may be a secret. A path of this machine has none.
func redacted(target string) string {
	if strings.HasPrefix(target, "file:///") || strings.HasPrefix(target, "/") && !strings.HasPrefix(target, "//") {
		return target
	}
	return gitrepo.Redact(target)
}

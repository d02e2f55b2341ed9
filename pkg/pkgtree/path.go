package pkgtree

import (
	"fmt"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// PathError says why a path cannot be part of a package.
type PathError struct {
	Path   string
	Reason string
}

func (e *PathError) Error() string {
	return fmt.Sprintf("package path %q %s", folder.Short(e.Path), e.Reason)
}

// CheckPath returns a *PathError unless p can name a file of a package: relative, clean,
// slash-separated, below the root, without control characters, not in a .git directory, and without a
// name that writes in progress use, see IsWorkName.
func CheckPath(p string) error {
	bad := func(reason string) error { return &PathError{Path: p, Reason: reason} }
	switch {
	case p == "" || p == ".":
		return bad("is empty")
	case len(p) > 4096:
		return bad("is longer than 4096 bytes")
	case strings.HasPrefix(p, "/"):
		return bad("is absolute")
	case strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }):
		return bad("contains a control character or backslash")
	case path.Clean(p) != p:
		return bad("is not clean (\"..\", \".\", or a doubled or trailing slash)")
	case p == ".." || strings.HasPrefix(p, "../"):
		return bad("leaves the package")
	}
	for part := range strings.SplitSeq(p, "/") {
		if isDotGit(part) {
			return bad("lies in a .git directory")
		}
		if IsWorkName(part) {
			return bad("has a name that waybill uses for temporary files; rename it")
		}
	}
	return nil
}

// isDotGit reports whether a file system may treat name as ".git", as Git's own check does: in either
// case, with spaces, dots or a stream at the end, with ignored characters, or as the short name git~1.
func isDotGit(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	name = strings.TrimRight(strings.Map(dropIgnored, name), " .")
	return strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1")
}

// dropIgnored removes the characters that HFS+ ignores in names.
func dropIgnored(r rune) rune {
	switch {
	case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
		return -1
	}
	return r
}

// clashError says that p needs a directory where file is a file.
func clashError(p, file string) error {
	todo := "rename one of them"
	if path.Base(file) == "Kptfile" {
		todo = "rename that directory: Kptfile must be the file that describes the package"
	}
	return &PathError{Path: p, Reason: fmt.Sprintf("needs a directory where %q is a file; %s", folder.Short(file), todo)}
}

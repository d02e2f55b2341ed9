package gitrepo

import (
	"encoding/hex"
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/redact"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

const (
	heads = "refs/heads/"
	tags  = "refs/tags/"
)

// checkRefName returns a *RefNameError for what cannot be the name of a branch or tag, or could be
// taken for something else: an option, a revision expression, a name that moves by itself (HEAD).
func checkRefName(name string) error {
	bad := func(reason string) error { return &RefNameError{Name: redact.Ref(name), Reason: reason} }
	short := strings.TrimPrefix(strings.TrimPrefix(name, heads), tags)
	switch {
	case len(name) > 1024:
		return &RefNameError{Name: redact.Ref(name[:32] + "…"), Reason: "is longer than 1024 bytes"}
	case strings.HasPrefix(name, "-"):
		return bad("begins with a dash")
	case name == "@":
		return bad("moves with the repository's default branch: name the branch, or leave the ref out")
	case strings.HasPrefix(short, "refs/") || short == "refs":
		return bad("is neither a branch nor a tag: want a name, refs/heads/NAME or refs/tags/NAME")
	case strings.ContainsFunc(name, isOddInRef) || strings.ToValidUTF8(name, "") != name:
		return bad("contains a character that Git allows in no ref")
	case strings.Contains(name, "..") || strings.Contains(name, "@{"):
		return bad("is an expression and not a name")
	case short == "" || path.Clean("/"+short) != "/"+short:
		return bad("has an empty part")
	}
	for part := range strings.SplitSeq(short, "/") {
		if strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".") || strings.HasSuffix(part, ".lock") {
			return bad("has a part that begins or ends with a dot, or ends with .lock")
		}
	}
	return nil
}

// CheckBranch returns a *RefNameError for what cannot be the name of a branch, without refs/heads/.
func CheckBranch(name string) error {
	if err := checkRefName(name); err != nil {
		return err
	}
	return checkRefName(heads + name)
}

// isOddInRef reports the characters that git check-ref-format forbids, and those that are invisible.
func isOddInRef(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune(`~^:?*[\`, r)
}

// checkDir returns the directory of a package as the paths of Git trees are written: "" for the
// root, no slash at either end.
func checkDir(dir string) (string, error) {
	dir = strings.Trim(dir, "/")
	if dir == "" || dir == "." {
		return "", nil
	}
	return dir, pkgtree.CheckPath(dir)
}

// candidates are the refs that name may stand for, for a package in dir, in the order in which they
// count. kpt's order comes first, all of it: tags made for the package or for a directory above it, the
// deepest first; then the branch, then the tag of just that name. What kpt would not find, branches
// made for the package, comes last, so that everything kpt finds is found as kpt does; and then what Git itself
// would call heads/NAME, tags/NAME or, in a clone, origin/NAME.
func candidates(dir, name string) (out []string) {
	if strings.HasPrefix(name, heads) || strings.HasPrefix(name, tags) {
		return []string{name}
	}
	var own []string
	for d := dir; d != "" && d != "."; d = path.Dir(d) {
		own = append(own, d+"/"+name)
	}
	for _, n := range own {
		out = append(out, tags+n)
	}
	out = append(out, heads+name, tags+name)
	for _, n := range own {
		out = append(out, heads+n)
	}
	if branch, ok := strings.CutPrefix(name, "origin/"); ok {
		out = append(out, heads+branch)
	}
	if strings.HasPrefix(name, "heads/") || strings.HasPrefix(name, "tags/") {
		out = append(out, "refs/"+name)
	}
	return out
}

// Hash names a Git object. The zero Hash names none.
type Hash = plumbing.Hash

// ParseHash reads 40 lowercase hex digits.
func ParseHash(s string) (Hash, error) {
	var h Hash
	if b, err := hex.DecodeString(s); err == nil && len(b) == len(h) {
		copy(h[:], b)
	}
	if h.IsZero() || h.String() != s {
		return Hash{}, fmt.Errorf("%q is not a commit id: want 40 lowercase hex digits", s)
	}
	return h, nil
}

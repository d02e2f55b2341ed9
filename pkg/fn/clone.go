package fn

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// GeneratedIn says in which clone an object was generated, by where that was cloned from.
const GeneratedIn = ReservedPrefix + "generated-in"

// GeneratedUpstream is the value of GeneratedIn for objects that a clone came with, where no Kptfile tells.
const GeneratedUpstream = "upstream"

// Origins tells what was generated in a package from what the package was cloned with: a clone begins with the Bindings and works
// of its blueprint, which name clusters of the blueprint's fleet.
type Origins struct {
	mayBeClone bool
	id         string // what GeneratedIn says here; empty where the package has no upstream
}

// OriginsIn reads the outermost Kptfile of the items. Without an upstream everything was generated here, and without any Kptfile
// nothing tells.
func OriginsIn(items []*krm.Object) Origins {
	var files []*krm.Object
	for _, o := range items {
		if o.Is("kpt.dev", "Kptfile") {
			files = append(files, o)
		}
	}
	if len(files) == 0 {
		return Origins{mayBeClone: true}
	}
	outermost := Folder(slices.MinFunc(files, func(a, b *krm.Object) int { return cmp.Compare(len(Folder(a)), len(Folder(b))) }))
	clone := slices.IndexFunc(files, func(o *krm.Object) bool {
		return len(Folder(o)) == len(outermost) && (o.Lookup("upstream") != nil || o.Lookup("upstreamLock") != nil)
	})
	if clone < 0 {
		return Origins{}
	}
	return Origins{mayBeClone: true, id: cloneID(files[clone])}
}

// cloneID is a digest of where a package was cloned from, whatever revision it follows: a URL may have a password.
func cloneID(kptfile *krm.Object) string {
	digest := sha256.New()
	for _, field := range []string{"repo", "directory"} {
		for _, source := range []string{"upstreamLock", "upstream"} {
			if n := kptfile.Lookup(source, "git", field); n != nil {
				digest.Write([]byte(strings.TrimSuffix(strings.Trim(krm.Deref(n).Value, "/"), ".git") + "\n"))
				break
			}
		}
	}
	return "sha256-" + hex.EncodeToString(digest.Sum(nil))[:16]
}

// Here reports whether o was generated in this package, and not in the one that it was cloned from. In a clone that lost its
// upstream, what it generated before was generated here.
func (s Origins) Here(o *krm.Object) bool {
	in := o.Annotation(GeneratedIn)
	if !s.mayBeClone {
		return in != GeneratedUpstream
	}
	return in != "" && in == s.id
}

// ID is what GeneratedIn says of what is generated in this clone; empty where it is none.
func (s Origins) ID() string { return s.id }

// mark notes that o is generated here.
func (s Origins) mark(o *krm.Object) {
	if s.id != "" {
		o.SetAnnotation(GeneratedIn, s.id)
	}
}

// Folder is where an object's file is: the orchestrator says where the package is, and the path where in it.
func Folder(o *krm.Object) string {
	return strings.Trim(path.Join("/", o.Annotation(krm.PackagePathAnnotation), path.Dir(o.File())), "/")
}

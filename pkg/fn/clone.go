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

// GeneratedIn identifies the clone in which an object was generated, by the source of the clone.
const GeneratedIn = ReservedPrefix + "generated-in"

// GeneratedUpstream is the value of GeneratedIn for objects of the upstream of a clone, when no Kptfile names it.
const GeneratedUpstream = "upstream"

// Origins distinguishes objects that were generated in a package from those it was cloned with: a clone begins with the
// Bindings and works of its blueprint, which name clusters of the blueprint's fleet.
type Origins struct {
	mayBeClone bool
	id         string // the value of GeneratedIn here; empty when the package has no upstream
}

// OriginsIn reads the outermost Kptfile of the items. Without an upstream everything was generated here; without a Kptfile
// that is not known.
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

// cloneID is a digest of the source of a package, without the revision. A digest, because a URL may have a password.
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

// Here reports whether o was generated in this package, and not in the one that it was cloned from. A clone that lost its
// upstream still owns the objects that were generated in it.
func (s Origins) Here(o *krm.Object) bool {
	in := o.Annotation(GeneratedIn)
	if !s.mayBeClone {
		return in != GeneratedUpstream
	}
	return in != "" && in == s.id
}

// ID is the value of GeneratedIn for objects that are generated in this clone; empty when the package is no clone.
func (s Origins) ID() string { return s.id }

// mark marks o as generated here.
func (s Origins) mark(o *krm.Object) {
	if s.id != "" {
		o.SetAnnotation(GeneratedIn, s.id)
	}
}

// Folder is the folder of an object's file: the orchestrator gives the folder of the package and the path in it.
func Folder(o *krm.Object) string {
	return strings.Trim(path.Join("/", o.Annotation(krm.PackagePathAnnotation), path.Dir(o.File())), "/")
}

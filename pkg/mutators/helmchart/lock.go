package helmchart

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// lockKind is the kind of locks, which waybill helm lock writes.
const lockKind = "HelmChartLock"

// lock says which archives a config renders.
type lock struct {
	object *krm.Object
	Charts []lockedChart `json:"charts"`
}

type lockedChart struct {
	Name       string `json:"name"`
	Repo       string `json:"repo"`
	Version    string `json:"version"`
	Constraint string `json:"constraint"` // of the config, if it is no exact version
	Digest     string `json:"digest"`
	Path       string `json:"path"` // from the folder of the config on
}

// findLock finds the lock of a config among the items; nil if there is none.
func findLock(in *fn.Input, name string) (*lock, error) {
	folder := fn.PackageFolder(in)
	for _, o := range in.Items {
		if !o.Is(fn.ConfigGroup, lockKind) || o.Name() != name || !isIn(in, o, folder) {
			continue
		}
		l := &lock{object: o}
		errs := fn.UnknownFields(o, "entries belong under charts", "charts")
		if n := o.Lookup("charts"); n != nil && !krm.IsNull(n) {
			errs = append(errs, krm.DecodeErrors(n, field.NewPath("charts"), &l.Charts)...)
		}
		if err := errs.ToAggregate(); err != nil {
			return nil, fmt.Errorf("%s: %w; run waybill helm lock", o.Describe(), err)
		}
		return l, nil
	}
	return nil, nil
}

// isIn reports whether o belongs to the package in a folder, and not to a subpackage of it.
func isIn(in *fn.Input, o *krm.Object, folder string) bool {
	own := fn.Folder(o)
	return !slices.ContainsFunc(in.Items, func(k *krm.Object) bool {
		inner := fn.Folder(k)
		return k.Is("kpt.dev", "Kptfile") && inner != folder && (own == inner || len(own) > len(inner) && own[:len(inner)+1] == inner+"/")
	})
}

// find is the entry of a chart; nil if there is none.
func (l *lock) find(a *chartArgs) *lockedChart {
	if l == nil {
		return nil
	}
	for i := range l.Charts {
		if c := &l.Charts[i]; c.Name == a.Name && c.Repo == a.Repo && c.isFor(a) {
			return c
		}
	}
	return nil
}

// isFor reports whether the entry is for the version that the config names. A chart of a repository is locked with the constraint;
// no version is the constraint "*". A chart that lies in the package has the version that it has.
func (c *lockedChart) isFor(a *chartArgs) bool {
	if a.Repo == "" {
		return a.Version == "" || a.Version == c.Version
	}
	return cmp.Or(a.Version, "*") == cmp.Or(c.Constraint, c.Version)
}

// digestOf is the digest of an archive.
func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// folderDigest is the digest of a chart in a folder: that of a line "<digest>  <path>" for each file, sorted.
func folderDigest(files fn.Files, names []string, folder string) string {
	all := sha256.New()
	for _, name := range names {
		sum := sha256.Sum256(files[name])
		fmt.Fprintf(all, "%s  %s\n", hex.EncodeToString(sum[:]), name[len(path.Clean(folder))+1:])
	}
	return "sha256:" + hex.EncodeToString(all.Sum(nil))
}

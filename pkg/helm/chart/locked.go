package chart

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// LockKind is the kind of the objects that lock the charts of a config.
const LockKind = "HelmChartLock"

// AnyVersion is the constraint of a config without a version.
const AnyVersion = "*"

// Locked is a locked chart.
type Locked struct {
	Name string `json:"name"`
	// Repo is where it was fetched; "" for a chart that lies in the package.
	Repo string `json:"repo,omitempty"`
	// Version is exact.
	Version string `json:"version"`
	// Constraint is what the config says, if that is no exact version: a range, or AnyVersion.
	Constraint string `json:"constraint,omitempty"`
	// Digest is that of the archive, or of the folder: see Digest and FolderDigest.
	Digest string `json:"digest"`
	// Path of the archive or folder, from the folder of the lock.
	Path string `json:"path"`
}

// FindLocked returns the chart that a config names by its name, repo and version; nil if there is none.
func FindLocked(charts []Locked, name, repo, version string) *Locked {
	for i := range charts {
		if c := &charts[i]; c.Name == name && c.Repo == repo && c.isOf(version) {
			return c
		}
	}
	return nil
}

// isOf reports whether c is locked for the version in a config. A chart that lies in the package has the version that it has.
func (c *Locked) isOf(version string) bool {
	if c.Repo == "" {
		return version == "" || version == c.Version
	}
	return cmp.Or(version, AnyVersion) == cmp.Or(c.Constraint, c.Version)
}

// Digest is the digest of an archive.
func Digest(archive []byte) string {
	sum := sha256.Sum256(archive)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// FolderDigest is the digest of a chart that lies in a package as a folder: that of a line "<hex SHA-256>  <path>" for each of its
// files, as sha256sum prints them. The paths are sorted, and start in the folder.
func FolderDigest(paths []string, read func(path string) []byte) string {
	all := sha256.New()
	for _, p := range paths {
		fmt.Fprintf(all, "%x  %s\n", sha256.Sum256(read(p)), p)
	}
	return "sha256:" + hex.EncodeToString(all.Sum(nil))
}

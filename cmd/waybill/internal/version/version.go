// Package version says what was built: which release, or which commit of a checkout.
package version

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"sync"
)

// Devel is the version of what is no release.
const Devel = "devel"

// The build of a release sets these: go build -ldflags='-X github.com/waybill-dev/waybill/cmd/waybill/internal/version.release=v1.2.3', and
// the same for commit and date (RFC 3339).
var release, commit, date string

// Info says what was built.
type Info struct {
	// Version is a release, a version of the module that `go install` was asked for, or Devel for a build from a checkout.
	Version string `json:"version"`
	// Commit and its Date are empty if the build recorded none, as with -buildvcs=false.
	Commit string `json:"commit,omitempty"`
	Date   string `json:"date,omitempty"`
	// Modified says that files differed from the commit.
	Modified bool `json:"modified,omitempty"`
	// Go built it, for Platform.
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Get is the Info of this program.
var Get = sync.OnceValue(func() Info {
	build, _ := debug.ReadBuildInfo()
	return read(build)
})

// read is the Info of a build, nil for none.
func read(build *debug.BuildInfo) Info {
	out := Info{Version: Devel, Commit: commit, Date: date, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	checkout := false
	if build != nil {
		for _, s := range build.Settings {
			switch s.Key {
			case "vcs.revision":
				checkout, out.Commit = true, cmp.Or(out.Commit, s.Value)
			case "vcs.time":
				out.Date = cmp.Or(out.Date, s.Value)
			case "vcs.modified":
				out.Modified = s.Value == "true"
			}
		}
		// A checkout has a version, too, that Go computes from the last tag.
		if v := build.Main.Version; !checkout && v != "" && v != "(devel)" {
			out.Version = v
		}
	}
	out.Version = cmp.Or(release, out.Version)
	return out
}

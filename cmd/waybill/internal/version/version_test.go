package version

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	const sum = "0123456789abcdef0123456789abcdef01234567"
	stamped := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "-trimpath", Value: "true"}, {Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: sum},
			{Key: "vcs.time", Value: "2026-11-01T02:03:04Z"}, {Key: "vcs.modified", Value: modified}}
	}
	build := func(version string, settings []debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Path: "github.com/waybill-dev/waybill", Version: version}, Settings: settings}
	}
	cases := map[string]struct {
		reason                string
		build                 *debug.BuildInfo
		release, commit, date string // set by the linker
		want                  Info
	}{
		"checkout": {reason: "a clean checkout is no release", build: build("v0.0.0-20261101020304-0123456789ab", stamped("false")),
			want: Info{Version: Devel, Commit: sum, Date: "2026-11-01T02:03:04Z"}},
		"checkout of a tag": {reason: "not even if the commit has the tag of one", build: build("v0.1.0", stamped("false")),
			want: Info{Version: Devel, Commit: sum, Date: "2026-11-01T02:03:04Z"}},
		"modified": {reason: "changes are told", build: build("v0.1.0+dirty", stamped("true")),
			want: Info{Version: Devel, Commit: sum, Date: "2026-11-01T02:03:04Z", Modified: true}},
		"not stamped": {reason: "-trimpath -buildvcs=false records nothing", build: build("(devel)", nil), want: Info{Version: Devel}},
		"test":        {reason: "a test binary has an empty version", build: build("", nil), want: Info{Version: Devel}},
		"no modules":  {reason: "a build may record nothing at all", want: Info{Version: Devel}},
		"go install":  {reason: "go install of a version is that version", build: build("v0.2.0", nil), want: Info{Version: "v0.2.0"}},
		"go install of a branch": {reason: "Go makes a version of the commit", build: build("v0.2.1-0.20261101020304-0123456789ab", nil),
			want: Info{Version: "v0.2.1-0.20261101020304-0123456789ab"}},
		"release": {reason: "a release is what its build says", build: build("(devel)", nil), release: "v0.2.0", commit: sum, date: "2026-11-02T00:00:00Z",
			want: Info{Version: "v0.2.0", Commit: sum, Date: "2026-11-02T00:00:00Z"}},
		"release of a checkout": {reason: "also where Go stamps", build: build("v0.2.0", stamped("false")), release: "v0.2.0",
			want: Info{Version: "v0.2.0", Commit: sum, Date: "2026-11-01T02:03:04Z"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			release, commit, date = tc.release, tc.commit, tc.date
			defer func() { release, commit, date = "", "", "" }()
			tc.want.Go, tc.want.Platform = runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH
			if diff := cmp.Diff(tc.want, read(tc.build)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

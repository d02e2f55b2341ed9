package image

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReference(t *testing.T) {
	cases := map[string]struct {
		reason        string
		function, tag string
		want, err     string
	}{
		"Plain": {
			reason:   "The form that architecture decision 1 gives.",
			function: "bind-resolve", tag: "v0.1.0",
			want: "ghcr.io/waybill-dev/bind-resolve:v0.1.0",
		},
		"NoTag": {
			reason:   "Without a tag engines would take latest.",
			function: "bind-resolve",
			err:      `image reference "ghcr.io/waybill-dev/bind-resolve:": want registry/repository:tag: `,
		},
		"Upper": {
			reason:   "Registries refuse upper case in repositories.",
			function: "Bind", tag: "v1",
			err: `function name "Bind": want a DNS label (lower case letters, digits, '-')`,
		},
		"TagWithPath": {
			reason:   "A slash in the tag would name another repository.",
			function: "bind", tag: "v1/x",
			err: `image reference "ghcr.io/waybill-dev/bind:v1/x": want registry/repository:tag: `,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := Reference(tc.function, tc.tag)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nReference (-want +got):\n%s", tc.reason, diff)
			}
			if (tc.err == "") != (err == nil) || !strings.HasPrefix(errorText(err), tc.err) {
				t.Errorf("%s\nReference: want error %q, got %q", tc.reason, tc.err, errorText(err))
			}
		})
	}
}

func FuzzReference(f *testing.F) {
	f.Add("bind-resolve", "v0.1.0")
	f.Add("a", "latest@sha256:0")
	f.Add("a:b", "")
	f.Fuzz(func(t *testing.T, function, tag string) {
		ref, err := Reference(function, tag)
		if err != nil {
			return
		}
		if ref != "ghcr.io/waybill-dev/"+function+":"+tag {
			t.Errorf("Reference(%q, %q) = %q: names something else", function, tag, ref)
		}
		if _, err := parseReference(ref); err != nil {
			t.Errorf("Reference(%q, %q) = %q: does not parse again: %v", function, tag, ref, err)
		}
	})
}

func TestParsePlatform(t *testing.T) {
	cases := map[string]struct{ reason, in, want, err string }{
		"AMD64":   {reason: "One of the two.", in: "linux/amd64", want: "linux/amd64"},
		"ARM64":   {reason: "The other.", in: "linux/arm64", want: "linux/arm64"},
		"Variant": {reason: "Go builds one arm64.", in: "linux/arm64/v8", err: `platform "linux/arm64/v8": want one of linux/amd64, linux/arm64`},
		"OSOnly":  {reason: "No guessing.", in: "linux", err: `platform "linux": want one of linux/amd64, linux/arm64`},
		"Empty":   {reason: "No guessing.", in: "", err: `platform "": want one of linux/amd64, linux/arm64`},
		"Darwin":  {reason: "Containers are Linux.", in: "darwin/arm64", err: `platform "darwin/arm64": want one of linux/amd64, linux/arm64`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := ParsePlatform(tc.in)
			if diff := cmp.Diff(tc.err, errorText(err)); diff != "" {
				t.Errorf("%s\nParsePlatform error (-want +got):\n%s", tc.reason, diff)
			}
			if err == nil && p.String() != tc.want {
				t.Errorf("%s\nParsePlatform: want %q, got %q", tc.reason, tc.want, p)
			}
		})
	}
}

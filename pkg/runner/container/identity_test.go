package container

import (
	"runtime"
	"strings"
	"testing"
)

func TestIdentity(t *testing.T) {
	digest := "sha256:" + strings.Repeat("a", 64)
	pinned := "image " + digest + " " + runtime.GOARCH
	cases := map[string]struct {
		reason, image string
		opts          Options
		want          string
	}{
		"pinned":         {"a digest is one image for ever", "registry.example/f@" + digest, Options{}, pinned},
		"pinned and tag": {"whatever tag stands beside it", "registry.example/f:v1@" + digest, Options{}, pinned},
		"tag":            {"a tag can move", "registry.example/f:v1", Options{}, ""},
		"network":        {"who can ask others is not a function of the input", "registry.example/f@" + digest, Options{AllowNetwork: true}, ""},
		"mount":          {"nor is who can read files", "registry.example/f@" + digest, Options{Mounts: []string{"type=bind,src=/from,dst=/to"}}, ""},
		"variable":       {"nor who is told more", "registry.example/f@" + digest, Options{Env: []string{"A=b"}}, ""},
		"user":           {"nor a function run as the current user", "registry.example/f@" + digest, Options{AsCurrentUser: true}, ""},
		"no image":       {"what is no image has no identity", "registry.example/F@" + digest, Options{}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			c.opts.Engine = "true" // a program that is there; nothing runs
			f, err := New(c.image, c.opts)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Identity(); got != c.want {
				t.Errorf("%s: %q, want %q", c.reason, got, c.want)
			}
		})
	}
}

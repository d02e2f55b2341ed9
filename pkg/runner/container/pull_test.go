package container

import (
	"context"
	"errors"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestMissingImage asks for an image that neither the engine nor a registry has.
func TestMissingImage(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	registry := httptest.NewTLSServer(nil) // with an untrusted certificate: podman does not try again
	t.Cleanup(registry.Close)
	image := strings.TrimPrefix(registry.URL, "https://") + "/waybill-no-such-image:v0"
	for _, policy := range []string{"Never", "IfNotPresent", "Always"} {
		t.Run(policy, func(t *testing.T) {
			f, err := New(image, Options{Engine: "podman", PullPolicy: policy})
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.Run(context.Background(), &fn.Input{})
			if want := `could not run image "` + image + `" (exit status 125)`; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("err = %v, want %q", err, want)
			}
			var failed *runner.Failure
			if errors.As(err, &failed) {
				t.Error("an engine that cannot run the image is taken for a function that failed")
			}
		})
	}
}

// TestLocalImage asks for an image that the engine has and no registry: only who always wants the
// registry's does not get it.
func TestLocalImage(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	registry := httptest.NewTLSServer(nil)
	t.Cleanup(registry.Close)
	image := strings.TrimPrefix(registry.URL, "https://") + "/waybill-local:v1"
	run(t, nil, "podman", "tag", importImage(t, runtime.GOARCH), image)
	t.Cleanup(func() { run(t, nil, "podman", "rmi", image) })
	for policy, runs := range map[string]bool{"Never": true, "IfNotPresent": true, "Always": false} {
		t.Run(policy, func(t *testing.T) {
			f, err := New(image, Options{Engine: "podman", PullPolicy: policy})
			if err != nil {
				t.Fatal(err)
			}
			stdout, _, _, err := f.Process(context.Background(), []byte("tell\n"))
			if got := err == nil && strings.Contains(string(stdout), "NoNewPrivs 1"); got != runs {
				t.Errorf("ran: %v (%v), want %v", got, err, runs)
			}
		})
	}
}

// TestOtherArchitecture runs an image that this machine's processor does not understand.
func TestOtherArchitecture(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	arch := "arm64"
	if runtime.GOARCH == arch {
		arch = "amd64"
	}
	f, err := New(importImage(t, arch), Options{Engine: "podman", PullPolicy: "Never"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.Run(context.Background(), &fn.Input{}); err == nil || !strings.Contains(err.Error(), "exec format error") {
		t.Errorf("err = %v", err)
	}
}

func TestLocalTags(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	image := importImage(t, runtime.GOARCH)
	repository := strings.TrimSuffix(image, ":v1")
	run(t, nil, "podman", "tag", image, repository+":v1.2.3", repository+"-other:v9")
	t.Cleanup(func() { run(t, nil, "podman", "untag", image, repository+":v1.2.3", repository+"-other:v9") })
	tags, err := LocalTags(context.Background(), "podman", repository)
	slices.Sort(tags)
	if err != nil || !slices.Equal(tags, []string{"v1", "v1.2.3"}) {
		t.Errorf("LocalTags = %v, %v", tags, err)
	}
	if _, err := LocalTags(context.Background(), "false", repository); err == nil || err.Error() != "false images: exit status 1: " {
		t.Errorf("an engine that fails: err = %v", err)
	}
}

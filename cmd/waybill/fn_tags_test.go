package main

import (
	"context"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

// registryWith is a registry that has an image under these tags; it returns the repository.
func registryWith(t *testing.T, tags ...string) string {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	repository := strings.TrimPrefix(server.URL, "http://") + "/team/f"
	for _, tag := range tags {
		ref, err := name.NewTag(repository + ":" + tag)
		if err != nil {
			t.Fatal(err)
		}
		if err := remote.Write(ref, empty.Image); err != nil {
			t.Fatal(err)
		}
	}
	return repository
}

func TestRegistryTags(t *testing.T) {
	repository := registryWith(t, "v1.0.0", "v1.2.0", "latest")
	tags, err := cli.RegistryTags(context.Background(), repository)
	slices.Sort(tags)
	if err != nil || !slices.Equal(tags, []string{"latest", "v1.0.0", "v1.2.0"}) {
		t.Errorf("tags %v (%v)", tags, err)
	}
	if _, err := cli.RegistryTags(context.Background(), repository+"-none"); err == nil {
		t.Error("a repository that is not there has tags")
	}
}

// TestConstraintFailsFirst has a constraint that nothing meets after a function that would leave a
// trace: nothing has run.
func TestConstraintFailsFirst(t *testing.T) {
	t.Setenv("PATH", "/usr/bin:/bin")
	t.Setenv("KRM_FN_RUNTIME", "")
	repository, dir := registryWith(t, "v1.0.0"), t.TempDir()
	trace := filepath.Join(t.TempDir(), "trace")
	writeFiles(t, dir, map[string]string{
		"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n  - exec: tee " + trace +
			"\n  - image: " + repository + "\n    tag: \">=2 <3\"\n",
	})
	r := runCLI(t, "fn", "render", dir, "--allow-exec")
	if r.code != exitFailed || !strings.Contains(r.stderr, `tag ">=2 <3": no version meets it among the linked functions`) ||
		!strings.Contains(r.stderr, "the tags in the registry") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(trace); !os.IsNotExist(err) {
		t.Errorf("the function before it ran (%v)", err)
	}
}

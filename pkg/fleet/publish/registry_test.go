package publish

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
)

// TestRegistry publishes to a real registry, and reads what Flux would pull. The same files have the same digest in each revision.
func TestRegistry(t *testing.T) {
	s := ocitest.Registry(t, ocitest.WithLogin("publisher", "s3cr3t"))
	prefix, err := oci.ParseReference(s.URL("fleet/edge"))
	if err != nil {
		t.Fatal(err)
	}
	login := base64.StdEncoding.EncodeToString([]byte("publisher:s3cr3t"))
	config := t.TempDir()
	if err := os.WriteFile(filepath.Join(config, "config.json"), fmt.Appendf(nil, `{"auths": {%q: {"auth": %q}}}`, s.Host, login), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DOCKER_CONFIG", config)
	client, err := oci.New(oci.Options{MoveTags: true})
	if err != nil {
		t.Fatal(err)
	}
	digests := map[string][]string{}
	for n, values := range [][]int{{1, 1}, {1, 2}, {1, 1}} {
		p := publisher(Below(prefix, client), n+1)
		p.Source = "https://git.example.com/fleet.git"
		contents := fleetOf(t, values...)
		if _, err := p.Run(t.Context(), contents); err != nil {
			t.Fatal(err)
		}
		for _, c := range contents {
			got, err := client.Pull(t.Context(), Below(prefix, client).(below).at(c.Name).WithTag("latest"))
			if err != nil {
				t.Fatal(err)
			}
			files, _, err := got.Tree(oci.UnpackLimits{})
			if err != nil || !files.Equal(c.Files) || got.Config.MediaType != oci.FluxConfig || len(got.Layers) != 1 || got.Layers[0].MediaType != oci.FluxContent ||
				len(got.Annotations) != 1 || got.Annotations[oci.Source] != p.Source {
				t.Errorf("%s: %v %+v", c.Name, err, got)
			}
			digests[c.Name] = append(digests[c.Name], got.Digest)
		}
		index, err := client.Pull(t.Context(), prefix.WithTag("latest"))
		if err != nil || index.Annotations[oci.Revision] != commit(n+1) {
			t.Errorf("index: %v %+v", err, index)
		}
	}
	a, b := digests["c0"], digests["c1"]
	if a[0] != a[1] || a[1] != a[2] || b[0] == b[1] || b[0] != b[2] {
		t.Errorf("digests: %v", digests)
	}
}

package fluxtest

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// ArtifactObjects are the objects by which the Flux of a cluster applies the cluster's artifact. They name the URL of the prefix PREFIX,
// and the cluster CLUSTER.
//
//go:embed artifacts.yaml
var ArtifactObjects string

// FollowArtifact has Flux apply the artifact of a cluster below a prefix, of a registry on this machine without encryption.
func (f *Flux) FollowArtifact(t testing.TB, prefix, cluster string) {
	t.Helper()
	text := strings.NewReplacer("PREFIX", prefix, "CLUSTER", cluster, "  url:", "  insecure: true\n  url:").Replace(ArtifactObjects)
	if out, err := f.Kubectl(t, f.Admin(), text, "apply", "-f", "-"); err != nil {
		t.Fatal(err, out)
	}
}

// SyncArtifact has Flux look for a new artifact of a cluster, and waits until it has applied the one with this digest.
func (f *Flux) SyncArtifact(t testing.TB, cluster, digest string) {
	t.Helper()
	source := clustertest.Empty("source.toolkit.fluxcd.io/v1", "OCIRepository", namespace, cluster)
	f.request(t, source)
	f.eventually(t, "apply artifact "+digest+" of "+cluster, func() string {
		if state := f.state(t, cluster); state != "True latest@"+digest {
			f.get(t, source)
			conditions, _, _ := unstructured.NestedSlice(source.Object, "status", "conditions")
			return fmt.Sprint(conditions, "; ", state)
		}
		return ""
	})
}

// ArtifactPulledAt returns when Flux stored the artifact that it has of a cluster, and its digest.
func (f *Flux) ArtifactPulledAt(t testing.TB, cluster string) (at, revision string) {
	t.Helper()
	source := clustertest.Empty("source.toolkit.fluxcd.io/v1", "OCIRepository", namespace, cluster)
	f.get(t, source)
	at, _, _ = unstructured.NestedString(source.Object, "status", "artifact", "lastUpdateTime")
	revision, _, _ = unstructured.NestedString(source.Object, "status", "artifact", "revision")
	return at, revision
}

package clustertest

import (
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// InstallCRDs creates or updates the CustomResourceDefinitions in the files of a folder, and waits until their kinds are
// served.
func (c *Cluster) InstallCRDs(t testing.TB, folder string) {
	t.Helper()
	_, err := envtest.InstallCRDs(c.admin, envtest.CRDInstallOptions{
		Paths: []string{folder}, ErrorIfPathMissing: true, MaxTime: startTimeout, PollInterval: 20 * time.Millisecond})
	if err != nil {
		t.Fatalf("install the CustomResourceDefinitions of %q: %v", folder, err)
	}
}

package ocmcheck

import (
	"fmt"

	workv1 "open-cluster-management.io/api/work/v1"
	"sigs.k8s.io/yaml"
)

// A hub's webhook counts only manifests, but the hub stores the whole work. etcd refuses requests of
// more than maxStored bytes. A work with several objects should leave room for what the hub
// adds to it; without configs the limit of the hub ensures that.
const (
	maxStored = 1_572_864
	maxSent   = 1_000_000
)

// checkSent measures the work as JSON.
func checkSent(file []byte, w *workv1.ManifestWork) []string {
	data, err := yaml.YAMLToJSON(file)
	if err != nil {
		return []string{"cannot be sent: " + err.Error()}
	}
	limit := maxStored
	if len(w.Spec.ManifestConfigs) > 0 && len(w.Spec.Workload.Manifests) > 1 {
		limit = maxSent
	}
	if len(data) > limit {
		return []string{fmt.Sprintf("takes %d bytes as it is sent, more than %d", len(data), limit)}
	}
	return nil
}

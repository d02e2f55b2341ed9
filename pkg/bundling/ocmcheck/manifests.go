package ocmcheck

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	workv1 "open-cluster-management.io/api/work/v1"
)

// manifest is what the hub and the agent read in an object.
type manifest struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   metav1.ObjectMeta `json:"metadata"`
}

func (m manifest) group() string {
	group, _, found := strings.Cut(m.APIVersion, "/")
	if !found {
		return ""
	}
	return group
}

// checkManifests adds up encoded sizes with the methods that the hub's webhook calls.
func checkManifests(w *workv1.ManifestWork, limit int) (manifests []manifest, faults []string) {
	total := 0
	seen := map[string]bool{}
	for i, raw := range w.Spec.Workload.Manifests {
		total += raw.Size()
		m, whys := readManifest(raw.Raw)
		for _, why := range whys {
			faults = append(faults, fmt.Sprintf("manifests[%d]: %s", i, why))
		}
		id := strings.Join([]string{m.group(), m.Kind, m.Metadata.Namespace, m.Metadata.Name}, "/")
		if seen[id] {
			faults = append(faults, fmt.Sprintf("manifests[%d]: %s is in this work already", i, id))
		}
		seen[id] = true
		manifests = append(manifests, m)
	}
	if len(manifests) == 0 {
		faults = append(faults, "has no manifests")
	}
	if total > limit {
		faults = append(faults, fmt.Sprintf("manifests take %d encoded bytes, more than %d", total, limit))
	}
	return manifests, faults
}

// readManifest reads an object of a work and returns what is wrong with it. The CRD of works embeds it, so an
// API server checks its metadata.
func readManifest(raw []byte) (m manifest, faults []string) {
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, []string{"is no object: " + err.Error()}
	}
	switch {
	case m.APIVersion == "" || m.Kind == "":
		return m, []string{"lacks apiVersion or kind"}
	case m.Metadata.GenerateName != "":
		return m, []string{"has a generateName"}
	case m.Metadata.Name == "":
		return m, []string{"has no name"}
	}
	if _, err := schema.ParseGroupVersion(m.APIVersion); err != nil {
		faults = append(faults, "apiVersion: "+err.Error())
	}
	for _, why := range validation.IsDNS1035Label(strings.ToLower(m.Kind)) {
		faults = append(faults, "kind: "+why)
	}
	faults = append(faults, checkMeta(&m.Metadata, m.Metadata.Namespace != "", pathSegment)...)
	if slices.ContainsFunc(slices.Collect(maps.Keys(m.Metadata.Annotations)), reserved) {
		faults = append(faults, "carries an annotation that is not for clusters")
	}
	return m, faults
}

// pathSegment is the rule for names of every kind. Many kinds have stricter ones.
func pathSegment(name string, _ bool) []string { return content.IsPathSegmentName(name) }

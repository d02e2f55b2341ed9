package ocmcheck

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	workv1 "open-cluster-management.io/api/work/v1"
)

// manifest is what the hub and the agent look at in an object.
type manifest struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name         string            `json:"name"`
		Namespace    string            `json:"namespace"`
		GenerateName string            `json:"generateName"`
		Annotations  map[string]string `json:"annotations"`
	} `json:"metadata"`
}

func (m manifest) group() string {
	group, _, found := strings.Cut(m.APIVersion, "/")
	if !found {
		return ""
	}
	return group
}

// checkManifests adds up encoded sizes with the very methods the hub's webhook calls.
func checkManifests(w *workv1.ManifestWork, limit int) (faults []string) {
	total := 0
	seen := map[string]bool{}
	for i, raw := range w.Spec.Workload.Manifests {
		total += raw.Size()
		m, why := readManifest(raw.Raw)
		if why != "" {
			faults = append(faults, fmt.Sprintf("manifests[%d]: %s", i, why))
		}
		id := strings.Join([]string{m.group(), m.Kind, m.Metadata.Namespace, m.Metadata.Name}, "/")
		if seen[id] {
			faults = append(faults, fmt.Sprintf("manifests[%d]: %s is in this work already", i, id))
		}
		seen[id] = true
	}
	if len(w.Spec.Workload.Manifests) == 0 {
		faults = append(faults, "has no manifests")
	}
	if total > limit {
		faults = append(faults, fmt.Sprintf("manifests take %d encoded bytes, more than %d", total, limit))
	}
	return faults
}

func readManifest(raw []byte) (m manifest, why string) {
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, "is no object: " + err.Error()
	}
	switch {
	case m.APIVersion == "" || m.Kind == "":
		return m, "lacks apiVersion or kind"
	case m.Metadata.GenerateName != "":
		return m, "has a generateName"
	case m.Metadata.Name == "":
		return m, "has no name"
	}
	for key := range m.Metadata.Annotations {
		if reserved(key) {
			return m, "carries an annotation that is not for clusters"
		}
	}
	return m, ""
}

var strategies = []workv1.UpdateStrategyType{workv1.UpdateStrategyTypeUpdate, workv1.UpdateStrategyTypeCreateOnly,
	workv1.UpdateStrategyTypeServerSideApply, workv1.UpdateStrategyTypeReadOnly}

// checkConfigs holds every config against the manifests: one that names nothing in the work does
// nothing, in silence.
func checkConfigs(w *workv1.ManifestWork) (faults []string) {
	present := map[string]bool{}
	for _, raw := range w.Spec.Workload.Manifests {
		m, _ := readManifest(raw.Raw)
		present[m.group()+"/"+m.Metadata.Namespace+"/"+m.Metadata.Name] = true
	}
	seen := map[workv1.ResourceIdentifier]bool{}
	for i, c := range w.Spec.ManifestConfigs {
		id := c.ResourceIdentifier
		if seen[id] {
			faults = append(faults, fmt.Sprintf("manifestConfigs[%d]: an agent takes the first config of an object; this is another", i))
		}
		seen[id] = true
		for _, fault := range checkRules(c) {
			faults = append(faults, fmt.Sprintf("manifestConfigs[%d].%s", i, fault))
		}
		if id.Resource == "" || id.Name == "" {
			faults = append(faults, fmt.Sprintf("manifestConfigs[%d]: lacks a resource or name", i))
		}
		if !present[id.Group+"/"+id.Namespace+"/"+id.Name] {
			faults = append(faults, fmt.Sprintf("manifestConfigs[%d]: names an object that is not in this work", i))
		}
		if c.UpdateStrategy != nil && !slices.Contains(strategies, c.UpdateStrategy.Type) {
			faults = append(faults, fmt.Sprintf("manifestConfigs[%d]: unknown strategy %q", i, c.UpdateStrategy.Type))
		}
	}
	return faults
}

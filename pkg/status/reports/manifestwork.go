package reports

import "fmt"

// workReader reads the manifests of a ManifestWork.
type workReader struct {
	rules
	// generation is that of the work, and observed the last one that its agent saw; 0: not known.
	generation, observed int64
}

func newWorkReader(obj map[string]any) workReader {
	generation, _ := child(obj, "metadata")["generation"].(int64)
	observed, _ := conditionAt(list(child(obj, "status"), "conditions"), "Applied")["observedGeneration"].(int64)
	return workReader{rulesOf(obj), generation, observed}
}

// readManifestWork returns a sighting of every manifest that the agent reports about. A manifest that the agent could not map
// to a resource names an object without its resource, and counts only if it failed. A work that is being deleted reports
// nothing: its agent no longer updates objects, and may have deleted some.
func readManifestWork(obj map[string]any) (seen []sighting, remarks []string, err error) {
	if child(obj, "metadata")["deletionTimestamp"] != nil {
		return nil, nil, nil
	}
	w, updated := newWorkReader(obj), lastUpdate(obj)
	known, letGo := map[Identity]bool{}, handed(obj)
	for i, m := range list(child(child(obj, "status"), "resourceStatus"), "manifests") {
		manifest, isMap := m.(map[string]any)
		if !isMap {
			return nil, nil, fmt.Errorf("status.resourceStatus.manifests[%d]: want a map", i)
		}
		id := identityAt(child(manifest, "resourceMeta"))
		if letGo[id.Unmapped()] {
			continue
		}
		state, message := w.stateOf(conditionsOf(id, manifest))
		switch part := id.missing(); {
		case known[id]:
			continue
		case part == "resource" && id.Name != "" && state == Failed:
		case part != "" && state == Failed:
			remarks = append(remarks, fmt.Sprintf("status.resourceStatus.manifests[%d]: apply failed: %s", i, message))
			continue
		case part != "":
			continue
		}
		known[id] = true
		report, odd := w.report(id, manifest)
		if report.Known {
			report.Updated = updated
		}
		for _, remark := range odd {
			remarks = append(remarks, fmt.Sprintf("status.resourceStatus.manifests[%d] (%s): %s", i, id, remark))
		}
		if report.Known || !report.Manifest.isEmpty() {
			seen = append(seen, sighting{id, report})
		}
	}
	return seen, remarks, nil
}

// report is what a work reports about one of its manifests. A manifest that failed, and one whose object is gone, has no
// status: its feedback is about an older object. One that the agent has neither tried to apply nor has feedback about is not
// reported yet.
func (w workReader) report(id Identity, manifest map[string]any) (r Report, remarks []string) {
	f := feedback{id: id, requested: w.of(id)}
	values := f.values(list(child(manifest, "statusFeedback"), "values"))
	r.Manifest = Manifest{Conditions: conditionsOf(id, manifest), Feedback: byName(values)}
	r.Manifest.State, r.Manifest.Message = w.stateOf(r.Manifest.Conditions)
	seen := conditionAt(r.Manifest.Conditions, "Applied") != nil || len(values) > 0
	if r.Known = seen && r.Manifest.Failure() == ""; r.Known {
		r.Status, r.Fields = statusOf(values)
	}
	return r, f.remarks
}

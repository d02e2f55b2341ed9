package reports

import "fmt"

// readWorkStatus returns the one sighting of a WorkStatus.
func readWorkStatus(obj map[string]any) (seen []sighting, remarks []string, err error) {
	ref := child(child(obj, "spec"), "sourceRef")
	id := identityAt(ref)
	if part := id.missing(); part != "" {
		return nil, nil, fmt.Errorf("spec.sourceRef.%s: want text that is not empty", part)
	}
	for _, part := range []string{"group", "namespace"} {
		if _, said := ref[part].(string); !said {
			remarks = append(remarks, "spec.sourceRef."+part+`: missing, taken as ""`)
		}
	}
	status, isMap := obj["status"].(map[string]any)
	if !isMap && obj["status"] != nil {
		return nil, nil, fmt.Errorf("status: want a map")
	}
	report := Report{Known: true, Status: status, Fields: status, Updated: lastUpdate(obj), Manifest: detailsOf(obj)}
	return []sighting{{id, report}}, remarks, nil
}

// detailsOf is what a WorkStatus says about its age: whether the last generation of the object that was sent is applied.
func detailsOf(obj map[string]any) (m Manifest) {
	details := child(obj, "statusDetails")
	last, _ := details["lastGeneration"].(int64)
	if applied, said := details["lastGenerationIsApplied"].(bool); last > 0 && said && !applied {
		m.State, m.Message = Stale, fmt.Sprintf("generation %d of the object is not applied yet", last)
	}
	return m
}

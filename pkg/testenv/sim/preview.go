package main

import (
	"encoding/json"
	"slices"
)

// preview is the part of a FleetPreview that the simulation compares.
type preview struct {
	Summary struct{ Clusters, Added, Removed, Changed, Moved int }
	Groups  []struct {
		Change string
		Object struct{ Kind, Name string }
		Shapes []struct{ Clusters []string }
	}
}

// preview has waybill say what a change will do; args name the two sides.
func (s *simulation) preview(args ...string) (map[changed]bool, error) {
	out, err := s.waybill("preview", 0, append([]string{"fleet", "preview", "-o", "json"}, args...)...)
	if err != nil {
		return nil, err
	}
	var p preview
	if err := json.Unmarshal(out.stdout, &p); err != nil {
		return nil, err
	}
	named := map[changed]bool{}
	for _, g := range p.Groups {
		object := g.Object.Kind + "/" + g.Object.Name
		if g.Object.Kind == "ManifestWork" {
			object = g.Object.Kind
		}
		for _, shape := range g.Shapes {
			for _, cluster := range shape.Clusters {
				named[changed{cluster, g.Change, object}] = true
			}
		}
	}
	return named, nil
}

// checkPreview compares what the preview named with what happened.
func (s *simulation) checkPreview(named, happened map[changed]bool) error {
	var wrong []string
	for c := range named {
		if !happened[c] {
			wrong = append(wrong, "the preview names what did not happen: "+c.String())
		}
	}
	for c := range happened {
		if !named[c] {
			wrong = append(wrong, "the preview misses "+c.String())
		}
	}
	slices.Sort(wrong)
	return s.law(lawPreview, len(wrong) == 0, "%d of %d differences: %v", len(wrong), len(happened), wrong[:min(3, len(wrong))])
}

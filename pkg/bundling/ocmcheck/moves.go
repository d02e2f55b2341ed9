package ocmcheck

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// handOver is the annotation that says how many of a work's manifests, the last ones, it lets go of.
const handOver = "waybill.dev/hand-over"

// Moves lists the objects that agents would delete and create again between two renders: objects that a cluster
// gets before and after, and that a work holds before and no longer after, neither by itself nor as a hand-over entry.
func Moves(before, after []*krm.Object) (faults []string) {
	then, now := holdings(before), holdings(after)
	wanted := map[string]bool{} // by cluster and object
	for work, held := range now {
		cluster, _, _ := strings.Cut(work, "/")
		for _, id := range held.ordinary {
			wanted[cluster+" "+id] = true
		}
	}
	for work, held := range then {
		cluster, _, _ := strings.Cut(work, "/")
		for _, id := range held.ordinary {
			if stays := append(slices.Clone(now[work].ordinary), now[work].entries...); wanted[cluster+" "+id] && !slices.Contains(stays, id) {
				faults = append(faults, fmt.Sprintf("%s loses %s, which the cluster goes on getting: agents delete it", work, id))
			}
		}
	}
	slices.Sort(faults)
	return faults
}

type holding struct{ ordinary, entries []string }

// holdings is what works hold, by cluster and name. Copies of one work count as one.
func holdings(works []*krm.Object) map[string]holding {
	out := map[string]holding{}
	for _, o := range Works(works) {
		var w struct {
			Spec struct {
				Workload struct{ Manifests []manifest }
			}
		}
		text, err := krm.CanonicalJSON(o.Node())
		if err != nil || json.Unmarshal(text, &w) != nil {
			continue // edited by hand into something that agents cannot read
		}
		key := o.Namespace() + "/" + o.Name()
		held, all := out[key], w.Spec.Workload.Manifests
		entries, err := strconv.Atoi(o.Annotation(handOver))
		if err != nil || entries < 0 || entries > len(all) {
			entries = 0
		}
		for i, m := range all {
			id := strings.Join([]string{m.group(), m.Kind, m.Metadata.Namespace, m.Metadata.Name}, "/")
			if i < len(all)-entries {
				held.ordinary = append(held.ordinary, id)
			} else {
				held.entries = append(held.entries, id)
			}
		}
		out[key] = held
	}
	return out
}

package ocmcheck

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	workv1 "open-cluster-management.io/api/work/v1"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// handOver is the annotation with the number of hand-over entries, the last of a work's manifests.
const handOver = "waybill.dev/hand-over"

// Moves lists the objects that agents would delete, or create against the rules, between two renders: objects that a cluster
// receives before and after, and that a work holds before and not after, also not as a hand-over entry.
// An object that no work owns after, because all works that hold it are ReadOnly, must be in an entry that releases it.
// others are works that do not change.
func Moves(before, after, others []*krm.Object) (faults []string) {
	then, now, theirs := holdings(before), holdings(after), holdings(others)
	held, owned := map[string]bool{}, map[string]bool{} // by cluster and object
	for _, works := range []map[string]holding{now, theirs} {
		for work, h := range works {
			cluster, _, _ := strings.Cut(work, "/")
			for _, m := range h.ordinary {
				held[cluster+" "+m.id] = true
				owned[cluster+" "+m.id] = owned[cluster+" "+m.id] || !m.watched && !m.released
			}
		}
	}
	for work, was := range then {
		cluster, _, _ := strings.Cut(work, "/")
		for _, m := range was.ordinary {
			key := cluster + " " + m.id
			entry, handsOver := now[work].entry(m.id)
			switch {
			case now[work].holds(m.id):
			case !handsOver && held[key]:
				faults = append(faults, fmt.Sprintf("%s loses %s, which the cluster goes on getting: agents delete it", work, m.id))
			case handsOver && m.watched && !entry.watched:
				faults = append(faults, fmt.Sprintf("%s only observed %s, and its entry may create it", work, m.id))
			case handsOver && !m.watched && !m.released && !owned[key] && (entry.watched || !entry.released):
				faults = append(faults, fmt.Sprintf("%s hands over %s, which no work owns afterwards: agents delete it in the end", work, m.id))
			}
		}
	}
	slices.Sort(faults)
	return faults
}

type holding struct{ ordinary, entries []member }

// member is an object in a work: whether it is ReadOnly there, and whether a rule orphans it.
type member struct {
	id                string
	watched, released bool
}

func (h holding) holds(id string) bool {
	return slices.ContainsFunc(h.ordinary, func(m member) bool { return m.id == id })
}

func (h holding) entry(id string) (member, bool) {
	i := slices.IndexFunc(h.entries, func(m member) bool { return m.id == id })
	if i < 0 {
		return member{}, false
	}
	return h.entries[i], true
}

// holdings are the objects of works, by cluster and name. Copies of one work count as one.
func holdings(works []*krm.Object) map[string]holding {
	out := map[string]holding{}
	for _, o := range Works(works) {
		var w workv1.ManifestWork
		text, err := krm.CanonicalJSON(o.Node())
		if err != nil || json.Unmarshal(text, &w) != nil {
			continue // a user has edited it, and agents cannot read it
		}
		key := o.Namespace() + "/" + o.Name()
		held, all := out[key], w.Spec.Workload.Manifests
		entries, err := strconv.Atoi(o.Annotation(handOver))
		if err != nil || entries < 0 || entries > len(all) {
			entries = 0
		}
		for i, raw := range all {
			var m manifest
			if json.Unmarshal(raw.Raw, &m) != nil {
				continue
			}
			now := member{id: strings.Join([]string{m.group(), m.Kind, m.Metadata.Namespace, m.Metadata.Name}, "/"), watched: watched(&w.Spec, m),
				released: released(w.Spec.DeleteOption, m)}
			if i < len(all)-entries {
				held.ordinary = append(held.ordinary, now)
			} else {
				held.entries = append(held.entries, now)
			}
		}
		out[key] = held
	}
	return out
}

// watched reports whether m is ReadOnly.
func watched(spec *workv1.ManifestWorkSpec, m manifest) bool {
	return strategyOf(spec.ManifestConfigs, m) == workv1.UpdateStrategyTypeReadOnly
}

func released(o *workv1.DeleteOption, m manifest) bool {
	if o == nil || o.PropagationPolicy == workv1.DeletePropagationPolicyTypeOrphan {
		return o != nil
	}
	return o.SelectivelyOrphan != nil && slices.ContainsFunc(o.SelectivelyOrphan.OrphaningRules, func(r workv1.OrphaningRule) bool {
		return means(workv1.ResourceIdentifier(r), m) && r.Namespace == m.Metadata.Namespace && r.Name == m.Metadata.Name
	})
}

// means reports whether id may name the kind of m: only a cluster knows the plurals of all kinds.
func means(id workv1.ResourceIdentifier, m manifest) bool {
	const ending = len("ies")
	stem := strings.TrimSuffix(strings.ToLower(m.Kind), "y")
	return id.Group == m.group() && strings.HasPrefix(id.Resource, stem) && len(id.Resource) <= len(stem)+ending
}

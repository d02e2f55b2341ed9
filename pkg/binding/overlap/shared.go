package overlap

// findPolicies finds the policies that share an object and a cluster with another: those with the same createOnly for the object,
// and those with another. It visits each object once for each policy that selects it.
func (f *finder) findPolicies(same, differ *overlap) {
	owners := make([][]int, len(f.objects))
	for i, p := range f.policies {
		for _, e := range p.Picks {
			owners[e.Index] = append(owners[e.Index], i)
		}
	}
	r := newReceivers(len(f.clusters))
	for object, policies := range owners {
		if len(policies) > 1 {
			r.count(object, policies, f.selected)
			same.add(policies, func(i int) bool { return f.selected[i].clusters.intersects(r.twice[f.selected[i].mode(object)]) })
			differ.add(policies, func(i int) bool { return f.selected[i].clusters.intersects(r.once[1-f.selected[i].mode(object)]) })
		}
	}
}

// add adds those of the policies of one object that overlap with another one there.
func (o *overlap) add(policies []int, overlaps func(policy int) bool) {
	found := false
	for _, i := range policies {
		if !overlaps(i) {
			continue
		}
		found = true
		if !o.policies.has(i) {
			o.policies.add(i)
			o.n++
		}
	}
	if found {
		o.objects++
	}
}

// receivers are the clusters that receive one object at least once and at least twice, by mode.
type receivers struct{ once, twice [2]bitset }

func newReceivers(clusters int) (r receivers) {
	for mode := range r.once {
		r.once[mode], r.twice[mode] = newBitset(clusters), newBitset(clusters)
	}
	return r
}

func (r receivers) count(object int, policies []int, all []selected) {
	for mode := range r.once {
		clear(r.once[mode])
		clear(r.twice[mode])
	}
	for _, i := range policies {
		mode := all[i].mode(object)
		once, twice := r.once[mode], r.twice[mode]
		for w, clusters := range all[i].clusters {
			twice[w] |= once[w] & clusters
			once[w] |= clusters
		}
	}
}

// mode is 1 if the policy has createOnly for an object, else 0.
func (s selected) mode(object int) int {
	if s.createOnly.has(object) {
		return 1
	}
	return 0
}

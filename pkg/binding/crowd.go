package binding

// crowd is policies that send an object to a cluster to which another one sends it, too.
type crowd struct {
	policies bitset
	n        int // how many policies these are
	objects  int // how many objects
}

func (c *crowd) add(policy int) {
	if !c.policies.has(policy) {
		c.policies.add(policy)
		c.n++
	}
}

// has reports whether two policies are both in the crowd.
func (c *crowd) has(i, j int) bool { return c.policies.has(i) && c.policies.has(j) }

// findCrowds fills two crowds, of policies that say the same of an object they share and of those
// that do not. It looks at each object once for each policy that selects it.
func (r *resolver) findCrowds(reaches []reach, same, differ *crowd) {
	owners := make([][]int, len(r.universe.All))
	for i, p := range r.policies {
		for _, e := range p.Picks {
			owners[e.Index] = append(owners[e.Index], i)
		}
	}
	u := newUsers(len(r.inventory.Clusters))
	for object, policies := range owners {
		if len(policies) > 1 {
			u.count(object, policies, reaches)
			same.note(policies, func(i int) bool { return reaches[i].clusters.meets(u.twice[reaches[i].says(object)]) })
			differ.note(policies, func(i int) bool { return reaches[i].clusters.meets(u.once[1-reaches[i].says(object)]) })
		}
	}
}

// note adds those of the policies of one object that meet another one there.
func (c *crowd) note(policies []int, meetsAnother func(policy int) bool) {
	met := false
	for _, i := range policies {
		if meetsAnother(i) {
			met = true
			c.add(i)
		}
	}
	if met {
		c.objects++
	}
}

// users are the clusters to which one object is sent: by somebody and by several, of the policies
// that update it and of those that say createOnly.
type users struct{ once, twice [2]bitset }

func newUsers(clusters int) (u users) {
	for says := range u.once {
		u.once[says], u.twice[says] = newBitset(clusters), newBitset(clusters)
	}
	return u
}

func (u users) count(object int, policies []int, reaches []reach) {
	for says := range u.once {
		clear(u.once[says])
		clear(u.twice[says])
	}
	for _, i := range policies {
		says := reaches[i].says(object)
		once, twice := u.once[says], u.twice[says]
		for w, clusters := range reaches[i].clusters {
			twice[w] |= once[w] & clusters
			once[w] |= clusters
		}
	}
}

// says is 1 when the policy says createOnly of an object, else 0.
func (a reach) says(object int) int {
	if a.create.has(object) {
		return 1
	}
	return 0
}

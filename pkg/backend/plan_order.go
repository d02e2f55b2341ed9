package backend

// order is the lists as it is best to carry them out: one that needs something of another after that one,
// where that can be had, and else by name. So what is done for one Translation stays together.
func (p *planner) order() (ordered [][]*node) {
	seen := make([]bool, len(p.lists))
	type visit struct {
		list, resource int
		needs          []*node // of the resource that are still to be seen
	}
	for start := range p.lists {
		if seen[start] {
			continue
		}
		seen[start] = true
		for path := []visit{{list: start, resource: -1}}; len(path) > 0; {
			at := &path[len(path)-1]
			list := p.lists[at.list]
			if len(at.needs) == 0 {
				if at.resource++; at.resource == len(list) {
					ordered = append(ordered, list)
					path = path[:len(path)-1]
				} else {
					at.needs = p.needs(list[at.resource])
				}
				continue
			}
			on := at.needs[0].list
			at.needs = at.needs[1:]
			if !seen[on] {
				seen[on] = true
				path = append(path, visit{list: on, resource: -1})
			}
		}
	}
	return ordered
}

// needs are the desired resources that one names.
func (p *planner) needs(n *node) (needs []*node) {
	for _, name := range n.item.names {
		if m := p.nodes[name]; m != nil && m.item != nil {
			needs = append(needs, m)
		}
	}
	return needs
}

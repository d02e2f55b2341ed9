package local_test

import (
	"maps"
	"strings"
)

// desired are all variants that a reconcile deals with now, by name: those of the files, those of the set
// and, as dying, those that the set made before and no longer wants. ok is false when the set cannot say.
func (m *model) desired(now *view) (all map[string]*desiredVariant, ok bool) {
	all = maps.Clone(m.variants)
	if m.set == nil {
		return all, true
	}
	if _, there := m.resolve(&m.set.desiredVariant, now, nil); !there || len(m.sites) == 0 {
		return all, false
	}
	for site := range m.sites {
		w := m.set.desiredVariant
		w.name, w.pkg, w.site, w.set = "edge-deployments-"+m.set.prefix+"-"+site, m.set.prefix+"/"+site, site, true
		all[w.name] = &w
	}
	for _, rev := range now.revisions {
		if gone := strings.HasPrefix(rev.owner, "edge-"); gone && all[rev.owner] == nil {
			all[rev.owner] = &desiredVariant{name: rev.owner, dying: true, set: true, orphan: m.set.orphan || rev.orphan}
		}
	}
	return all, true
}

// wants reports whether there is a variant of that name that wants the package.
func (m *model) wants(name, pkg string) bool {
	if m.set != nil {
		for site := range m.sites {
			if name == "edge-deployments-"+m.set.prefix+"-"+site && pkg == m.set.prefix+"/"+site {
				return true
			}
		}
	}
	w := m.variants[name]
	return w != nil && !w.dying && w.pkg == pkg
}

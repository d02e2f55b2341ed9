package translation_test

import (
	"encoding/json"
	"slices"
	"strings"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
)

// withoutService decides about Endpoints whose Service is not there.
func (m *model) withoutService(owner string) {
	for _, h := range m.old {
		switch {
		case h.owner != owner:
		case m.config["view"] != "Complete":
			m.keep(owner)
		case !m.kinds["Service"] && m.config["allowEmpty"] != "true":
			m.fail("no Service at all")
		}
	}
}

// waiting looks for owners that would have a resource in one that a stuck owner does not have, or that refer to a Service in conflict.
func (m *model) waiting() {
	for name, h := range m.next {
		on := m.on[h.owner]
		if !m.fresh[name] || !m.stuck[on] {
			continue
		}
		if was := m.oldAddresses(on); strings.HasPrefix(on, "/Service/") && (m.clashing[on] || len(was) > 0 && !slices.Contains(was, m.ips[on])) {
			m.nowStuck[h.owner] = true
		}
		for _, r := range h.resources {
			if r.Parent != "" && !m.hasHost(on, r.Parent) && !m.has(h.owner, r.Parent) && !m.has(on, r.Parent) {
				m.nowStuck[h.owner] = true
			}
		}
	}
}

// has reports whether an owner has a resource of an id.
func (m *model) has(owner, id string) bool {
	for _, h := range m.next {
		if h.owner == owner && slices.ContainsFunc(h.resources, func(r api.Resource) bool { return strings.HasPrefix(r.Body, `{"id":"`+id) }) {
			return true
		}
	}
	return false
}

// hasHost reports whether an owner that is stuck has a port on a host.
func (m *model) hasHost(owner, host string) bool {
	for _, h := range m.old {
		if h.owner == owner && slices.ContainsFunc(h.resources, func(r api.Resource) bool { return r.Kind == "HostInterfacePort" && r.Parent == host }) {
			return true
		}
	}
	return false
}

// oldAddresses are the addresses for which an owner had rules.
func (m *model) oldAddresses(owner string) (all []string) {
	for _, h := range m.old {
		for _, r := range h.resources {
			if _, rest, found := strings.Cut(r.Body, `"nwDstAddress":"`); found && h.owner == owner {
				address, _, _ := strings.Cut(rest, `"`)
				all = append(all, address)
			}
		}
	}
	return all
}

// hold keeps one Translation that would go and that something which stays stands on, if there is any.
func (m *model) hold() bool {
	for name, h := range m.old {
		if _, stays := m.next[name]; !stays && m.lost(h) != "" {
			m.next[name] = h
			return true
		}
	}
	return false
}

// inPlace looks at what changes: nothing may be lost of it that something which stays stands on.
func (m *model) inPlace() {
	for name := range m.fresh {
		if id := m.lost(m.old[name]); id != "" {
			m.fail("%s: %s would be deleted, and something stands on it", name, id)
		}
	}
}

// lost is an id of what there was that something which stays names, and that nothing has any more.
func (m *model) lost(was held) string {
	for _, base := range was.resources {
		_, id, found := strings.Cut(base.Body, `{"id":"`)
		if found && m.mentions(id[:36]) && !m.provides(id[:36]) {
			return id[:36]
		}
	}
	return ""
}

// provides reports whether there will be a resource of an id.
func (m *model) provides(id string) bool {
	for _, h := range m.next {
		if slices.ContainsFunc(h.resources, func(r api.Resource) bool { return strings.HasPrefix(r.Body, `{"id":"`+id) }) {
			return true
		}
	}
	return false
}

// mentions reports whether a Translation that stays as it is names an id.
func (m *model) mentions(id string) bool {
	for name, h := range m.next {
		for _, r := range h.resources {
			if !m.fresh[name] && (r.Parent == id || strings.Contains(r.Body, id)) {
				return true
			}
		}
	}
	return false
}

// leave looks at what goes: no resource may be made elsewhere in the same run.
func (m *model) leave() {
	for name, h := range m.old {
		if _, stays := m.next[name]; stays {
			continue
		}
		if m.broken[name] {
			m.fail("%s: its label is wrong, and it would go", name)
		}
		for other := range m.fresh {
			for _, r := range m.next[other].resources {
				if m.config["updateLimits"] != "false" && slices.ContainsFunc(h.resources, func(s api.Resource) bool { return sameResource(r, s) }) {
					m.fail("%s moves from %s to %s", r.Body, name, other)
				}
			}
		}
	}
}

func sameResource(r, s api.Resource) bool {
	x, y := map[string]any{}, map[string]any{}
	return r.Kind == s.Kind && json.Unmarshal([]byte(r.Body), &x) == nil && json.Unmarshal([]byte(s.Body), &y) == nil && sameInBackend(r, s, x, y)
}

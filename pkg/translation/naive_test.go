package translation_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

// held is a Translation to the naive model: whose it is, and what it has.
type held struct {
	owner     string
	uid       string // of the owner, "" when it has none
	resources []api.Resource
}

// naive says what Translations there should be, in the plainest way: one owner after the other, a whole
// new set, then every pair of resources compared. why is the first reason to change nothing.
func naive(t *testing.T, config map[string]string, items []*krm.Object) (out map[string]string, why string) {
	t.Helper()
	opts := midonet.Defaults()
	if v := config["tenant"]; v != "" {
		opts.Tenant = v
	}
	if v := config["version"]; v != "" {
		opts.Version = v
	}
	if c := config["converters"]; c != "" {
		opts.Converters = strings.Split(c, ";")
	}
	c, err := midonet.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	m, fault := attempt(config, c, map[string]bool{}, items), ""
	for len(m.stuck) < len(m.nowStuck) { // from the start, with more owners that cannot have what they are converted to
		fault = cmp.Or(fault, m.fault)
		m = attempt(config, c, m.nowStuck, items)
	}
	m.inPlace()
	m.leave()
	out = map[string]string{}
	for name, h := range m.next {
		out[name] = h.text()
	}
	return out, cmp.Or(fault, m.why)
}

// attempt takes as given which owners are stuck, and finds those that are, too.
func attempt(config map[string]string, c *midonet.Converter, stuck map[string]bool, items []*krm.Object) *model {
	m := &model{config: config, converter: c, next: map[string]held{}, fresh: map[string]bool{}, present: map[string]bool{},
		kinds: map[string]bool{}, stuck: stuck, nowStuck: maps.Clone(stuck), on: map[string]string{}, clashing: map[string]bool{}, ips: map[string]string{}}
	m.before(items)
	for _, o := range items {
		m.kinds[o.Kind()] = true
	}
	for _, o := range items {
		m.translate(o, items)
	}
	m.global()
	m.absent()
	for m.hold() {
	}
	m.compare()
	m.addresses(items)
	m.waiting()
	return m
}

// stick says that an owner cannot have what it is converted to, because of a fault, or a conflict with another.
func (m *model) stick(owner, format string, args ...any) {
	m.nowStuck[owner] = true
	if m.fault == "" && (m.config["onFault"] == "Fail" || owner == globalOwner) {
		m.fault = fmt.Sprintf(format, args...)
	}
}

type model struct {
	config    map[string]string
	converter *midonet.Converter
	old, next map[string]held // by namespace and name
	broken    map[string]bool // their label says something else
	fresh     map[string]bool // made by owners that are converted
	present   map[string]bool // owners
	kinds     map[string]bool
	stuck     map[string]bool   // owners that cannot have what they are converted to
	nowStuck  map[string]bool   // the same, with those that were found
	clashing  map[string]bool   // those of them that are not faulty
	ips       map[string]string // the addresses of Services
	on        map[string]string // owners by the key of an object that refers to them
	fault     string            // why one of them is, where that fails the run
	why       string
}

func (m *model) fail(format string, args ...any) {
	if m.why == "" {
		m.why = fmt.Sprintf(format, args...)
	}
}

// before reads the Translations there are.
func (m *model) before(items []*krm.Object) {
	m.old, m.broken = map[string]held{}, map[string]bool{}
	for _, o := range translations(items) {
		name := o.Namespace() + "/" + o.Name()
		m.old[name] = held{owner: o.Annotation("waybill.dev/owner"), uid: o.Labels()[api.OwnerUIDLabel], resources: resourcesIn(o)}
		m.broken[name] = strings.HasPrefix(o.Labels()["waybill.dev/map-key"], "m2-")
	}
}

func resourcesIn(o *krm.Object) (out []api.Resource) {
	for _, n := range o.Lookup("resources").Content {
		r := api.Resource{Kind: krm.Lookup(n, "kind").Value, Body: krm.Lookup(n, "body").Value}
		if parent := krm.Lookup(n, "parent"); parent != nil {
			r.Parent = parent.Value
		}
		out = append(out, r)
	}
	return out
}

// translate gives one owner what it is converted to.
func (m *model) translate(o *krm.Object, items []*krm.Object) {
	if !m.converter.Handles(o) {
		return
	}
	key := o.ID().String()
	m.present[key] = true
	var referred *krm.Object
	if r, ok := m.converter.Reference(o); ok {
		for _, other := range items {
			if other.ID() == (krm.ID{Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}) {
				referred = other
			}
		}
	}
	if referred != nil {
		m.on[key] = referred.ID().String()
	}
	outcome := m.converter.Convert(o, referred)
	if o.Kind() == "Endpoints" && referred == nil {
		m.withoutService(key)
	}
	switch {
	case outcome.Verdict == midonet.Failed:
		m.stick(key, "%s: %v", key, outcome.Errors[0])
		m.keep(key)
	case m.stuck[key]:
		m.clashing[key] = outcome.Verdict == midonet.Made
		m.keep(key)
	case outcome.Verdict == midonet.Made:
		m.make(key, o.String("metadata", "uid"), outcome.Translations)
	case outcome.Verdict == midonet.Retry:
		m.keep(key)
	}
}

func (m *model) make(owner, uid string, translations []midonet.Translation) {
	for _, tr := range translations {
		name := tr.Namespace + "/" + tr.Name
		next := held{owner, uid, tr.Resources}
		old, was := m.old[name]
		if was && m.config["updateLimits"] != "false" {
			if err := midonet.CheckUpdate(old.resources, next.resources); err != nil {
				m.fail("%s: %v", name, err)
			}
		}
		m.next[name], m.fresh[name] = next, true
	}
}

func (m *model) keep(owner string) {
	for name, h := range m.old {
		if h.owner != owner {
			continue
		}
		m.next[name] = h
		if m.broken[name] {
			m.fail("%s: its label is wrong, and no run corrects it", name)
		}
	}
}

const globalOwner = "fn.waybill.dev/Translate//global"

func (m *model) global() {
	m.present[globalOwner] = true
	if m.config["global"] != "false" {
		m.make(globalOwner, "", m.converter.Global())
	}
}

// absent decides about Translations whose owners are not there.
func (m *model) absent() {
	for _, h := range m.old {
		kind := strings.Split(h.owner, "/")[1]
		switch {
		case m.present[h.owner]:
		case m.config["view"] != "Complete":
			m.keep(h.owner)
		case !m.kinds[kind] && m.config["allowEmpty"] != "true":
			m.fail("no %s", kind)
		}
	}
}

// compare looks for two Translations with one resource, of which at least one is newly made.
func (m *model) compare() {
	type holding struct {
		by string
		r  api.Resource
		is map[string]any
	}
	var all []holding
	for name, h := range m.next {
		for _, r := range h.resources {
			is := map[string]any{}
			if json.Unmarshal([]byte(r.Body), &is) == nil {
				all = append(all, holding{name, r, is})
			}
		}
	}
	for i, x := range all {
		for _, y := range all[:i] {
			if x.by != y.by && (m.fresh[x.by] || m.fresh[y.by]) && x.r.Kind == y.r.Kind && sameInBackend(x.r, y.r, x.is, y.is) {
				for _, h := range []holding{x, y} {
					if m.fresh[h.by] {
						m.stick(m.next[h.by].owner, "%s and %s both have %s", x.by, y.by, x.r.Body)
					}
				}
			}
		}
	}
}

// sameInBackend reports whether two resources of one kind, which say x and y, are one to the backend.
func sameInBackend(r, s api.Resource, x, y map[string]any) bool {
	names := map[string][]string{"TunnelZoneHost": {"hostId"}, "PortLink": {}, "HostInterfacePort": {"portId"}, "MACPort": {"macAddr", "portId"}, "IPv4MACPair": {"ip", "mac"}}
	by, contained := names[r.Kind]
	if !contained {
		by = []string{"id"}
	}
	return (!contained || r.Parent == s.Parent) && !slices.ContainsFunc(by, func(field string) bool { return x[field] != y[field] })
}

// addresses looks for two Services with one address.
func (m *model) addresses(items []*krm.Object) {
	owners := map[string]string{}
	for _, o := range items {
		key := o.ID().String()
		verdict := m.converter.Convert(o, nil).Verdict
		if !m.present[key] || o.Kind() != "Service" || verdict != midonet.Made && verdict != midonet.Failed {
			continue
		}
		m.ips[key] = o.String("spec", "clusterIP")
		ips := []string{m.ips[key]}
		if m.stuck[key] {
			ips = append(ips, m.oldAddresses(key)...)
		}
		for _, ip := range ips {
			if other := owners[ip]; other != "" && other != key {
				for _, owner := range []string{other, key} {
					m.stick(owner, "%s and %s are both at %s", other, key, ip)
				}
			}
			owners[ip] = key
		}
	}
}

func (h held) text() string {
	lines := []string{h.owner, h.uid}
	for _, r := range h.resources {
		lines = append(lines, r.Kind+" "+r.Parent+" "+r.Body)
	}
	return strings.Join(lines, "\n")
}

// contents are the Translations among items as the model has them.
func contents(items []*krm.Object) map[string]string {
	out := map[string]string{}
	for _, o := range translations(items) {
		h := held{owner: o.Annotation("waybill.dev/owner"), uid: o.Labels()[api.OwnerUIDLabel], resources: resourcesIn(o)}
		out[o.Namespace()+"/"+o.Name()] = h.text()
	}
	return out
}

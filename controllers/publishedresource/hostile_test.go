package publishedresource_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLarge has an object of nearly a mebibyte go along, whose state does not fit into a Secret.
func TestLarge(t *testing.T) {
	f := newFixture(t)
	f.home.Put(orders)
	large := strings.Repeat("0123456789abcdef", 65_000)
	f.putOrder("o", "{count: 9007199254740993, text: '"+large+"'}")
	f.start()
	f.awaitCopy("all of it", "o", "{count: 9007199254740993, text: '"+large+"'}")
	f.awaitReady("orders", "True Syncing")
	f.putOrder("o", "{count: -9223372036854775808, text: '"+large+"'}")
	f.awaitCopy("a change", "o", "{count: -9223372036854775808, text: '"+large+"'}")
	f.putOrder("o", "{text: 'small'}")
	f.awaitCopy("and less", "o", "{text: 'small'}")
	f.shop.Remove(remote, "Order", "o")
	f.awaitGone("o")
	f.awaitReady("orders", "True Syncing")
}

// TestHostile has what consumers and providers write be refused where it cannot be kept, and others be kept.
func TestHostile(t *testing.T) {
	for name, tc := range map[string]struct{ reason, more, spec, want string }{
		"BadName":  {"no object has such a name", "  naming: {name: '{{ .Object.spec.name }}'}\n", "{name: 'No Such/Name'}", "name"},
		"LongName": {"nor such a long one", "  naming: {name: '{{ .Object.spec.name }}'}\n", "{name: " + strings.Repeat("a", 254) + "}", "name"},
		"Missing":  {"what is missing names nothing", "  naming: {name: '{{ .Object.spec.name }}'}\n", "{}", "name"},
		"Endless":  {"a template has bounds", "  naming: {name: '{{ range until 100000000 }}a{{ end }}'}\n", "{}", ""},
		"TooLarge": {"an object that grows too large is not made",
			"  mutation: {spec: [{template: {path: spec.b, template: '{{ .Self.spec.a }}{{ .Self.spec.a }}{{ .Self.spec.a }}'}}]}\n", "{a: '" + strings.Repeat("a", 700_000) + "'}", ""},
		"OtherRecord": {"names of ours are nobody else's",
			"  mutation: {spec: [{template: {path: 'metadata.annotations.waybill\\.dev/owner', template: other}}, {cel: {path: spec.fail, expression: 'self.spec.none'}}]}\n", "{}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.home.Put(orders + tc.more)
			f.putOrder("bad", tc.spec)
			f.putOrder("good", "{name: good, a: x, none: 9007199254740993}")
			f.start()
			if name != "Endless" {
				f.eventually(tc.reason, func() string {
					if c := f.copyOf("good"); c == nil {
						return "others are kept"
					}
					return ""
				})
				f.eventually(tc.reason, func() string {
					if text := f.eventsOf("bad")["ReconcilingError"]; text == "" || !strings.Contains(text, tc.want) {
						return fmt.Sprintf("the event says %q", text)
					}
					return ""
				})
			}
			f.awaitReady("orders", "False")
			if c := f.copyOf("bad"); c != nil {
				t.Errorf("%s: there is a copy: %s", tc.reason, c.GetName())
			}
			f.shop.Remove(remote, "Order", "bad")
			f.awaitGone("bad")
		})
	}
}

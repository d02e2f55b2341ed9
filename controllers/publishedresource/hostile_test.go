package publishedresource_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLarge copies an object of nearly a mebibyte, whose state does not fit into a Secret.
func TestLarge(t *testing.T) {
	f := newFixture(t)
	f.home.Put(orders)
	large := strings.Repeat("0123456789abcdef", 65_000)
	f.putOrder("o", "{count: 9007199254740993, text: '"+large+"'}")
	f.start()
	f.awaitCopy("the large object", "o", "{count: 9007199254740993, text: '"+large+"'}")
	f.awaitReady("orders", "True Syncing")
	f.putOrder("o", "{count: -9223372036854775808, text: '"+large+"'}")
	f.awaitCopy("a change", "o", "{count: -9223372036854775808, text: '"+large+"'}")
	f.putOrder("o", "{text: 'small'}")
	f.awaitCopy("a small one", "o", "{text: 'small'}")
	f.shop.Remove(remote, "Order", "o")
	f.awaitGone("o")
	f.awaitReady("orders", "True Syncing")
}

// TestHostile refuses objects that cannot be copied. Other objects are copied.
func TestHostile(t *testing.T) {
	for name, tc := range map[string]struct{ reason, more, spec, want string }{
		"BadName":  {"the name is not valid", "  naming: {name: '{{ .Object.spec.name }}'}\n", "{name: 'No Such/Name'}", "name"},
		"LongName": {"the name is too long", "  naming: {name: '{{ .Object.spec.name }}'}\n", "{name: " + strings.Repeat("a", 254) + "}", "name"},
		"Missing":  {"the name comes from a missing field", "  naming: {name: '{{ .Object.spec.name }}'}\n", "{}", "name"},
		"Endless":  {"the work of a template is bounded", "  naming: {name: '{{ range until 100000000 }}a{{ end }}'}\n", "{}", ""},
		"TooLarge": {"an object that grows too large is not created",
			"  mutation: {spec: [{template: {path: spec.b, template: '{{ .Self.spec.a }}{{ .Self.spec.a }}{{ .Self.spec.a }}'}}]}\n", "{a: '" + strings.Repeat("a", 700_000) + "'}", ""},
		"OtherRecord": {"a rule cannot write the tags of sync",
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
						return "the other Order has no copy"
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

package publishedresource_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLarge has an object of nearly a mebibyte go along, whose state does not fit into a Secret.
func TestLarge(t *testing.T) {
	w := newWorld(t)
	w.home.put(orders)
	large := strings.Repeat("0123456789abcdef", 65_000)
	w.order("o", "{count: 9007199254740993, text: '"+large+"'}")
	w.start()
	w.becomes("all of it", "o", "{count: 9007199254740993, text: '"+large+"'}")
	w.awaitReady("orders", "True Syncing")
	w.order("o", "{count: -9223372036854775808, text: '"+large+"'}")
	w.becomes("a change", "o", "{count: -9223372036854775808, text: '"+large+"'}")
	w.order("o", "{text: 'small'}")
	w.becomes("and less", "o", "{text: 'small'}")
	w.shop.remove(remote, "Order", "o")
	w.isGone("o")
	w.awaitReady("orders", "True Syncing")
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
			w := newWorld(t)
			w.home.put(orders + tc.more)
			w.order("bad", tc.spec)
			w.order("good", "{name: good, a: x, none: 9007199254740993}")
			w.start()
			if name != "Endless" {
				w.eventually(tc.reason, func() string {
					if c := w.copyOf("good"); c == nil {
						return "others are kept"
					}
					return ""
				})
				w.eventually(tc.reason, func() string {
					if text := w.told("bad")["ReconcilingError"]; text == "" || !strings.Contains(text, tc.want) {
						return fmt.Sprintf("the event says %q", text)
					}
					return ""
				})
			}
			w.awaitReady("orders", "False")
			if c := w.copyOf("bad"); c != nil {
				t.Errorf("%s: there is a copy: %s", tc.reason, c.GetName())
			}
			w.shop.remove(remote, "Order", "bad")
			w.isGone("bad")
		})
	}
}

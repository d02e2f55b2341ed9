package midonet

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation"
)

// TestVectors are the vectors of the contract.
func TestVectors(t *testing.T) {
	s, lab := newIDs("midonetkube", "4"), newIDs("lab-a", "4")
	got := map[string]string{
		"space":          s.tenant.String(),
		"space lab-a":    lab.tenant.String(),
		"main chain":     s.main.String(),
		"main by key":    s.forKey("midonet-global", "chain").String(),
		"services chain": s.services.String(),
		"router":         s.router.String(),
		"zone":           s.zone.String(),
		"node":           s.forKey("Node", "n1").String(),
		"pod":            s.forKey("Pod", "default/p1").String(),
		"port":           s.forKey("ServicePort", "default/web/http").String(),
		"rule":           s.forKey("ServicePortSub", "default/web/http/10.96.0.10/6/80").String(),
		"endpoint":       s.forKey("Endpoint", "web/http/10.96.0.10/10.1.2.7/8080/TCP").String(),
		"address":        s.forKey("Node Address", "n1/InternalIP/192.0.2.9").String(),
		"mac":            macOf("n1").String(),
		"interface":      podInterface("default/p1"),
		"sub name":       Key{"Service-Port", "", "default/web/http/10.96.0.10/6/80"}.TranslationName("4"),
		"capitals":       Key{"Node", "", "Node.Example"}.TranslationName("4"),
	}
	want := map[string]string{
		"space":          "b6b0f75c-b219-5240-baf8-77c92a28663e",
		"space lab-a":    "c78ccd91-0ab0-55fc-bc06-ac2ab3adb401",
		"main chain":     "23b6f94b-2fb5-55b0-9614-3cbb6d6dc17f",
		"main by key":    "23b6f94b-2fb5-55b0-9614-3cbb6d6dc17f",
		"services chain": "8ba7d5a7-f323-53d4-8522-ddb2c7158ef0",
		"router":         "21607839-c6b4-5b98-8aa1-89a1aab61bca",
		"zone":           "51329ede-9b0f-5923-98ee-bf4ef08af54f",
		"node":           "75ca1699-aa45-56d7-98fe-a574e26c334e",
		"pod":            "38a2269a-55cb-54fc-a2f4-a7ba424ae536",
		"port":           "98e99174-edfa-542e-88e6-3ca9a6215ea8",
		"rule":           "7028e0ed-a6a9-52d7-9967-828321b356ad",
		"endpoint":       "bbb24186-d3a9-5abf-9d7b-0b67fbe4a36b",
		"address":        "ee3de515-3c9e-5271-b608-4564382d388e",
		"mac":            "ac:ca:ba:67:6b:8b",
		"interface":      "midod5e93b968d4",
		"sub name":       "service-port.4.default-web-http-10.96.0.10-6-80-e7fa6be6c8989e75aa153db5a4f4aeabb298fbd5",
		"capitals":       "node.4.node.example-a3cd693ea235687b3a5233b7034af59031a11170",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the vectors of the contract (-want +got):\n%s", diff)
	}
}

func TestParseID(t *testing.T) {
	const lower = "44fb4381-c99d-4389-86c3-fdca765bcbde"
	for name, tc := range map[string]struct {
		reason, in, want string
	}{
		"lower":     {"as it is written", lower, lower},
		"upper":     {"in any case", strings.ToUpper(lower), lower},
		"urn":       {"as midonet-kubernetes reads it, too", "urn:uuid:" + lower, lower},
		"URN":       {"in any case", "URN:UUID:" + strings.ToUpper(lower), lower},
		"other urn": {"of another kind", "urn:isbn:" + lower, ""},
		"urn alone": {"a prefix is no id", "urn:uuid:", ""},
		"urn twice": {"once is enough", "urn:uuid:urn:uuid:" + lower, ""},
		"urn, bare": {"hyphens are a part of it", "urn:uuid:" + strings.ReplaceAll(lower, "-", ""), ""},
		"empty":     {"nothing is no id", "", ""},
		"bare":      {"hyphens are a part of it", strings.ReplaceAll(lower, "-", ""), ""},
		"braces":    {"one form is enough", "{" + lower + "}", ""},
		"no digits": {"g is no digit", strings.Replace(lower, "c", "g", 1), ""},
		"shifted":   {"hyphens have their places", "44fb438-1c99d-4389-86c3-fdca765bcbde", ""},
		"odd bytes": {"36 bytes that are no text", strings.Repeat("\xff", 36), ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if parsed, ok := parseID(tc.in); ok {
				got = parsed.String()
			}
			if got != tc.want {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
}

func TestTranslationName(t *testing.T) {
	of := func(kind, name string) string { return Key{Kind: kind, Name: name}.TranslationName("4") }
	exact, long := strings.Repeat("a", 253-len("pod.4.")), strings.Repeat("a", 300)
	for name, tc := range map[string]struct {
		reason, got string
		length      int
	}{
		"plain":       {"nothing is lost, nothing is added", of("Pod", "p1"), len("pod.4.p1")},
		"exact":       {"the longest that needs no suffix", of("Pod", exact), 253},
		"one more":    {"cut to make room for the suffix, which is always there", of("Pod", exact+"a"), 253},
		"slashes":     {"a name that fits until it has a suffix", of("Pod", exact[:240]+"/a"), 253},
		"dot at cut":  {"a label must not begin with the suffix's hyphen", of("Pod", strings.Repeat("a", 205)+"."+long), 252},
		"dots at cut": {"however many there are", of("Pod", strings.Repeat("a", 200)+"......-"+long), 247},
	} {
		t.Run(name, func(t *testing.T) {
			if faults := validation.IsDNS1123Subdomain(tc.got); len(faults) > 0 || len(tc.got) != tc.length {
				t.Errorf("%s: %q has length %d, want %d; %v", tc.reason, tc.got, len(tc.got), tc.length, faults)
			}
		})
	}
	if of("Pod", long) == of("Pod", long+"a") {
		t.Error("two long names become one")
	}
	if of("Pod", "a/b") == of("Pod", "a-b") {
		t.Error("a slash and a hyphen become one")
	}
}

// FuzzTranslationName holds that what can be told apart stays so, and that names are never too long.
func FuzzTranslationName(f *testing.F) {
	f.Add("Pod", "a/b", "a-b")
	f.Add("Node", "\xff", "\xfe")
	f.Add("Node", strings.Repeat("é", 200), "")
	f.Fuzz(func(t *testing.T, kind, a, b string) {
		one, other := Key{Kind: kind, Name: a}.TranslationName("4"), Key{Kind: kind, Name: b}.TranslationName("4")
		if (one == other) != (a == b) {
			t.Errorf("%q and %q are %q and %q", a, b, one, other)
		}
		if len(one) > 253 || strings.ToLower(one) != one || strings.Contains(one, "/") {
			t.Errorf("%q becomes %q", a, one)
		}
	})
}

package midonet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// manyPairs is a Service and its Endpoints with so many subsets of addresses and ports, all different, or all one and
// the same, written once.
func manyPairs(subsets, addresses, ports int, same bool) string {
	list := func(n int, one func(i int) string, alias string) string {
		parts := make([]string, n)
		for i := range parts {
			if parts[i] = one(i); same {
				parts[i] = alias
			}
		}
		return strings.Join(parts, ", ")
	}
	ip := func(i int) string { return fmt.Sprintf("{ip: 10.0.%d.%d}", i/250, i%250) }
	port := func(i int) string { return fmt.Sprintf("{name: p%d, port: %d}", i, i+1) }
	subset := "&s {addresses: [" + list(addresses, ip, "*a") + "], ports: [" + list(ports, port, "*p") + "]}"
	return "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: default}\nspec: {clusterIP: 10.96.0.10, ports: [{port: 80}]}\n---\n" +
		"apiVersion: v1\nkind: Endpoints\nmetadata: {name: web, namespace: default}\nonce:\n- &a " + ip(0) + "\n- &p " + port(0) + "\n- " + subset +
		"\nsubsets: [" + strings.TrimSuffix(strings.Repeat("*s, ", subsets), ", ") + "]\n"
}

func TestMostPairs(t *testing.T) {
	cases := map[string]struct {
		reason                    string
		subsets, addresses, ports int
		same                      bool
		made                      int
		why                       string
	}{
		"as many as there may be": {"each is a Translation", 1, 100, 100, false, 10000, ""},
		"one address more":        {"nothing is made", 1, 101, 100, false, 0, "10100 pairs"},
		"in several subsets":      {"subsets count together", 3, 100, 50, false, 0, "15000 pairs"},
		"one pair, many times":    {"what is said twice is made once", 10, 50, 20, true, 1, ""},
		"too many times":          {"what is written once is read as often as it is meant", 20, 2000, 2000, true, 0, "80000000 pairs"},
		"addresses alone":         {"they are read, too", 20, 2000, 0, false, 0, "40000 pairs"},
		"ports alone":             {"and so are ports", 20, 0, 2000, false, 0, "40000 pairs"},
		"nothing in each":         {"nor may there be too many subsets", 10001, 0, 0, false, 0, "10001 pairs"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			objects, err := krm.Read("in.yaml", []byte(manyPairs(tc.subsets, tc.addresses, tc.ports, tc.same)), krm.Limits{Aliased: 1 << 30})
			if err != nil {
				t.Fatal(err)
			}
			out := convert(converter(t, nil), objects[1], objects)
			if got := len(out.Translations); got != tc.made {
				t.Errorf("%s: %d Translations, want %d", tc.reason, got, tc.made)
			}
			if tc.why == "" {
				return
			}
			want := "subsets: Invalid value: " + tc.why + " of an address and a port, and 10000 are the most; split the Service, or name fewer addresses or ports"
			if diff := cmp.Diff(want, out.Errors.ToAggregate().Error()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestMissing tells Endpoints without a Service from those whose Service has no address.
func TestMissing(t *testing.T) {
	objects := read(t, manyPairs(1, 1, 1, false))
	c := converter(t, nil)
	if out := c.Convert(objects[1], nil); out.Verdict != Empty || !out.Missing {
		t.Errorf("without a Service: %s, missing is %t", out.Verdict, out.Missing)
	}
	headless := read(t, strings.Replace(manyPairs(1, 1, 1, false), "10.96.0.10", "None", 1))
	if out := convert(c, headless[1], headless); out.Verdict != Empty || out.Missing {
		t.Errorf("of a Service without an address: %s, missing is %t", out.Verdict, out.Missing)
	}
}

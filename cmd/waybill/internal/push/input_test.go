package push

import (
	"os"
	"testing"
)

// TestPushInventoryPath keeps inventories where no renderer looks.
func TestPushInventoryPath(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, os.Mkdir("net", 0o755))
	here, err := os.Getwd()
	must(t, err)
	for name, tc := range map[string]struct {
		reason string
		in     inputFlags
		args   []string
		want   string
	}{
		"named":      {"beside the package", inputFlags{}, []string{"net"}, "net.dns.inventory"},
		"slash":      {"not in it", inputFlags{}, []string{"./net/"}, "net.dns.inventory"},
		"here":       {"also when one is in it", inputFlags{}, nil, here + ".dns.inventory"},
		"above":      {"or further in", inputFlags{}, []string{"net/.."}, here + ".dns.inventory"},
		"with files": {"more files do not matter", inputFlags{files: []string{"-"}}, []string{"net"}, "net.dns.inventory"},
		"said":       {"who says so has it anywhere", inputFlags{inventory: "net/i"}, []string{"net"}, "net/i"},
		"beside":     {"under any name", inputFlags{inventory: "i.yaml"}, []string{"net"}, "i.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tc.in.inventoryPath(tc.args, "dns")
			if err != nil || got != tc.want {
				t.Errorf("%s: got %s, %v, want %s", tc.reason, got, err, tc.want)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

// TestPushToAnotherURL applies an inventory where it was applied before, and elsewhere only when it is told
// that this is the same backend.
func TestPushToAnotherURL(t *testing.T) {
	t.Chdir(writeArchive(t, shopZone))
	s, other := newRESTServer(t, "t0ken", dnsKinds...), newRESTServer(t, "t0ken", dnsKinds...)
	if r := pushTo(t, s, "apply", "net"); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	before := snapshot(t, ".")
	want := fmt.Sprintf("error: the inventory is of the backend at %s/v1, not of that at %s/v1: for another backend use another --inventory; if the URL of the backend changed, use --url-moved\n", s.URL, other.URL)
	for _, more := range [][]string{nil, {"--dry-run"}} {
		expect(t, "everything would pass for done", pushTo(t, other, append([]string{"apply", "net"}, more...)...), exitFailed, "", want)
	}
	expect(t, "a plan contacts no server, and nowhere", pushTo(t, other, "plan", "net"), exitDone, "", "Nothing to do.\n")
	if other.requests() > 0 || len(before) != len(snapshot(t, ".")) {
		t.Error("something was done")
	}
	expect(t, "it has moved", pushTo(t, other, "apply", "net", "--url-moved"), exitDone, "", "Nothing to do.\n")
	expect(t, "and is there from now on", pushTo(t, other, "apply", "net"), exitDone, "", "Nothing to do.\n")
}

// TestPushTakesOver warns of what was there before and may not be as it should.
func TestPushTakesOver(t *testing.T) {
	t.Chdir(writeArchive(t, shopZone))
	s := newRESTServer(t, "t0ken", dnsKinds...)
	if r := pushTo(t, s, "apply", "net"); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	const file = "net.rest-example.inventory"
	must(t, os.Remove(file))
	must(t, os.WriteFile("net/monitor.yaml", []byte(strings.ReplaceAll(fileText(t, "net/monitor.yaml"), "1m", "5s")), 0o600))
	r := pushTo(t, s, "apply", "net")
	if r.code != exitDone || !strings.Contains(r.stdout, "it existed already, with another every; it cannot be replaced\n") ||
		!strings.HasSuffix(r.stderr, "warning: 1 resource taken over without a full check: see MESSAGE\n4 done; 8 requests.\n") {
		t.Errorf("the monitor cannot be replaced: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

// TestPushOfWhatIsInUse says what helps where the backend does not delete what is named.
func TestPushOfWhatIsInUse(t *testing.T) {
	t.Chdir(writeArchive(t, shopZone))
	s := newRESTServer(t, "t0ken", dnsKinds...)
	if r := pushTo(t, s, "apply", "net"); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	must(t, os.WriteFile("net/monitor.yaml", []byte(strings.ReplaceAll(fileText(t, "net/monitor.yaml"), "1m", "5s")), 0o600))
	s.halts(func(_ int, r *http.Request) (halt stop) {
		if r.Method == http.MethodDelete {
			halt.status = http.StatusConflict
		}
		return halt
	})
	r := pushTo(t, s, "apply", "net")
	if r.code != exitFailed || !strings.HasSuffix(r.stderr, "; retry the command when the blocking resources are gone: in this inventory only resources that name the blocked one can block it, if the table does not say so\n") {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
}

// TestPushInventoryBehindALink looks at where the link leads.
func TestPushInventoryBehindALink(t *testing.T) {
	t.Chdir(writeArchive(t, shopZone))
	s := newRESTServer(t, "t0ken", dnsKinds...)
	must(t, os.Symlink("net/inside.yaml", "link"))
	if r := pushTo(t, s, "apply", "net", "--inventory", "link"); r.code != exitFailed || !strings.Contains(r.stderr, "inventory link: the file is a symbolic link whose target does not exist") {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
	must(t, os.WriteFile("net/inside.yaml", nil, 0o600))
	if r := pushTo(t, s, "apply", "net", "--inventory", "link"); r.code != exitUsage || !strings.Contains(r.stderr, "there it would be a resource of the package") {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
	must(t, os.Remove("net/inside.yaml"))
	must(t, os.WriteFile("real", []byte("apiVersion: waybill.dev/v1alpha1\nkind: BackendInventory\nmetadata: {name: a}\nspec: {backend: rest-example}\n"), 0o640))
	must(t, os.Remove("link"))
	must(t, os.Symlink("real", "link"))
	r := pushTo(t, s, "apply", "net", "--inventory", "link")
	if info, err := os.Lstat("link"); r.code != exitDone || err != nil || info.Mode()&os.ModeSymlink == 0 || !strings.Contains(fileText(t, "real"), "kind: Zone") {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
}

func fileText(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return string(data)
}

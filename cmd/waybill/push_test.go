package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/push"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
)

// shopZone is a package with a zone, a record that is monitored, and what is none of the pusher's business;
// shopChanged is what becomes of it: one body each that can be replaced and that cannot, one more, one less.
const shopZone = `
-- net/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: net
-- net/service.yaml --
apiVersion: v1
kind: Service
metadata:
  name: shop
-- net/zone.yaml --
apiVersion: midonet.org/v1
kind: Translation
metadata: {name: zone, namespace: default}
resources:
- kind: Zone
  parent: ""
  body: '{"id":"00000000-0000-4000-8000-00000000000a","name":"shop.example"}'
- kind: Record
  parent: 00000000-0000-4000-8000-00000000000a
  body: '{"id":"00000000-0000-4000-8000-00000000000b","name":"www","monitorId":"00000000-0000-4000-8000-00000000000c"}'
- kind: Record
  parent: 00000000-0000-4000-8000-00000000000a
  body: '{"id":"00000000-0000-4000-8000-00000000000d","name":"old"}'
-- net/monitor.yaml --
apiVersion: midonet.org/v1
kind: Translation
metadata: {name: monitor, namespace: default}
resources:
- kind: Monitor
  parent: ""
  body: '{"id":"00000000-0000-4000-8000-00000000000c","every":"1m"}'
`

var shopChanged = strings.NewReplacer(`"name":"shop.example"`, `"name":"shop.example","ttl":60`, `"every":"1m"`, `"every":"5s"`,
	`0d","name":"old"`, `0e","name":"new"`).Replace(shopZone)

// shopHolds is what a backend holds then.
func shopHolds(t *testing.T, archive string) []string {
	t.Helper()
	s := newRESTServer(t, "t0ken", dnsKinds...)
	t.Chdir(writeArchive(t, archive))
	if r := pushTo(t, s, "apply", "net"); r.code != exitDone {
		t.Fatalf("exit code %d: %s", r.code, r.stderr)
	}
	return s.holds()
}

// pushTo runs a push command of table rest-example against a server.
func pushTo(t *testing.T, s *restServer, args ...string) cliRun {
	t.Helper()
	t.Setenv("WAYBILL_PUSH_URL", s.URL+"/v1")
	t.Setenv("WAYBILL_PUSH_TOKEN", s.token)
	return runCLI(t, append([]string{"push", args[0], "--backend", "rest-example"}, args[1:]...)...)
}

// expect holds a run to what it prints.
func expect(t *testing.T, reason string, r cliRun, code int, stdout, stderr string) {
	t.Helper()
	want := cliRun{code, strings.TrimPrefix(stdout, "\n"), stderr}
	if diff := cmp.Diff(want, r, cmp.AllowUnexported(cliRun{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", reason, diff)
	}
}

// TestPush lives through the life of a package: pushed, pushed again, changed, and deleted.
func TestPush(t *testing.T) {
	want, changed := shopHolds(t, shopZone), shopHolds(t, shopChanged)
	dir := writeArchive(t, shopZone)
	t.Chdir(dir)
	s := newRESTServer(t, "t0ken", dnsKinds...)
	expect(t, "what is needed comes first", pushTo(t, s, "plan", "net"), exitDone, `
OP       KIND      ID                                     IN                                     TRANSLATION       REASON
create   Monitor   00000000-0000-4000-8000-00000000000c   -                                      default/monitor   new
create   Zone      00000000-0000-4000-8000-00000000000a   -                                      default/zone      new
create   Record    00000000-0000-4000-8000-00000000000b   00000000-0000-4000-8000-00000000000a   default/zone      new
create   Record    00000000-0000-4000-8000-00000000000d   00000000-0000-4000-8000-00000000000a   default/zone      new
`, "No inventory at net.rest-example.inventory yet: nothing counts as applied.\n4 to create.\n")
	expect(t, "and is done in that order", pushTo(t, s, "apply", "net"), exitDone, `
STATE   OP       KIND      ID                                     TRANSLATION       MESSAGE
done    create   Monitor   00000000-0000-4000-8000-00000000000c   default/monitor   -
done    create   Zone      00000000-0000-4000-8000-00000000000a   default/zone      -
done    create   Record    00000000-0000-4000-8000-00000000000b   default/zone      -
done    create   Record    00000000-0000-4000-8000-00000000000d   default/zone      -
`, "No inventory at net.rest-example.inventory yet: apply creates it.\n4 done; 4 requests.\n")
	if diff := cmp.Diff(want, s.holds()); diff != "" {
		t.Errorf("pushed (-want +got):\n%s", diff)
	}
	expect(t, "once is enough", pushTo(t, s, "apply", "net", "--exit-code"), exitDone, "", "Nothing to do.\n")
	putInPlace(t, dir, shopChanged)
	expect(t, "each change has its reason, and what it takes with it comes back", pushTo(t, s, "plan", "net", "--exit-code"), exitFailed, `
OP        KIND      ID                                     IN                                     TRANSLATION       REASON
delete    Monitor   00000000-0000-4000-8000-00000000000c   -                                      default/monitor   changed
create    Monitor   00000000-0000-4000-8000-00000000000c   -                                      default/monitor   changed
replace   Zone      00000000-0000-4000-8000-00000000000a   -                                      default/zone      changed: ttl
replace   Record    00000000-0000-4000-8000-00000000000b   00000000-0000-4000-8000-00000000000a   default/zone      reference-goes: Monitor 00000000-0000-4000-8000-00000000000c
create    Record    00000000-0000-4000-8000-00000000000e   00000000-0000-4000-8000-00000000000a   default/zone      new
delete    Record    00000000-0000-4000-8000-00000000000d   00000000-0000-4000-8000-00000000000a   default/zone      not-desired
`, "2 to create, 2 to replace, 2 to delete.\n")
	if r := pushTo(t, s, "apply", "net", "--exit-code"); r.code != exitFailed || !strings.HasSuffix(r.stderr, "6 done; 7 requests.\n") {
		t.Errorf("something was done: exit code %d, %s", r.code, r.stderr)
	}
	if diff := cmp.Diff(changed, s.holds()); diff != "" {
		t.Errorf("pushed with changes (-want +got):\n%s", diff)
	}
	must(t, os.Remove("net/zone.yaml"))
	must(t, os.Remove("net/monitor.yaml"))
	if r := pushTo(t, s, "apply", "net"); r.code != exitFailed || !strings.Contains(r.stderr, "error: the input holds no Translation") || len(s.holds()) != 4 {
		t.Errorf("an empty package does not mean to delete everything: exit code %d, %s", r.code, r.stderr)
	}
	if r := pushTo(t, s, "apply", "net", "--allow-empty"); r.code != exitDone || len(s.holds()) != 0 {
		t.Errorf("but can be: exit code %d, %s, %s", r.code, r.stderr, s.holds())
	}
}

// putInPlace puts the files of an archive in the place of those that are there.
func putInPlace(t *testing.T, dir, archive string) {
	t.Helper()
	from := writeArchive(t, archive)
	must(t, os.RemoveAll(filepath.Join(dir, "net")))
	must(t, os.Rename(filepath.Join(from, "net"), filepath.Join(dir, "net")))
}

// TestPushPlanFile carries out a plan that was printed, in both ways of printing it, once.
func TestPushPlanFile(t *testing.T) {
	want := shopHolds(t, shopZone)
	for _, format := range []string{"yaml", "json"} {
		t.Run(format, func(t *testing.T) {
			t.Chdir(writeArchive(t, shopZone))
			s := newRESTServer(t, "t0ken", dnsKinds...)
			plan := pushTo(t, s, "plan", "net", "-o", format)
			if again := pushTo(t, s, "plan", "-f", "net", "--inventory", "net.inventory", "-o", format); again.stdout != plan.stdout {
				t.Errorf("the same files give another plan: %s", cmp.Diff(plan.stdout, again.stdout))
			}
			if s.requests() > 0 {
				t.Error("a plan contacts no server")
			}
			writeFile(t, "plan."+format, plan.stdout, 0o644)
			apply := []string{"apply", "--plan", "plan." + format, "--inventory", "net.inventory"}
			if r := pushTo(t, s, apply...); r.code != exitDone {
				t.Fatalf("exit code %d: %s", r.code, r.stderr)
			}
			if diff := cmp.Diff(want, s.holds()); diff != "" {
				t.Errorf("applied (-want +got):\n%s", diff)
			}
			r := pushTo(t, s, apply...)
			if r.code != exitDone || strings.Count(r.stdout, "skipped") != 4 || s.requests() != 4 {
				t.Errorf("the same plan once more does nothing: exit code %d, %s%s", r.code, r.stdout, r.stderr)
			}
			s.halts(nil)
			other := pushTo(t, s, "plan", "-f", "net", "--inventory", "none", "-o", format)
			writeFile(t, "plan."+format, strings.ReplaceAll(other.stdout, "shop.example", "other.example"), 0o644)
			r = pushTo(t, s, apply...)
			if r.code != exitFailed || !strings.Contains(r.stderr, "plan again") || s.requests() != 0 {
				t.Errorf("a plan that was made from another inventory: exit code %d, %s", r.code, r.stderr)
			}
		})
	}
}

// TestPushReport holds what a program reads of an apply in which some things fail.
func TestPushReport(t *testing.T) {
	t.Chdir(writeArchive(t, strings.ReplaceAll(shopZone, `"name":"shop.example"`, `"name":"shop.example","bad":true`)))
	s := newRESTServer(t, "t0ken", dnsKinds...)
	r := pushTo(t, s, "apply", "net", "-o", "yaml")
	var got push.Report
	must(t, yaml.UnmarshalStrict([]byte(r.stdout), &got))
	const a, b, c, d = "00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b", "00000000-0000-4000-8000-00000000000c", "00000000-0000-4000-8000-00000000000d"
	want := push.Report{TypeMeta: cli.TypeMeta("PushReport"), Backend: "rest-example", Requests: 2, Operations: []push.Row{
		{State: "done", Op: "create", Kind: "Monitor", ID: c, Translation: "default/monitor", Reason: "new"},
		{State: "failed", Op: "create", Kind: "Zone", ID: a, Translation: "default/zone", Reason: "new", Class: "permanent", Status: 422, Message: "422 Unprocessable Entity: bad"},
		{State: "not-attempted", Op: "create", Kind: "Record", ID: b, Parent: a, Translation: "default/zone", Index: 1, Reason: "new", WaitsFor: "create Zone " + a},
		{State: "not-attempted", Op: "create", Kind: "Record", ID: d, Parent: a, Translation: "default/zone", Index: 2, Reason: "new", WaitsFor: "create Record " + b},
	}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(push.Report{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	const end = "1 done, 1 failed, 2 not-attempted; 2 requests.\nerror: 1 done, 1 failed, 2 not attempted: create Zone " + a + ": permanent: 422 Unprocessable Entity: bad\n"
	if r.code != exitFailed || !strings.HasSuffix(r.stderr, end) {
		t.Errorf("exit code %d, %q does not end in %q", r.code, r.stderr, end)
	}
	if r := pushTo(t, s, "apply", "net", "--exit-code", "-o", "json"); r.code != exitUsage || !json.Valid([]byte(r.stdout)) {
		t.Errorf("with --exit-code trouble is 2: %d\n%s", r.code, r.stdout)
	}
}

// TestPushProblems lets through what is right, keeps what is not, and says so.
func TestPushProblems(t *testing.T) {
	t.Chdir(writeArchive(t, strings.ReplaceAll(shopZone, "kind: Zone", "kind: Zoo")))
	s := newRESTServer(t, "t0ken", dnsKinds...)
	const says = "problem: default/zone resources[0]: Zoo: kind \"Zoo\" is not in table \"rest-example\"\n"
	const fault = "error: 1 problem with Translations, which keep their resources and all that these need; see above\n"
	expect(t, "the rest is planned", pushTo(t, s, "plan", "net", "--exit-code"), exitUsage, `
OP       KIND      ID                                     IN   TRANSLATION       REASON
create   Monitor   00000000-0000-4000-8000-00000000000c   -    default/monitor   new
`, "No inventory at net.rest-example.inventory yet: nothing counts as applied.\n"+says+"1 to create.\n"+fault)
	r := pushTo(t, s, "apply", "net", "-o", "json")
	var got push.Report
	must(t, json.Unmarshal([]byte(r.stdout), &got))
	if r.code != exitFailed || len(got.Problems) != 1 || len(s.holds()) != 1 || !strings.HasSuffix(r.stderr, says+"1 done; 1 request.\n"+fault) {
		t.Errorf("and done: exit code %d, %s%s", r.code, r.stdout, r.stderr)
	}
}

// TestPushDryRun wants a dry run to say what an apply would do, and to do none of it.
func TestPushDryRun(t *testing.T) {
	t.Chdir(writeArchive(t, shopZone))
	s := newRESTServer(t, "t0ken", dnsKinds...)
	before := snapshot(t, ".")
	r := pushTo(t, s, "apply", "net", "--dry-run", "--exit-code", "-o", "json")
	var got push.Report
	must(t, json.Unmarshal([]byte(r.stdout), &got))
	for _, o := range got.Operations {
		if o.State != push.Planned {
			t.Errorf("%s %s is %s", o.Op, o.ID, o.State)
		}
	}
	if r.code != exitFailed || len(got.Operations) != 4 || !got.DryRun || got.Requests != 0 || s.requests() != 0 {
		t.Errorf("exit code %d, %d requests, %s%s", r.code, s.requests(), r.stdout, r.stderr)
	}
	if diff := cmp.Diff(before, snapshot(t, ".")); diff != "" {
		t.Errorf("files were changed (-before +after):\n%s", diff)
	}
}

// TestPushInput reads Translations from everywhere, and leaves out what waits for its deletion.
func TestPushInput(t *testing.T) {
	t.Chdir(writeArchive(t, shopZone))
	zone, err := os.ReadFile("net/zone.yaml")
	must(t, err)
	list := "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(string(zone)), "\n", "\n  ") + "\n"
	deleted := strings.ReplaceAll(shopTranslation, "namespace: default", `namespace: default, deletionTimestamp: "2026-01-01T00:00:00Z"`)
	for name, tc := range map[string]struct {
		reason, stdin string
		args          []string
		kinds         []string
	}{
		"stdin":   {"what a program prints", string(zone), []string{"-f", "-"}, []string{"Zone", "Record", "Record"}},
		"list":    {"what kubectl prints", list, []string{"-"}, []string{"Zone", "Record", "Record"}},
		"files":   {"one after the other", "", []string{"-f", "net/monitor.yaml,net/zone.yaml"}, []string{"Monitor", "Zone", "Record", "Record"}},
		"both":    {"a package and more", shopTranslation, []string{"net", "-f", "-"}, []string{"Zone", "Monitor", "Zone", "Record", "Record"}},
		"deleted": {"one that waits for its deletion asks for nothing", deleted, []string{"-f", "-", "-f", "net/monitor.yaml"}, []string{"Monitor"}},
		"all":     {"also when nothing else is there", deleted, []string{"-f", "-"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := runCLIOn(t, tc.stdin, append([]string{"push", "plan", "--backend", "rest-example", "--inventory", "inventory", "-o", "json"}, tc.args...)...)
			var plan waybillapi.BackendPlan
			if err := json.Unmarshal([]byte(r.stdout), &plan); err != nil {
				t.Fatalf("%s: %v: %s", tc.reason, err, r.stderr)
			}
			var kinds []string
			for _, op := range plan.Spec.Operations {
				kinds = append(kinds, op.Kind)
			}
			if diff := cmp.Diff(tc.kinds, kinds); diff != "" || r.code != exitDone {
				t.Errorf("%s: exit code %d, %s (-want +got):\n%s", tc.reason, r.code, r.stderr, diff)
			}
		})
	}
}

const shopTranslation = `apiVersion: midonet.org/v1
kind: Translation
metadata: {name: another, namespace: default}
resources:
- kind: Zone
  parent: ""
  body: '{"id":"00000000-0000-4000-8000-00000000001a"}'
`

package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	backendtable "github.com/waybill-dev/waybill/pkg/backend/table"
)

const pushFiles = shopZone + `
-- list/none.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: none
-- broken/a.yaml --
apiVersion: midonet.org/v1
kind: Translation
metadata: {name: a, namespace: default}
resources:
- kind: Zone
  parent: x
  body: '[]'
---
apiVersion: midonet.org/v2
kind: Translation
metadata: {name: b, namespace: default}
-- table.yaml --
apiVersion: waybill.dev/v1alpha1
kind: BackendTable
metadata: {name: mine}
spec: {kinds: [{kind: A, create: [{path: as}], delete: "/as/{id}"}]}
-- named.yaml --
apiVersion: waybill.dev/v1alpha1
kind: BackendTable
metadata: {name: ../mine}
spec: {kinds: [{kind: A, create: [{path: /as}], delete: "/as/{id}"}]}
-- plan.yaml --
apiVersion: waybill.dev/v1alpha1
kind: BackendPlan
metadata: {name: rest-example}
spec: {backend: midonet, inventory: {digest: ""}}
-- inventory --
apiVersion: v1
kind: ConfigMap
metadata: {name: none}
`

// TestPushRefuses fails in every way that files and flags can make it, and sends and writes nothing.
func TestPushRefuses(t *testing.T) {
	plan := func(args ...string) []string { return append([]string{"push", "plan"}, args...) }
	apply := func(args ...string) []string {
		return append([]string{"push", "apply", "--backend", "rest-example"}, args...)
	}
	cases := map[string]struct {
		reason string
		args   []string
		code   int
		says   string
	}{
		"NoBackend":        {"it is not guessed", plan("net"), exitUsage, "name the backend by --backend: midonet, rest-example, or the file of a BackendTable"},
		"UnknownBackend":   {"neither name nor file", plan("net", "--backend", "dns"), exitUsage, `backend "dns": there is no built-in table of this name (midonet, rest-example), and no such file`},
		"BrokenTable":      {"it says what is wrong with it", plan("net", "--backend", "table.yaml"), exitFailed, "BackendTable mine (table.yaml): spec.kinds[0].create[0].path: Invalid value"},
		"NameOfTable":      {"files are called after it", plan("net", "--backend", "named.yaml"), exitFailed, "metadata.name: Invalid value"},
		"NoTable":          {"another object", plan("net", "--backend", "plan.yaml"), exitFailed, `want apiVersion "waybill.dev/v1alpha1" and kind "BackendTable"`},
		"Format":           {"before any work", plan("none", "--backend", "none", "-o", "wide"), exitUsage, `--output "wide": want table, json or yaml`},
		"ApplyFormat":      {"the same here", apply("none", "-o", "wide"), exitUsage, `--output "wide": want table, json or yaml`},
		"TableFormat":      {"and here", []string{"push", "table", "midonet", "-o", "wide"}, exitUsage, `--output "wide": want table, json or yaml`},
		"TablesFormat":     {"and here", []string{"push", "tables", "-o", "wide"}, exitUsage, `--output "wide": want table, json or yaml`},
		"UnknownTable":     {"a table that is none", []string{"push", "table", "none"}, exitUsage, `there is no built-in table of this name`},
		"TwoPackages":      {"one at a time, since each has its inventory", plan("net", "list"), exitUsage, "accepts at most 1 arg(s), received 2"},
		"NoPlace":          {"files have no place beside them", plan("-f", "net", "--backend", "rest-example"), exitUsage, "name the inventory by --inventory: without DIR there is no package to put it beside"},
		"Stdin":            {"nor has stdin", plan("-", "--backend", "rest-example"), exitUsage, "name the inventory by --inventory: without DIR"},
		"Root":             {"nor has everything", plan("/", "--backend", "rest-example"), exitUsage, "name the inventory by --inventory: there is no place beside /"},
		"File":             {"a package is a folder", plan("net/zone.yaml", "--backend", "rest-example"), exitUsage, "net/zone.yaml is not a folder; use --filename for files"},
		"NoPackage":        {"that is there", plan("none", "--backend", "rest-example"), exitUsage, "none is not a folder"},
		"InPackage":        {"it would be rendered, and shipped", plan("net", "--backend", "rest-example", "--inventory", "net/i.yaml"), exitUsage, "--inventory net/i.yaml: there it would be a resource of the package"},
		"InAnother":        {"also of what --filename names", plan("list", "-f", "net", "--backend", "rest-example", "--inventory", "list/../net/i.json"), exitUsage, "there it would be a resource of the package"},
		"NoTranslation":    {"a wrong folder must not delete everything", plan("list", "--backend", "rest-example"), exitFailed, "the input holds no Translation; use --allow-empty to delete everything that was pushed"},
		"Broken":           {"all that is wrong, and where", plan("broken", "--backend", "rest-example"), exitFailed, `error: Translation default/a (a.yaml): [resources[0].parent: Invalid value: "x": want nothing or a lower-case UUID with hyphens, resources[0].body: Invalid value: want a JSON object, as text on one line]; Translation default/b (a.yaml): apiVersion: Unsupported value: "midonet.org/v2": supported values: "midonet.org/v1"`},
		"Inventory":        {"something else in its place", plan("net", "--backend", "rest-example", "--inventory", "inventory"), exitFailed, `inventory inventory: ConfigMap none (inventory): want apiVersion "waybill.dev/v1alpha1" and kind "BackendInventory"`},
		"TroubleIsTwo":     {"with --exit-code", plan("broken", "--backend", "rest-example", "--exit-code"), exitUsage, "default/a"},
		"NoURL":            {"it is not guessed", apply("net", "--token-file", "inventory"), exitUsage, "name the URL of the backend: --url or WAYBILL_PUSH_URL"},
		"NoToken":          {"the table wants one", apply("net", "--url", "http://127.0.0.1:1"), exitUsage, `backend "rest-example" requires a token: --token-file or WAYBILL_PUSH_TOKEN`},
		"NoUser":           {"as it may want a name", []string{"push", "apply", "net", "--backend", "midonet", "--username", "a:b"}, exitUsage, `backend "midonet" requires a user name without colons`},
		"Password":         {"everyone could see it, and it is not repeated", apply("net", "--token-file", "inventory", "--url", "http://u:hush@127.0.0.1:1"), exitUsage, "the address of the backend contains a user: set user name and password separately"},
		"TokenLines":       {"no header carries two lines", apply("net", "--token-file", "inventory", "--url", "http://127.0.0.1:1"), exitUsage, "the token has characters that a header cannot hold"},
		"CA":               {"a CA bundle without certificates", []string{"push", "apply", "net", "--backend", "midonet", "--ca-file", "inventory"}, exitUsage, "the CA bundle has no certificate in PEM form"},
		"PlanAndPackage":   {"one or the other", apply("net", "--plan", "plan.yaml"), exitUsage, "--plan holds all operations: leave DIR, --filename and --allow-empty out"},
		"PlanAndFiles":     {"one or the other", apply("-f", "net", "--plan", "plan.yaml"), exitUsage, "--plan holds all operations"},
		"PlanAndNothing":   {"one or the other", apply("--allow-empty", "--plan", "plan.yaml"), exitUsage, "--plan holds all operations"},
		"PlanOfWhat":       {"the inventory it was made from", apply("--plan", "plan.yaml"), exitUsage, "name the inventory by --inventory: a plan names no package"},
		"NoPlan":           {"a plan that is not there", apply("--plan", "none.yaml", "--inventory", "i", "--url", "http://127.0.0.1:1"), exitFailed, "open none.yaml: no such file or directory"},
		"NotAPlan":         {"something else", apply("--plan", "inventory", "--inventory", "i", "--url", "http://127.0.0.1:1"), exitFailed, `want apiVersion "waybill.dev/v1alpha1" and kind "BackendPlan"`},
		"Plans":            {"several", apply("--plan", "broken/a.yaml", "--inventory", "i", "--url", "http://127.0.0.1:1"), exitFailed, "broken/a.yaml: want one BackendPlan, got 2 objects"},
		"PlanOfAnother":    {"a plan for another backend", apply("--plan", "plan.yaml", "--inventory", "i", "--dry-run", "--url", "http://127.0.0.1:1"), exitFailed, `the plan is for backend "midonet", not for "rest-example"`},
		"NoPasswordOption": {"secrets are no arguments", apply("net", "--password", "hush"), exitUsage, "unknown flag: --password"},
		"NoTokenOption":    {"secrets are no arguments", apply("net", "--token", "hush"), exitUsage, "unknown flag: --token"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(writeArchive(t, pushFiles))
			before := snapshot(t, ".")
			if name != "NoToken" {
				t.Setenv("WAYBILL_PUSH_TOKEN", "t0ken")
			}
			r := runCLI(t, tc.args...)
			if r.code != tc.code || r.stdout != "" || !strings.Contains(r.stderr, tc.says) || strings.Count(r.stderr, "error: ") != 1 || strings.Contains(r.stderr, "hush@") {
				t.Errorf("%s: waybill %s: exit code %d (want %d), stdout %q, stderr:\n%swant: %s", tc.reason, strings.Join(tc.args, " "), r.code, tc.code, r.stdout, r.stderr, tc.says)
			}
			if diff := cmp.Diff(before, snapshot(t, ".")); diff != "" {
				t.Errorf("%s: files were changed (-before +after):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestPushTables prints what comes along, in a way that can be read again.
func TestPushTables(t *testing.T) {
	expect(t, "a list", runCLI(t, "push", "tables"), exitDone, "NAME           AUTH     KINDS\nmidonet        Login    12\nrest-example   Bearer   4\n", "")
	if r := runCLI(t, "push", "tables", "-o", "json"); !strings.Contains(r.stdout, `"Delegation"`) || r.code != exitDone {
		t.Errorf("exit code %d: %s", r.code, r.stdout)
	}
	for _, name := range backendtable.BuiltinNames() {
		_, text, err := backendtable.Builtin(name)
		must(t, err)
		expect(t, "as it is written", runCLI(t, "push", "table", name, "-o", "yaml"), exitDone, string(text), "")
		if _, err := backendtable.Read("t.json", []byte(runCLI(t, "push", "table", name, "-o", "json").stdout)); err != nil {
			t.Errorf("as JSON it is another: %v", err)
		}
	}
	r := runCLI(t, "push", "table", "midonet")
	if !strings.Contains(r.stdout, "\nPort                {id}                        /bridges/{parent}/ports /routers/{parent}/ports   /ports/{id}") {
		t.Errorf("as a table:\n%s", r.stdout)
	}
}

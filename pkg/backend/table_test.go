package backend_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
	"github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// tableText is a table around kinds, in flow style.
func tableText(auth, statuses string, kinds ...string) string {
	return fmt.Sprintf("apiVersion: waybill.dev/v1alpha1\nkind: BackendTable\nmetadata: {name: t}\nspec: {auth: {%s}, statuses: {%s}, kinds: [%s]}\n", auth, statuses, strings.Join(kinds, ", "))
}

// a is a kind that is right but for what is added to it.
func a(more string) string {
	return `{kind: A, create: [{path: /as}], delete: "/as/{id}"` + more + "}"
}

func TestTablesThatAreRefused(t *testing.T) {
	at := func(path, what string) string {
		return "BackendTable t (t.yaml): spec.kinds[0]." + path + ": " + what
	}
	for name, tc := range map[string]struct{ reason, text, want string }{
		"right":          {"nothing is wrong with it", tableText("", "", a("")), ""},
		"name":           {"files are called after it", strings.Replace(tableText("", "", a("")), "{name: t}", "{name: ../t}", 1), `BackendTable ../t (t.yaml): metadata.name: Invalid value: "../t": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`},
		"no kinds":       {"it would describe nothing", tableText("", ""), "BackendTable t (t.yaml): spec.kinds: Required value: name the kinds of resources"},
		"kind":           {"names are those of Translations", tableText("", "", `{kind: a/b, create: [{path: /as}], delete: "/as/{id}"}`), at("kind", `Invalid value: "a/b": want a letter A to Z, then up to 62 letters and digits`)},
		"twice":          {"one of them would be dead", tableText("", "", a(""), a("")), `BackendTable t (t.yaml): spec.kinds[1].kind: Duplicate value: "A"`},
		"unknown field":  {"a typo is not passed over", tableText("", "", a(`, raed: "/as/{id}"`)), "BackendTable t (t.yaml): spec.kinds[0].raed: Forbidden: unknown field"},
		"absolute":       {"credentials go to one host", tableText("", "", a(`, read: "https://evil.example/{id}"`)), at("read", `Invalid value: "https://evil.example/{id}": may have letters, digits, dots, dashes, underscores, tildes, slashes and {parameters}`)},
		"other host":     {"// begins a host", tableText("", "", a(`, read: "//evil.example/{id}"`)), at("read", `Invalid value: "//evil.example/{id}": has "" between slashes`)},
		"relative":       {"a path begins with a slash: else it would join the host's name", tableText("", "", a(`, read: ".evil.example/{id}"`)), at("read", `Invalid value: ".evil.example/{id}": must begin with a slash`)},
		"up":             {"it leaves the API", tableText("", "", a(`, read: "/../{id}"`)), at("read", `Invalid value: "/../{id}": has ".." between slashes`)},
		"escaped":        {"as well, behind a mask", tableText("", "", a(`, read: "/%2e%2e/{id}"`)), at("read", `Invalid value: "/%2e%2e/{id}": may have letters, digits, dots, dashes, underscores, tildes, slashes and {parameters}`)},
		"query":          {"nor is it a query", tableText("", "", a(`, read: "/as?x={id}"`)), at("read", `Invalid value: "/as?x={id}": may have letters, digits, dots, dashes, underscores, tildes, slashes and {parameters}`)},
		"line end":       {"nor two lines", tableText("", "", a(`, read: "/as\r\nHost: x/{id}"`)), at("read", `Invalid value: "/as\r\nHost: x/{id}": may have letters, digits, dots, dashes, underscores, tildes, slashes and {parameters}`)},
		"parameter":      {"there is no value for it", tableText("", "", a(`, read: "/as/{name}"`)), at("read", `Invalid value: "/as/{name}": has a parameter {name} that does not exist here`)},
		"id too early":   {"the id is in the body", tableText("", "", `{kind: A, create: [{path: "/as/{id}"}], delete: "/as/{id}"}`), at("create[0].path", `Invalid value: "/as/{id}": has a parameter {id} that does not exist here`)},
		"open":           {"a brace that is not closed", tableText("", "", a(`, read: "/as/{id"`)), at("read", `Invalid value: "/as/{id": has a { without a }`)},
		"transformation": {"of a field that is none", tableText("", "", a(`, id: "{id:rot13}"`)), at("id", `Invalid value: "{id:rot13}": has a parameter {id:rot13}: want nothing, :dashes or :lower behind the field`)},
		"constant id":    {"all would be one", tableText("", "", a(`, id: "x"`)), at("id", `Invalid value: "x": has no parameter: every resource would be the same`)},
		"all at once":    {"deleting one would delete them all", tableText("", "", `{kind: A, create: [{path: /as}], delete: /as}`), at("delete", `Invalid value: "/as": does not have {id}: it would be the same for every resource`)},
		"no delete":      {"what is created must go one day", tableText("", "", `{kind: A, create: [{path: /as}]}`), at("delete", "Required value: say where to delete it")},
		"no create":      {"and cannot go before", tableText("", "", `{kind: A, create: [], delete: "/as/{id}"}`), at("create", "Required value: say where to create it")},
		"huge":           {"paths have an end", tableText("", "", a(`, read: "/`+strings.Repeat("a", 600)+`/{id}"`)), at("read", `Invalid value: "/`+strings.Repeat("a", 79)+`...": must be no longer than 512 bytes`)},
		"many":           {"so have kinds", tableText("", "", strings.Split(strings.Repeat("{},", 500)+"{}", ",")...), "BackendTable t (t.yaml): spec.kinds: Too many: 501: must have at most 500 items"},
		"media type":     {"it is a header", tableText("", "", a(`, mediaType: "a/b\r\nX-Evil: 1"`)), at("mediaType", `Invalid value: "a/b\r\nX-Evil: 1": want type/subtype without parameters`)},
		"parents":        {"they must be there, and known by id alone", tableText("", "", `{kind: A, create: [{path: "/bs/{parent}/as"}], delete: "/bs/{parent}/as/{id}", parents: [A, B]}`), "BackendTable t (t.yaml): [spec.kinds[0].parents[0]: Invalid value: \"A\": is not identified by its id alone, spec.kinds[0].parents[1]: Not found: \"B\"]"},
		"no parent":      {"no path says where it is", tableText("", "", a(", parents: [A]")), at("parents", "Forbidden: no path of this kind has {parent}")},
		"reference":      {"to nothing", tableText("", "", a(`, references: [{field: "a b", kinds: []}]`)), "BackendTable t (t.yaml): [spec.kinds[0].references[0].field: Invalid value: \"a b\": want names of fields with dots between them, spec.kinds[0].references[0].kinds: Required value: name the kinds it may mean]"},
		"statuses":       {"401 has a meaning already, and 200 is no failure", tableText("", "exists: [401, 200], missing: [401]", a("")), "BackendTable t (t.yaml): [spec.statuses.exists[0]: Invalid value: 401: want 400 to 599, without 401 and 429, spec.statuses.exists[1]: Invalid value: 200: want 400 to 599, without 401 and 429, spec.statuses.missing[0]: Invalid value: 401: want 400 to 599, without 401 and 429, spec.statuses.missing: Invalid value: 401: is in exists, too]"},
		"two meanings":   {"what a kind says and what it takes from the table are one", tableText("", "missing: [400, 404]", a(", statuses: {exists: [400, 409]}")), at("statuses.missing", "Invalid value: 400: is in exists, too")},
		"by default":     {"and what the table takes from the defaults", tableText("", "missing: [409]", a("")), "BackendTable t (t.yaml): spec.statuses.missing: Invalid value: 409: is in exists, too"},
		"done or gone":   {"a replacement has one outcome", tableText("", "unchanged: [410]", a("")), "BackendTable t (t.yaml): spec.statuses.unchanged: Invalid value: 410: is in gone, too"},
		"auth":           {"unknown ways", tableText("type: Magic", "", a("")), `BackendTable t (t.yaml): spec.auth.type: Unsupported value: "Magic": supported values: "None", "Basic", "Bearer", "Login"`},
		"no login":       {"it is not defined how", tableText("type: Login", "", a("")), "BackendTable t (t.yaml): spec.auth.login: Required value: required: it says how to log in"},
		"login":          {"a token has a header of its own", tableText("type: Login, login: {path: /a/./b, tokenField: \"\", tokenHeader: host, projectHeader: \"a b\"}", "", a("")), "BackendTable t (t.yaml): [spec.auth.login.path: Invalid value: \"/a/./b\": has \".\" between slashes, spec.auth.login.projectHeader: Invalid value: \"a b\": want the name of a header that carries nothing else, spec.auth.login.tokenField: Invalid value: \"\": want names of fields with dots between them, spec.auth.login.tokenHeader: Invalid value: \"host\": want the name of a header that carries nothing else]"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := table.Read("t.yaml", []byte(tc.text))
			if diff := cmp.Diff(tc.want, message(err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestTablesThatComeAlong(t *testing.T) {
	if diff := cmp.Diff([]string{"midonet", "rest-example"}, table.BuiltinNames()); diff != "" {
		t.Error(diff)
	}
	for _, name := range table.BuiltinNames() {
		table, text, err := table.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		if table.Name() != name {
			t.Errorf("table %q calls itself %q", name, table.Name())
		}
		checkTableRoundTrip(t, text)
	}
	_, _, err := table.Builtin("dns")
	if diff := cmp.Diff(`there is no built-in table "dns": want midonet or rest-example`, message(err)); diff != "" {
		t.Error(diff)
	}
}

// checkTableRoundTrip holds that decoding and encoding a table keeps every field.
func checkTableRoundTrip(t testing.TB, text []byte) {
	t.Helper()
	objects, err := krm.Read("t.yaml", text, krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	first, err := waybill.ReadBackendTable(objects[0])
	if err != nil {
		t.Fatal(err)
	}
	written, err := krm.FromTyped(first)
	if err != nil {
		t.Fatal(err)
	}
	if !krm.Equivalent(objects[0].Node(), written.Node()) {
		t.Errorf("written again, the table says something else")
	}
}

func TestExampleTable(t *testing.T) {
	table, _, err := table.Builtin("rest-example")
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	c, err := httpclient.New(table, httpclient.Config{URL: "https://dns.example/v1", Token: "t0ken", Transport: carrier(func(r *http.Request) (*http.Response, error) {
		asked = append(asked, r.Method+" "+r.URL.EscapedPath()+" "+r.Header.Get("Authorization"))
		return (&nowhere{}).RoundTrip(r)
	})})
	if err != nil {
		t.Fatal(err)
	}
	store := inventory.NewMemoryStore(inventory.New("rest-example"))
	for _, desired := range [][]plan.Translation{
		{translation("a/a", resource("Delegation", "example.org", "server", "NS1", "port", 53), resource("Record", "example.org", "id", "www/1", "monitorId", "m")), translation("a/b", resource("Zone", "", "id", "example.org"), resource("Monitor", "", "id", "m"))},
		{translation("a/b", resource("Zone", "", "id", "example.org", "ttl", 60))},
	} {
		i, err := store.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		plan, err := plan.New(desired, table, i)
		if err != nil {
			t.Fatal(err)
		}
		if result, err := apply.Run(t.Context(), c, plan, store, apply.Options{Clock: &fakeClock{}}); err != nil || !result.Complete() {
			t.Fatal(err, result.Err())
		}
	}
	want := []string{
		"POST /v1/zones", "POST /v1/monitors", "POST /v1/zones/example.org/delegations", "POST /v1/zones/example.org/records",
		"PUT /v1/zones/example.org", "DELETE /v1/records/www%2F1", "DELETE /v1/zones/example.org/delegations/ns1_53", "DELETE /v1/monitors/m",
	}
	for i := range want {
		want[i] += " Bearer t0ken"
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func FuzzTable(f *testing.F) {
	for _, name := range table.BuiltinNames() {
		text, err := os.ReadFile("table/tables/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, "Port", "b", `{"id":"p","type":"Bridge"}`)
	}
	f.Add([]byte(tableText("type: Basic", "gone: []", a(`, id: "{a.b}.{c:lower}", replace: "/x.{id}.y"`))), "A", "", `{"a":{"b":"/"},"c":1}`)
	f.Fuzz(func(t *testing.T, text []byte, kind, parent, body string) {
		tbl, err := table.Read("t.yaml", text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("an error has one line: %q", err)
			}
			return
		}
		desired := []plan.Translation{{Namespace: "a", Name: "a", Resources: []table.Resource{{Kind: kind, Parent: parent, Body: body}}}}
		plan, err := plan.New(desired, tbl, inventory.New(tbl.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if len(plan.Spec.Operations)+len(plan.Spec.Problems) != 1 {
			t.Fatalf("a resource is created, or a problem: %+v", plan.Spec)
		}
		if len(plan.Spec.Operations) == 1 {
			checkPaths(t, tbl, plan)
		}
	})
}

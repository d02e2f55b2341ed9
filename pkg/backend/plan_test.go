package backend_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/backendtest"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
	"github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func translation(name string, resources ...table.Resource) plan.Translation {
	namespace, name, _ := strings.Cut(name, "/")
	return plan.Translation{Namespace: namespace, Name: name, Resources: resources}
}

// applied is the inventory after the Translations were applied to a backend that let everything pass.
func applied(t testing.TB, desired ...plan.Translation) *inventory.Inventory {
	t.Helper()
	w := backendtest.New(t)
	defer w.Close()
	k := newKiller(w)
	if len(desired) > 0 {
		k.reach(t, w, desired)
	}
	i, err := k.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return i
}

var (
	chainA  = resource("Chain", "", "id", "a", "name", "one")
	chainA2 = resource("Chain", "", "id", "a", "name", "two")
	chainB  = resource("Chain", "", "id", "b", "name", "one")
	rule1   = resource("Rule", "a", "id", "1", "type", "accept")
	rule2   = resource("Rule", "a", "id", "2", "type", "accept")
	rule2b  = resource("Rule", "a", "id", "2", "type", "drop")
	rule3   = resource("Rule", "a", "id", "3", "type", "accept")
	toA     = resource("Rule", "b", "id", "to-a", "jumpChainId", "a")
	bridgeA = resource("Bridge", "", "id", "br", "name", "one", "inboundFilterId", "a")
)

func TestPlan(t *testing.T) {
	for name, tc := range map[string]struct {
		reason        string
		before, after []plan.Translation
		want          string
	}{
		"nothing": {"no Translations, nothing to do", nil, nil, ""},
		"first": {
			"what is needed comes first whatever it is called", nil,
			[]plan.Translation{translation("a/a", toA), translation("a/b", rule1, rule2), translation("z/z", chainA, chainB)},
			`create Chain a of z/z: new
create Chain b of z/z: new
create Rule to-a of a/a: new
create Rule 1 of a/b: new
create Rule 2 of a/b: new
`,
		},
		"circle": {
			"Translations that need one another keep their lists as far as each has what it names", nil,
			[]plan.Translation{translation("a/2", chainB, rule1), translation("a/1", chainA, toA)},
			`create Chain b of a/2: new
create Chain a of a/1: new
create Rule 1 of a/2: new
create Rule to-a of a/1: new
`,
		},
		"replaced": {
			"what can be replaced is, and the plan says in what", []plan.Translation{translation("a/a", chainA, bridgeA)},
			[]plan.Translation{translation("a/a", chainA, resource("Bridge", "", "id", "br", "name", "two", "tenantId", "t", "inboundFilterId", "a"))},
			"replace Bridge br of a/a: changed [name tenantId]\n",
		},
		"spelled otherwise": {
			"the same body in other words is the same body", []plan.Translation{translation("a/a", table.Resource{Kind: "Chain", Body: `{"id":"a","n":100,"s":"<"}`})},
			[]plan.Translation{translation("a/a", table.Resource{Kind: "Chain", Body: ` { "s": "\u003c", "n": 1e2, "id" : "a" } `})}, "",
		},
		"not replaced": {
			"what cannot be replaced goes with all it holds, in whatever Translation, and comes back; what names it is sent again",
			[]plan.Translation{translation("a/a", chainA, rule1, bridgeA), translation("a/b", rule2), translation("a/c", chainB, toA)},
			[]plan.Translation{translation("a/a", chainA2, rule1, bridgeA), translation("a/b", rule2), translation("a/c", chainB, toA)},
			`delete Rule to-a of a/c: reference-goes Chain a
delete Rule 2 of a/b: parent-goes Chain a
delete Rule 1 of a/a: parent-goes Chain a
delete Chain a of a/a: changed
create Chain a of a/a: changed
create Rule 1 of a/a: parent-goes Chain a
replace Bridge br of a/a: reference-goes Chain a
create Rule 2 of a/b: parent-goes Chain a
create Rule to-a of a/c: reference-goes Chain a
`,
		},
		"named by what goes": {
			"what goes for good goes before what it names, even if that comes back", []plan.Translation{translation("a/a", chainA), translation("a/c", chainB, toA)},
			[]plan.Translation{translation("a/a", chainA2), translation("a/c", chainB)},
			`delete Rule to-a of a/c: not-desired
delete Chain a of a/a: changed
create Chain a of a/a: changed
`,
		},
		"order": {
			"rules behind one that is recreated are recreated, too, and those before it are not", []plan.Translation{translation("a/a", chainA, rule1, rule2, rule3)},
			[]plan.Translation{translation("a/a", chainA, rule1, rule2b, rule3)},
			`delete Rule 3 of a/a: order Rule 2
delete Rule 2 of a/a: changed
create Rule 2 of a/a: changed
create Rule 3 of a/a: order Rule 2
`,
		},
		"other order": {
			"rules that change places are recreated", []plan.Translation{translation("a/a", chainA, rule1, rule2, rule3)},
			[]plan.Translation{translation("a/a", chainA, rule1, rule3, rule2)},
			`delete Rule 2 of a/a: order Rule 3
move Rule 3 of a/a: moved
create Rule 2 of a/a: order Rule 3
`,
		},
		"inserted": {
			"one that is new comes before those behind it", []plan.Translation{translation("a/a", chainA, rule1, rule3)},
			[]plan.Translation{translation("a/a", chainA, rule1, rule2, rule3)},
			`delete Rule 3 of a/a: order Rule 2
create Rule 2 of a/a: new
create Rule 3 of a/a: order Rule 2
`,
		},
		"not desired": {
			"what is not requested is deleted at the end, last created first", []plan.Translation{translation("a/a", chainA, rule1, rule2), translation("a/b", chainB)},
			[]plan.Translation{translation("a/c", resource("Router", "", "id", "r"))},
			`create Router r of a/c: new
delete Chain b of a/b: not-desired
delete Rule 2 of a/a: not-desired
delete Rule 1 of a/a: not-desired
delete Chain a of a/a: not-desired
`,
		},
		"moved": {
			"another Translation is no reason to send anything", []plan.Translation{translation("a/a", chainA, rule1)},
			[]plan.Translation{translation("a/b", chainA), translation("a/c", chainB, rule1)},
			`move Chain a of a/b: moved
create Chain b of a/c: new
move Rule 1 of a/c: moved
`,
		},
		"other parent": {
			"no replacement brings it elsewhere", []plan.Translation{translation("a/a", chainA, chainB, rule1)},
			[]plan.Translation{translation("a/a", chainA, chainB, resource("Rule", "b", "id", "1", "type", "accept"))},
			`delete Rule 1 of a/a: parent-changed a
create Rule 1 of a/a: parent-changed a
`,
		},
		"parent not desired": {
			"what is below it goes first, and is missed when it is created again", []plan.Translation{translation("a/a", chainA), translation("a/b", rule1)},
			[]plan.Translation{translation("a/b", rule1)},
			`delete Rule 1 of a/b: parent-goes Chain a
delete Chain a of a/a: not-desired
create Rule 1 of a/b: parent-goes Chain a
`,
		},
		"two claim it": {
			"a resource has one Translation; what it has stays, and the others go on", []plan.Translation{translation("a/a", chainA, rule1), translation("a/b", chainB)},
			[]plan.Translation{translation("a/a", chainA2), translation("a/b", chainA), translation("a/c", resource("Router", "", "id", "r"))},
			`create Router r of a/c: new
problem a/a[0]: Chain a: Translation a/b requests it, too
problem a/b[0]: Chain a: Translation a/a requests it, too
`,
		},
		"moved to a problem": {
			"what a Translation with a problem requests stays where it is, with what it needs, until the problem is solved",
			[]plan.Translation{translation("a/a", chainA, rule1, chainB)},
			[]plan.Translation{translation("a/b", rule1, table.Resource{Kind: "Rume"})},
			`delete Chain b of a/a: not-desired
problem a/a: Chain a is kept for Rule 1 of a/a, which stays as it is: it would be deleted (not-desired)
problem a/a: Rule 1 stays: Translation a/b requests it, or may do so, and has a problem
problem a/b[1]: Rume: kind "Rume" is not in table "midonet"
`,
		},
		"moved to two": {
			"two that claim what a third drops", []plan.Translation{translation("a/a", chainA)},
			[]plan.Translation{translation("a/b", chainA), translation("a/c", chainA)},
			`problem a/a: Chain a stays: Translation a/b requests it, or may do so, and has a problem
problem a/b[0]: Chain a: Translation a/c requests it, too
problem a/c[0]: Chain a: Translation a/b requests it, too
`,
		},
		"moved to a body that cannot be read": {
			"it may be any of this kind and parent; others are deleted", []plan.Translation{translation("a/a", chainA, chainB, rule1, toA)},
			[]plan.Translation{translation("a/b", chainA, chainB, table.Resource{Kind: "Rule", Parent: "a", Body: `{"id":`})},
			`delete Rule to-a of a/a: not-desired
problem a/a: Chain a stays: Translation a/b requests it, or may do so, and has a problem
problem a/a: Chain b stays: Translation a/b requests it, or may do so, and has a problem
problem a/a: Rule 1 stays: Translation a/b requests it, or may do so, and has a problem
problem a/b[2]: Rule: body: unexpected EOF
`,
		},
		"moved to what is kept": {
			"a Translation of which everything stays still requests what it requests", []plan.Translation{translation("a/a", chainA, chainB), translation("a/b", bridgeA)},
			[]plan.Translation{{Namespace: "a", Name: "b", Keep: true, Resources: []table.Resource{chainB}}},
			`problem a/a: Chain a is kept for Bridge br of a/b, which stays as it is: it would be deleted (not-desired)
problem a/a: Chain b stays: Translation a/b requests it, or may do so, and has a problem
`,
		},
		"moved to what cannot be read": {
			"it may request anything; what others request changes all the same", []plan.Translation{translation("a/a", chainA, rule1, rule2), translation("a/c", chainB)},
			[]plan.Translation{{Namespace: "a", Name: "b", Unreadable: true}, translation("a/a", chainA, rule2b), translation("a/d", toA)},
			`delete Rule 2 of a/a: changed
create Rule 2 of a/a: changed
create Rule to-a of a/d: new
problem a/a: Rule 1 stays: Translation a/b requests it, or may do so, and has a problem
problem a/c: Chain b stays: Translation a/b requests it, or may do so, and has a problem
`,
		},
		"twice in a list": {
			"nor is it there twice", nil, []plan.Translation{translation("a/a", chainA, chainA2)},
			"problem a/a[0]: Chain a: Translation a/a requests it, too\nproblem a/a[1]: Chain a: Translation a/a requests it, too\n",
		},
		"same name": {
			"two Translations of one name cannot both be meant", nil, []plan.Translation{translation("a/a", chainA), translation("a/a", chainB)},
			"problem a/a: another Translation has this name\n",
		},
		"unknown kind": {
			"that Translation waits for a user, and keeps what it has", []plan.Translation{translation("a/a", chainA, rule1), translation("a/b", chainB)},
			[]plan.Translation{translation("a/a", table.Resource{Kind: "Rume", Parent: "a", Body: `{"id":"1"}`}), translation("a/b", chainB, toA)},
			"create Rule to-a of a/b: new\nproblem a/a[0]: Rume: kind \"Rume\" is not in table \"midonet\"\n",
		},
		"parent of a problem": {
			"what stays because its desired state is not known needs its parent", []plan.Translation{translation("a/a", chainA), translation("a/b", rule1)},
			[]plan.Translation{translation("a/a", chainA2), translation("a/b", rule1, table.Resource{Kind: "Rule"})},
			`problem a/a[0]: Chain a is kept for Rule 1 of a/b, which stays as it is: it would be deleted and created again (changed)
problem a/b[1]: Rule: parent: want the id of the parent
`,
		},
		"all that a problem needs": {
			"its parent, what that names, and what it names itself, of whatever Translation; not what only shares these",
			[]plan.Translation{translation("a/a", chainA), translation("a/b", chainB, toA), translation("a/c", rule2, resource("Router", "", "id", "r"))},
			[]plan.Translation{translation("a/b", chainB, toA, table.Resource{Kind: "Rule"}), translation("a/c")},
			`delete Router r of a/c: not-desired
delete Rule 2 of a/c: not-desired
problem a/a: Chain a is kept for Rule to-a of a/b, which stays as it is: it would be deleted (not-desired)
problem a/b[2]: Rule: parent: want the id of the parent
`,
		},
		"replaced for a problem": {
			"what can be replaced is, though a problem needs it", []plan.Translation{translation("a/a", chainA, bridgeA), translation("a/b", resource("Port", "br", "id", "p", "type", "Bridge"))},
			[]plan.Translation{translation("a/a", resource("Bridge", "", "id", "br", "name", "two")), translation("a/b", table.Resource{Kind: "Rule"})},
			`replace Bridge br of a/a: changed [inboundFilterId name]
delete Chain a of a/a: not-desired
problem a/b[0]: Rule: parent: want the id of the parent
`,
		},
		"no longer named": {
			"it is deleted last, after the replacement that names another", []plan.Translation{translation("a/chains", chainA, chainB), translation("a/node", bridgeA)},
			[]plan.Translation{translation("a/chains", chainB), translation("a/node", resource("Bridge", "", "id", "br", "name", "one", "inboundFilterId", "b"))},
			`move Chain b of a/chains: moved
replace Bridge br of a/node: changed [inboundFilterId]
delete Chain a of a/chains: not-desired
`,
		},
		"lists that need each other": {
			"the chain goes after it is no longer named, and comes back before what is behind it in its list is named",
			[]plan.Translation{translation("a/chains", chainA), translation("a/node", bridgeA)},
			[]plan.Translation{translation("a/chains", chainA2, chainB), translation("a/node", resource("Bridge", "", "id", "new", "inboundFilterId", "b"), resource("Bridge", "", "id", "br", "name", "one"))},
			`replace Bridge br of a/node: changed [inboundFilterId]
delete Chain a of a/chains: changed
create Chain a of a/chains: changed
create Chain b of a/chains: new
create Bridge new of a/node: new
`,
		},
		"no longer named, then named again": {
			"what goes to come back goes after that, too, where that can be had", []plan.Translation{translation("a/chains", chainA), translation("z/b", chainB), translation("z/node", bridgeA)},
			[]plan.Translation{translation("a/chains", chainA2), translation("z/b", chainB), translation("z/node", resource("Bridge", "", "id", "br", "name", "one", "inboundFilterId", "b"))},
			`replace Bridge br of z/node: changed [inboundFilterId]
delete Chain a of a/chains: changed
create Chain a of a/chains: changed
`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			i := applied(t, tc.before...)
			if diff := cmp.Diff(tc.want, show(t, tc.after, midonet(t), i)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestPlanOfWhatNamesSomethingYounger deletes what names another before that, though it was created earlier.
func TestPlanOfWhatNamesSomethingYounger(t *testing.T) {
	w := backendtest.New(t)
	w.Restrict = true
	k := newKiller(w)
	k.reach(t, w, []plan.Translation{translation("a/a", resource("Bridge", "", "id", "br"), chainA)})
	k.reach(t, w, []plan.Translation{translation("a/a", bridgeA, chainA)})
	i, err := k.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := "delete Bridge br of a/a: not-desired\ndelete Chain a of a/a: not-desired\n"
	if diff := cmp.Diff(want, show(t, nil, midonet(t), i)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	k.reach(t, w, nil)
}

// TestPlanForABackendThatBlocks deletes and recreates even what could be replaced, where the table says
// that the backend does not delete what it names.
func TestPlanForABackendThatBlocks(t *testing.T) {
	was := []plan.Translation{translation("a/a", chainA), translation("a/b", bridgeA, resource("Port", "br", "id", "p", "type", "Bridge"))}
	want := `delete Port p of a/b: parent-goes Bridge br
delete Bridge br of a/b: reference-goes Chain a
delete Chain a of a/a: changed
create Chain a of a/a: changed
create Bridge br of a/b: reference-goes Chain a
create Port p of a/b: parent-goes Bridge br
`
	is := []plan.Translation{translation("a/a", chainA2), was[1]}
	if diff := cmp.Diff(want, show(t, is, blocking(t), applied(t, was...))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	both := []plan.Translation{translation("a/a", chainA, chainB), translation("a/b", bridgeA, resource("Router", "", "id", "r", "inboundFilterId", "a"))}
	is = []plan.Translation{translation("a/a", chainA2, chainB), translation("a/b", bridgeA, resource("Router", "", "id", "r", "inboundFilterId", "b"))}
	want = `delete Router r of a/b: reference-goes Chain a
delete Bridge br of a/b: reference-goes Chain a
delete Chain a of a/a: changed
create Chain a of a/a: changed
create Bridge br of a/b: reference-goes Chain a
create Router r of a/b: reference-goes Chain a
`
	if diff := cmp.Diff(want, show(t, is, blocking(t), applied(t, both...))); diff != "" {
		t.Errorf("what could be replaced before, but for another of its Translation (-want +got):\n%s", diff)
	}
	held := []plan.Translation{translation("a/a", chainA2), translation("a/b", table.Resource{Kind: "Rule"})}
	want = `problem a/a[0]: Chain a is kept for Bridge br of a/b, which stays as it is: it would be deleted and created again (changed)
problem a/b[0]: Rule: parent: want the id of the parent
`
	if diff := cmp.Diff(want, show(t, held, blocking(t), applied(t, was...))); diff != "" {
		t.Errorf("what stays blocks, too (-want +got):\n%s", diff)
	}
}

func TestResourcesThatCannotBeUnderstood(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, kind, parent, body, want string
	}{
		"no object":      {"a body is an object", "Chain", "", `[]`, "Chain: body: want one JSON object"},
		"no JSON":        {"and JSON", "Chain", "", `{"id":`, "Chain: body: unexpected EOF"},
		"two":            {"and one", "Chain", "", `{"id":"a"}{}`, "Chain: body: want one JSON object"},
		"twice":          {"backends differ in which of them they take", "Chain", "", `{"id":"a","id":"b"}`, `Chain: body: field "id" occurs twice`},
		"deep":           {"this is no real body", "Chain", "", strings.Repeat(`{"a":`, 100), "Chain: body: is nested deeper than 64"},
		"no id":          {"the backend would make one up, and it would never be found again", "Chain", "", `{"name":"a"}`, "Chain: id: want a text or a whole number, it is part of the id"},
		"id of no text":  {"as no id", "Chain", "", `{"id":1.5}`, "Chain: id: want a text or a whole number, it is part of the id"},
		"half an id":     {"as no id", "MACPort", "b", `{"macAddr":"00:01"}`, "MACPort: portId: want a text or a whole number, it is part of the id"},
		"dots":           {"a server would take it for the collection", "Chain", "", `{"id":".."}`, `Chain: id ".." means another place in a path`},
		"parent of dots": {"as well", "Rule", "..", `{"id":"a"}`, `Rule: parent ".." means another place in a path`},
		"no parent":      {"it belongs somewhere", "Rule", "", `{"id":"a"}`, "Rule: parent: want the id of the parent"},
		"a parent":       {"it belongs nowhere", "Chain", "a", `{"id":"a"}`, "Chain: parent: a resource of this kind has none"},
		"no path":        {"ports of other types are created elsewhere", "Port", "a", `{"id":"a","type":"Vxlan"}`, "Port: no path to create it fits its body"},
		"line end":       {"nothing that moves a cursor", "Chain", "", `{"id":"a\nb"}`, `Chain: id "a\nb" has characters that cannot be printed`},
	} {
		t.Run(name, func(t *testing.T) {
			got := show(t, []plan.Translation{translation("a/a", table.Resource{Kind: tc.kind, Parent: tc.parent, Body: tc.body})}, midonet(t), inventory.New("midonet"))
			if diff := cmp.Diff("problem a/a[0]: "+tc.want+"\n", got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestPlanOfKindThatTheTableLost(t *testing.T) {
	i := applied(t, translation("a/a", chainA, rule1))
	spec := i.Spec()
	spec.Resources[1].Kind = "Rume"
	i, err := inventory.FromObject(&waybill.BackendInventory{Spec: spec})
	if err != nil {
		t.Fatal(err)
	}
	want := "problem a/a: Chain a is kept for Rume 1 in a of a/a, which stays as it is: it would be deleted (not-desired)\nproblem a/a: Rume 1 in a is in the inventory and stays there: its kind is not in table \"midonet\"\n"
	if diff := cmp.Diff(want, show(t, nil, midonet(t), i)); diff != "" {
		t.Errorf("what cannot be deleted is not forgotten (-want +got):\n%s", diff)
	}
}

func TestPlanRefusesTheInventoryOfAnother(t *testing.T) {
	_, err := plan.New(nil, midonet(t), inventory.New("dns"))
	if diff := cmp.Diff(`the inventory is that of backend "dns", not of "midonet"`, message(err)); diff != "" {
		t.Error(diff)
	}
}

func TestPlanDoesNotDependOnOrder(t *testing.T) {
	i, desired := applied(t, before.translations()...), after.translations()
	want := text(t, mustPlan(t, desired, i))
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		r.Shuffle(len(desired), func(i, j int) { desired[i], desired[j] = desired[j], desired[i] })
		if diff := cmp.Diff(want, text(t, mustPlan(t, desired, i))); diff != "" {
			t.Fatalf("the same Translations in another order (-want +got):\n%s", diff)
		}
	}
}

func TestPlanIsAnObject(t *testing.T) {
	plan := mustPlan(t, after.translations(), applied(t, before.translations()...))
	objects, err := krm.Read("plan.yaml", []byte(text(t, plan)), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := waybill.ReadBackendPlan(objects[0])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plan, again); diff != "" {
		t.Errorf("written and read again (-want +got):\n%s", diff)
	}
}

func mustPlan(t testing.TB, desired []plan.Translation, i *inventory.Inventory) *waybill.BackendPlan {
	t.Helper()
	plan, err := plan.New(desired, midonet(t), i)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func text(t testing.TB, v any) string {
	t.Helper()
	o, err := krm.FromTyped(v)
	if err != nil {
		t.Fatal(err)
	}
	data, err := krm.Write([]*krm.Object{o})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

package backend_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/backendtest"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestInventoryIsAnObject(t *testing.T) {
	i := applied(t, before.translations()...)
	object := &waybill.BackendInventory{Spec: i.Spec()}
	object.APIVersion, object.Kind, object.Name = waybill.APIVersion, waybill.KindBackendInventory, "midonet"
	first := text(t, object)
	objects, err := krm.Read("inventory.yaml", []byte(first), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	read, err := waybill.ReadBackendInventory(objects[0])
	if err != nil {
		t.Fatal(err)
	}
	again, err := inventory.FromObject(read)
	if err != nil {
		t.Fatal(err)
	}
	read.Spec = again.Spec()
	if diff := cmp.Diff(first, text(t, read)); diff != "" {
		t.Errorf("read and written again (-want +got):\n%s", diff)
	}
	if i.Digest() != again.Digest() {
		t.Error("it is the same inventory")
	}
}

func TestInventoriesThatAreRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		change func(s *waybill.BackendInventorySpec)
		want   string
	}{
		"order":       {"what was created when decides what is deleted first", func(s *waybill.BackendInventorySpec) { s.Resources[1].Number = 1 }, "spec.resources[1].number: 1 is not above the one before, 1, and below spec.next, 3"},
		"next":        {"a number that is given twice", func(s *waybill.BackendInventorySpec) { s.Next = 2 }, "spec.resources[1].number: 2 is not above the one before, 1, and below spec.next, 2"},
		"kind":        {"", func(s *waybill.BackendInventorySpec) { s.Resources[0].Kind = "" }, `spec.resources[0].kind: "" is not a valid kind`},
		"id":          {"", func(s *waybill.BackendInventorySpec) { s.Resources[0].ID = ".." }, `spec.resources[0].id: ".." is not a valid id`},
		"parent":      {"", func(s *waybill.BackendInventorySpec) { s.Resources[0].Parent = "\n" }, `spec.resources[0].parent: "\n" is not a valid id`},
		"hash":        {"", func(s *waybill.BackendInventorySpec) { s.Resources[0].Hash = "x" }, `spec.resources[0].hash: "x" is not a SHA-256`},
		"translation": {"", func(s *waybill.BackendInventorySpec) { s.Resources[0].Translation = "x" }, `spec.resources[0].translation: "x" is not a namespace/name`},
		"state":       {"", func(s *waybill.BackendInventorySpec) { s.Resources[0].State = "Fine" }, `spec.resources[0].state: "Fine" is not a state`},
		"references":  {"", func(s *waybill.BackendInventorySpec) { s.Resources[0].References = []string{"x"} }, `spec.resources[0].references: want Kind/id each`},
		"index":       {"", func(s *waybill.BackendInventorySpec) { s.Resources[0].Index = -1 }, `spec.resources[0].index: want 0 or more`},
	} {
		t.Run(name, func(t *testing.T) {
			spec := applied(t, translation("a/a", chainA, rule1)).Spec()
			tc.change(&spec)
			_, err := inventory.FromObject(&waybill.BackendInventory{Spec: spec})
			if diff := cmp.Diff(`inventory "": `+tc.want, message(err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestInventoryWithOneResourceTwice(t *testing.T) {
	spec := applied(t, translation("a/a", chainA, chainB)).Spec()
	spec.Resources[1].ID = "a"
	i, err := inventory.FromObject(&waybill.BackendInventory{Spec: spec})
	if err != nil {
		t.Fatal(err)
	}
	_, err = plan.New(nil, midonet(t), i)
	if diff := cmp.Diff("the inventory has Chain a twice, as 1 and as 2", message(err)); diff != "" {
		t.Error(diff)
	}
}

func open(t testing.TB, path string) *inventory.FileStore {
	t.Helper()
	s, err := inventory.OpenFile(path, "midonet")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func content(t testing.TB, s inventory.Store) waybill.BackendInventorySpec {
	t.Helper()
	i, err := s.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return i.Spec()
}

// TestFileStore goes through a life of applies, in which the process is killed while it applies or while
// it writes a line, or closes the store, or is killed while it closes it: the journal is still there then.
func TestFileStore(t *testing.T) {
	path, w, r := filepath.Join(t.TempDir(), "inventory.yaml"), backendtest.New(t), rand.New(rand.NewPCG(1, 1))
	var now wish
	for range 40 {
		now = change(r, now)
		store := open(t, path)
		k := &killer{RoundTripper: w.Client().Transport, Store: store}
		_, _, _ = k.apply(t, w, k.plan(t, now.translations()), r.IntN(100))
		want := content(t, store)
		left := leave(t, r, store, path)
		if diff := cmp.Diff(want, look(t, left)); diff != "" {
			t.Fatalf("looked at (-want +got):\n%s", diff)
		}
		store = open(t, left)
		if diff := cmp.Diff(want, content(t, store)); diff != "" {
			t.Fatalf("opened again (-want +got):\n%s", diff)
		}
		path = leave(t, r, store, left)
	}
	store := open(t, path)
	defer store.Close()
	(&killer{RoundTripper: w.Client().Transport, Store: store}).reach(t, w, sound(now).translations())
}

// look reads what is kept without opening it, and holds that this changes nothing.
func look(t *testing.T, path string) waybill.BackendInventorySpec {
	t.Helper()
	files := func() (all []string) {
		for _, file := range []string{path, path + ".journal"} {
			data, err := os.ReadFile(file)
			all = append(all, fmt.Sprintf("%q %v", data, err))
		}
		return all
	}
	before := files()
	i, err := inventory.ReadFile(path, "midonet")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, files()); diff != "" {
		t.Errorf("looking changes files (-before +after):\n%s", diff)
	}
	return i.Spec()
}

// leave ends a process that has a store open, in some way, and gives the place where what it left is.
func leave(t *testing.T, r *rand.Rand, store *inventory.FileStore, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "inventory.yaml")
	way := r.IntN(4)
	if way == 0 { // killed before it closed
		carry(t, path, to, "")
	}
	carry(t, path+".journal", to+".journal", map[bool]string{true: `{"next":1,"put`}[way < 2])
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	switch way {
	case 1, 2: // killed before it emptied the journal
		carry(t, path, to, "")
	case 3:
		carry(t, path, to, "")
		carry(t, path+".journal", to+".journal", "")
	}
	return to
}

// carry copies a file, if it is there, and adds to its end.
func carry(t *testing.T, from, to, end string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		err = os.WriteFile(to, append(data, end...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestFileStoreKeepsWhatItDoesNotChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inventory.yaml")
	const text = "apiVersion: waybill.dev/v1alpha1\nkind: BackendInventory\nmetadata: {name: mine, labels: {a: b}} # ours\nspec: {backend: midonet}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, path)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) != text {
		t.Errorf("nothing has changed, but: %s", got)
	}
	w := backendtest.New(t)
	s = open(t, path)
	(&killer{RoundTripper: w.Client().Transport, Store: s}).reach(t, w, []plan.Translation{translation("a/a", chainA)})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); !bytes.Contains(got, []byte("name: mine\n  labels:\n    a: b\n")) {
		t.Errorf("its metadata stays: %s", got)
	}
}

func TestFileStoresThatAreRefused(t *testing.T) {
	const header = "apiVersion: waybill.dev/v1alpha1\nkind: BackendInventory\nmetadata: {name: a}\n"
	for name, tc := range map[string]struct{ reason, file, journal, want string }{
		"no inventory":       {"a mistake in the name must not delete anything", "a: b\n", "", `inventory.yaml): want apiVersion "waybill.dev/v1alpha1" and kind "BackendInventory", got ""`},
		"two":                {"nor half of one", header + "spec: {}\n---\n" + header + "spec: {}\n", "", "want one BackendInventory, got 2 objects"},
		"nonsense":           {"nor nonsense", header + "spec: {resources: [{number: 1}]}\n", "", `spec.resources[0].number: 1 is not above the one before, 0, and below spec.next, 1`},
		"journal":            {"a line that is whole and wrong", "", "{\"next\":1}\n{\"nxt\":1}\n", `journal: line 2: json: unknown field "nxt"`},
		"record":             {"as well", "", "{\"next\":2,\"put\":[{\"number\":1}]}\n", `journal: line 1: number 1: kind: "" is not a valid kind`},
		"two in one":         {"nor is half of a line left out", "", "{\"next\":1} {\"next\":2}\n", `journal: line 1: want one change`},
		"nothing":            {"a change says something", "", "null\n", `journal: line 1: next: want 1 to 9007199254740992`},
		"far":                {"there has to be a next number", "", "{\"next\":9223372036854775807}\n", `journal: line 1: next: want 1 to 9007199254740992`},
		"far, file":          {"in the file, too", header + "spec: {next: 9223372036854775807}\n", "", `spec.next: 9223372036854775807 is more than was ever created`},
		"below":              {"numbers begin with 1", "", "{\"next\":9,\"put\":[{\"number\":-5}]}\n", `journal: line 1: put: number -5 is not above 0 and below next, 9`},
		"above":              {"and are below the next", "", "{\"next\":3,\"put\":[{\"number\":3}]}\n", `journal: line 1: put: number 3 is not above 0 and below next, 3`},
		"what is not":        {"removed ones as well", "", "{\"next\":3,\"remove\":[3]}\n", `journal: line 1: remove: number 3 is not above 0 and below next, 3`},
		"another":            {"all in it would be deleted", header + "spec: {backend: dns}\n", "", `it is the inventory of backend "dns", not of "midonet"`},
		"journal of another": {"also if there is no file yet", "", "{\"backend\":\"dns\",\"next\":1}\n", `it is the inventory of backend "dns", not of "midonet"`},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "inventory.yaml")
			if tc.file != "" {
				if err := os.WriteFile(path, []byte(tc.file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(path+".journal", []byte(tc.journal), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := inventory.OpenFile(path, "midonet")
			_, looked := inventory.ReadFile(path, "midonet")
			if err == nil || !strings.HasSuffix(err.Error(), tc.want) || message(looked) != message(err) {
				t.Errorf("%s: got %v, and looking at it %v, want %s", tc.reason, err, looked, tc.want)
			}
			if tc.journal != "" {
				return
			}
			if err := os.Remove(path + ".journal"); err != nil {
				t.Fatal(err)
			}
			if _, alone := inventory.ReadFile(path, "midonet"); message(alone) != message(err) {
				t.Errorf("%s: without a journal got %v, want %v", tc.reason, alone, err)
			}
		})
	}
}

func TestFileStoreIsForOneProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inventory.yaml")
	s := open(t, path)
	defer s.Close()
	if _, err := inventory.OpenFile(path, "midonet"); err == nil || !strings.HasSuffix(err.Error(), "another process has it open") {
		t.Errorf("two that apply at once would not know of each other: %v", err)
	}
	if _, err := inventory.ReadFile(path, "midonet"); err == nil || !strings.HasSuffix(err.Error(), "another process has it open") {
		t.Errorf("what is seen meanwhile is not true any more when it is printed: %v", err)
	}
}

func TestInventoryFileThatIsNotThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inventory.yaml")
	if diff := cmp.Diff(inventory.New("midonet").Spec(), look(t, path)); diff != "" {
		t.Errorf("nothing was applied (-want +got):\n%s", diff)
	}
}

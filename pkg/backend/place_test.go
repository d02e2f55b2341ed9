package backend_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/backendtest"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
)

// TestFirstApplyThatIsKilled leaves a journal and no file: it says whose it is.
func TestFirstApplyThatIsKilled(t *testing.T) {
	path, w := filepath.Join(t.TempDir(), "shared.inventory"), backendtest.New(t)
	store := open(t, path)
	k := &killer{RoundTripper: w.Client().Transport, Store: store}
	if _, _, alive := k.apply(t, w, k.plan(t, []plan.Translation{translation("a/a", chainA, chainB)}), 6); alive {
		t.Fatal("it was to be killed")
	}
	carry(t, path+".journal", path+"2.journal", "") // the process that is killed closes nothing
	_, err := inventory.OpenFile(path+"2", "dns")
	_, looked := inventory.ReadFile(path+"2", "dns")
	want := "inventory " + path + `2: it is the inventory of backend "midonet", not of "dns"`
	if diff := cmp.Diff([]string{want, want}, []string{message(err), message(looked)}); diff != "" {
		t.Errorf("all of one backend would be deleted on another (-want +got):\n%s", diff)
	}
	again := open(t, path+"2")
	defer again.Close()
	if spec := content(t, again); spec.URL != w.URL+"/api" || len(spec.Resources) == 0 {
		t.Errorf("nor is it forgotten where that was: %+v", spec)
	}
}

func TestInventoryBehindALink(t *testing.T) {
	dir := t.TempDir()
	real, link, w := filepath.Join(dir, "real"), filepath.Join(dir, "link"), backendtest.New(t)
	for _, where := range []string{real, link} {
		if where == link {
			if err := errors.Join(os.Chmod(real, 0o664), os.Symlink("real", link)); err != nil {
				t.Fatal(err)
			}
		}
		store := open(t, where)
		if _, err := inventory.OpenFile(real, "midonet"); err == nil {
			t.Errorf("%s: who opens the file itself opens the same", where)
		}
		k := &killer{RoundTripper: w.Client().Transport, Store: store}
		k.reach(t, w, []plan.Translation{translation("a/"+filepath.Base(where), chainA)})
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.Stat(real)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := os.Readlink(link); at != "real" || file.Mode().Perm() != 0o664 {
		t.Errorf("it is no longer a link: %v, or the file is not what it was: %s", err, file.Mode())
	}
	if got := look(t, real).Resources; len(got) != 1 || got[0].Translation != "a/link" {
		t.Errorf("what was applied last is not in the file: %+v", got)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if diff := cmp.Diff([]string{link, real, real + ".journal"}, files); diff != "" || err != nil {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestInventoryBehindALinkToNothing(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink("nothing", link); err != nil {
		t.Fatal(err)
	}
	_, err := inventory.OpenFile(link, "midonet")
	_, looked := inventory.ReadFile(link, "midonet")
	for _, err := range []error{err, looked} {
		if !strings.HasSuffix(message(err), "the file is a symbolic link whose target does not exist") {
			t.Errorf("what it led to is not there, perhaps not yet: %v", err)
		}
	}
}

// TestInventoryOfAnotherAddress is applied where it was applied before, and nowhere else until a user
// says so.
func TestInventoryOfAnotherAddress(t *testing.T) {
	here, there := backendtest.New(t), backendtest.New(t)
	k := newKiller(here)
	desired := []plan.Translation{translation("a/a", chainA)}
	early := k.plan(t, desired)
	k.reach(t, here, desired)
	k.reach(t, here, desired)
	_, err, _ := k.apply(t, there, k.plan(t, nil), 0)
	var moved *apply.MovedError
	if !errors.As(err, &moved) {
		t.Fatalf("everything would pass for applied: %v", err)
	}
	if diff := cmp.Diff(apply.MovedError{Was: here.URL + "/api", Is: there.URL + "/api"}, *moved); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if result, err := apply.Run(t.Context(), client(t, here, nil), early, k, apply.Options{Clock: &fakeClock{}}); err != nil || result.Count(apply.StateSkipped) != 1 {
		t.Errorf("the address is no part of what a plan was made from: %v", err)
	}
	result, err := apply.Run(t.Context(), client(t, there, nil), k.plan(t, desired), k, apply.Options{Clock: &fakeClock{}, URLMoved: true})
	if err != nil || result.Calls > 0 {
		t.Fatal(err, result.Calls)
	}
	if _, err, _ := k.apply(t, here, k.plan(t, nil), 0); !errors.As(err, &moved) || content(t, k).URL != there.URL+"/api" {
		t.Errorf("it is the new one from now on: %v", err)
	}
}

func TestAddress(t *testing.T) {
	for name, tc := range map[string]struct{ reason, url, want string }{
		"plain":    {"as it is", "http://a.example", "http://a.example"},
		"capitals": {"hosts have none", "HTTPS://A.Example/V1/", "https://a.example/V1"},
		"port":     {"the usual one is none", "https://a.example:443/v1", "https://a.example/v1"},
		"other":    {"another one is", "http://a.example:443", "http://a.example:443"},
		"v6":       {"colons are not all of ports", "http://[::1]:80/a%2Fb", "http://[::1]/a%2Fb"},
	} {
		t.Run(name, func(t *testing.T) {
			table, _ := one(t, "")
			c, err := httpclient.New(table, httpclient.Config{URL: tc.url})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, c.Address()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

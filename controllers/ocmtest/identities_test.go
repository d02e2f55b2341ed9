package ocmtest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestIdentities tells the four fates of objects apart.
func TestIdentities(t *testing.T) {
	s := newSite(t)
	i := s.Identities()
	compare := func(want Changes, works ...*unstructured.Unstructured) {
		t.Helper()
		s.settle(t, works...)
		if diff := cmp.Diff(want, i.Compare(t, works)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	named := func(name string) []string { return []string{"ConfigMap " + s.namespace + "/" + name} }
	work := s.work(t, "a", every(applyForced), configMap("x", "1"), configMap("y", "1"))
	compare(Changes{New: append(named("x"), named("y")...)}, work)
	if err := s.Member.Client.Delete(t.Context(), s.get(t, "v1", "ConfigMap", "x")); err != nil {
		t.Fatal(err)
	}
	work = s.work(t, "a", every(applyForced), configMap("x", "2"), configMap("y", "1"))
	compare(Changes{Kept: named("y"), Recreated: named("x")}, work)
	compare(Changes{Kept: named("x"), Gone: named("y")}, s.work(t, "a", every(applyForced), configMap("x", "2")))
}

// TestStuck lists what an agent cannot apply, and works that it has not seen.
func TestStuck(t *testing.T) {
	s := newSite(t)
	s.Push(t, s.work(t, "a", "", `{"apiVersion":"nowhere.io/v1","kind":"Widget","metadata":{"namespace":"NS","name":"w"}}`, configMap("x", "1")))
	s.Settle(t)
	mine := func() (lines []string) { // other tests use the cluster, too
		for _, line := range s.stuck(t) {
			if strings.Contains(line, s.namespace) {
				lines = append(lines, line)
			}
		}
		return lines
	}
	want := "Widget " + s.namespace + `/w: Failed to apply manifest: the server doesn't have a resource type "Widget"`
	if got := mine(); len(got) != 1 || got[0] != want {
		t.Errorf("want %q, got %q", want, got)
	}
	s.settle(t, s.work(t, "a", "", configMap("x", "1")))
	if got := mine(); len(got) > 0 {
		t.Errorf("all is applied, got %q", got)
	}
}

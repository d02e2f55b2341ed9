package chart

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestRollback goes back to an earlier chart, whose definitions lack a kind and a field: the objects stay, and do not have the
// field until the later definition is there again.
func TestRollback(t *testing.T) {
	run, kubectl := installed(t)
	in := func(args ...string) {
		t.Helper()
		if _, err := run(args...); err != nil {
			t.Fatal(err)
		}
	}
	budget := func() string {
		t.Helper()
		return kubectl("", "get", "changebudget/careful", "-n", "fleet", "-o", "jsonpath={.spec}")
	}
	in("install", "waybill", chartWithout(t, "maxDeletions"), "--create-namespace")
	in("upgrade", "waybill", ".")
	kubectl(careful+"  maxDeletions: 3\n", "apply", "-f", "-")
	const whole = `{"maxDeletions":3,"maxObjects":5}`
	if got := budget(); got != whole {
		t.Fatalf("want %s, got %s", whole, got)
	}
	in("rollback", "waybill", "1")
	if got := budget(); got != `{"maxObjects":5}` {
		t.Errorf("the earlier definition lacks the field, got %s", got)
	}
	if got := kubectl("", "get", "crd/translations.midonet.org", "-o", "name"); got == "" {
		t.Error("a definition that the earlier chart does not have is gone")
	}
	in("rollback", "waybill", "2")
	if got := budget(); got != whole {
		t.Errorf("nothing wrote the object meanwhile: want %s, got %s", whole, got)
	}
	in("rollback", "waybill", "1")
	kubectl("", "annotate", "changebudget/careful", "-n", "fleet", "example.com/written=true")
	in("rollback", "waybill", "2")
	if got := budget(); got != `{"maxObjects":5}` {
		t.Errorf("a client that writes the object meanwhile removes the field, got %s", got)
	}
}

// chartWithout is the chart without a field of ChangeBudgets, and without Translations.
func chartWithout(t *testing.T, name string) string {
	t.Helper()
	dir, file, now := copied(t)
	without := regexp.MustCompile(`(?m)^ {14}`+name+`:\n(?: {15}.*\n)+`).ReplaceAllString(now, "")
	if without == now {
		t.Fatalf("%s has no field %s", file, name)
	}
	err := errors.Join(os.WriteFile(file, []byte(without), 0o600), os.Remove(filepath.Join(dir, "files/crds/midonet.org_translations.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

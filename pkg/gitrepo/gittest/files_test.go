package gittest

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestRefs wants what files say to be what git says.
func TestRefs(t *testing.T) {
	dir := NewBare(t)
	for _, step := range []struct {
		reason string
		do     func()
	}{
		{"nothing", func() {}},
		{"branches, one below another", func() { Commit(t, dir, Change{}); Commit(t, dir, Change{Branch: "drafts/shop/v1"}) }},
		{"an annotated tag is an object of its own", func() { Git(t, dir, "-c", "user.name=a", "-c", "user.email=a@b", "tag", "-m", "m", "shop/v1", "main") }},
		{"all packed", func() { Git(t, dir, "pack-refs", "--all") }},
		{"one moved since", func() { Commit(t, dir, Change{}) }},
		{"a lock that a killed git left is none", func() { write(t, filepath.Join(dir, "refs/heads/old.lock"), []byte(strings.Repeat("a", 40)+"\n")) }},
		{"one gone", func() { Git(t, dir, "update-ref", "-d", "refs/heads/drafts/shop/v1") }},
		{"a symbolic one", func() { Git(t, dir, "symbolic-ref", "refs/heads/alias", "refs/heads/main") }},
	} {
		step.do()
		if got, want := Refs(t, dir), Git(t, dir, "for-each-ref", "--format=%(objectname) %(refname)"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", step.reason, got, want)
		}
	}
}

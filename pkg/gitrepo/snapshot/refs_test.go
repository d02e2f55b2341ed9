package snapshot_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
)

// TestRefs lists refs with the messages of their commits; a tag with a message of its own has that of its commit, too.
func TestRefs(t *testing.T) {
	dir := gittest.NewBare(t)
	gittest.Commit(t, dir, gittest.Change{Message: "subject\n\nbody\n"})
	gittest.Git(t, dir, "-c", "user.name=T", "-c", "user.email=t@example.com", "tag", "-a", "-m", "of the tag", "a/v1", "main")
	gittest.Git(t, dir, "update-ref", "refs/remotes/origin/side", "main")
	gittest.Git(t, dir, "update-ref", "refs/notes/x", "main")
	got, err := snapshot.Refs(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	const message = "subject\n\nbody\n"
	want := []snapshot.Ref{{"refs/heads/main", message}, {"refs/remotes/origin/side", message}, {"refs/tags/a/v1", message}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("refs (-want +got):\n%s", diff)
	}
	var short []string
	for _, r := range got {
		short = append(short, r.Short())
	}
	if diff := cmp.Diff([]string{"main", "origin/side", "a/v1"}, short); diff != "" {
		t.Errorf("short names (-want +got):\n%s", diff)
	}
	if refs, err := snapshot.Refs(t.Context(), t.TempDir()); err == nil {
		t.Errorf("a folder that is no repository has refs: %v", refs)
	}
}

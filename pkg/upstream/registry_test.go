package upstream_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// TestRegistry fetches a package, and one in a folder of an artifact, by tag, by digest and by lock.
func TestRegistry(t *testing.T) {
	s := ocitest.InMemory(t)
	c, err := oci.New(oci.Options{Wait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := pkgtree.New(map[string][]byte{"Kptfile": nil, "apps/web/Kptfile": nil, "apps/web/run.sh": nil, "run.sh": nil})
	if err != nil {
		t.Fatal(err)
	}
	a, err := oci.PackageArtifact(tree, []string{"apps/web/run.sh", "run.sh"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := oci.ParseReference(s.URL("bp/edge:v1"))
	if err != nil {
		t.Fatal(err)
	}
	digest, err := c.Push(t.Context(), ref, a)
	if err != nil {
		t.Fatal(err)
	}
	src := upstream.Sources{Registry: upstream.Registry{Client: c}}
	for name, tc := range map[string]struct {
		dir, ref, asked string
		files           string
	}{
		"tag":            {"/", "v1", "v1", "Kptfile apps/web/Kptfile apps/web/run.sh run.sh | apps/web/run.sh run.sh"},
		"digest":         {"", digest, digest, "Kptfile apps/web/Kptfile apps/web/run.sh run.sh | apps/web/run.sh run.sh"},
		"tag and digest": {"/", "v1", "v1@" + digest, "Kptfile apps/web/Kptfile apps/web/run.sh run.sh | apps/web/run.sh run.sh"},
		"folder":         {"/apps/web", "v1", "v1", "Kptfile run.sh | run.sh"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := src.Fetch(t.Context(), kptfilev1.Git{Repo: ref.URL(), Directory: tc.dir, Ref: tc.asked})
			if err != nil {
				t.Fatal(err)
			}
			files := strings.Join(slices.Concat(got.Tree.Paths(), []string{"|"}, got.Executable), " ")
			if files != tc.files || got.Ref != tc.ref || got.Version() != digest {
				t.Errorf("got %s of %s, %s", files, got.Ref, got.Version())
			}
			locked, err := src.FetchLocked(t.Context(), kptfilev1.GitLock{Repo: ref.URL(), Directory: tc.dir, Ref: tc.ref, Commit: digest})
			if err != nil || !locked.Tree.Equal(got.Tree) || locked.Ref != tc.ref {
				t.Errorf("by lock: %v, %v", locked, err)
			}
		})
	}
	for name, tc := range map[string]struct {
		from kptfilev1.Git
		want string
	}{
		"no folder": {kptfilev1.Git{Repo: ref.URL(), Directory: "/none", Ref: "v1"}, `no file in the folder "/none" of the artifact`},
		"no tag":    {kptfilev1.Git{Repo: ref.URL()}, "names neither a tag nor a digest"},
		"half":      {kptfilev1.Git{Repo: ref.URL(), Ref: "sha256:0a"}, `the ref "sha256:0a" is neither a tag nor a digest`},
	} {
		if _, err := src.Fetch(t.Context(), tc.from); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: want %q, got %v", name, tc.want, err)
		}
	}
	if _, err := src.FetchLocked(t.Context(), kptfilev1.GitLock{Repo: ref.URL(), Commit: strings.Repeat("0", 40)}); err == nil {
		t.Error("the id of a commit is taken for a digest")
	}
	src.Registry.Key = &oci.Key{}
	if _, err := src.Fetch(t.Context(), kptfilev1.Git{Repo: "https://git.example.com/bp", Ref: "v1"}); err == nil || !strings.Contains(err.Error(), "--verify-key") {
		t.Errorf("what is in Git cannot be verified, and got %v", err)
	}
	if _, err := src.Fetch(t.Context(), kptfilev1.Git{Repo: ref.URL(), Ref: "v1"}); err == nil || !strings.Contains(err.Error(), "has no signature") {
		t.Errorf("nobody signed it, and got %v", err)
	}
}

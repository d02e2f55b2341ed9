package oci_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// TestRegistries pushes a package to a real registry, and to one in memory, and reads it back.
func TestRegistries(t *testing.T) {
	for name, start := range map[string]func(*testing.T) *ocitest.Server{
		"in memory": func(t *testing.T) *ocitest.Server { return ocitest.InMemory(t) },
		"real":      func(t *testing.T) *ocitest.Server { return ocitest.Registry(t) },
	} {
		t.Run(name, func(t *testing.T) { roundTrip(t, start(t)) })
	}
}

func roundTrip(t *testing.T, s *ocitest.Server) {
	c := client(t, oci.Options{})
	ref := reference(t, s.URL("blueprints/edge:v1"))
	if _, err := c.Pull(t.Context(), ref); !errors.Is(err, oci.ErrNotFound) {
		t.Errorf("want not found, got %v", err)
	}
	if _, err := c.Tags(t.Context(), ref); !errors.Is(err, oci.ErrNotFound) {
		t.Errorf("want not found, got %v", err)
	}
	want := tree(t, map[string]string{"Kptfile": "kind: Kptfile\n", "sub/run.sh": "#!/bin/sh\n", "web.yaml": "a: b\n"})
	a := artifact(t, want, "sub/run.sh")
	digest, err := c.Push(t.Context(), ref, a)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := c.Push(t.Context(), ref, artifact(t, want, "sub/run.sh")); err != nil || again != digest {
		t.Errorf("the same package has the same digest: %s, %s, %v", digest, again, err)
	}
	if got, err := c.Resolve(t.Context(), ref); err != nil || got != digest {
		t.Errorf("want %s, got %s, %v", digest, got, err)
	}
	for _, by := range []oci.Reference{ref, ref.WithDigest(digest)} {
		p, err := c.Pull(t.Context(), by)
		if err != nil {
			t.Fatal(err)
		}
		got, executable, err := p.Tree(oci.UnpackLimits{})
		if err != nil || !got.Equal(want) || !slices.Equal(executable, []string{"sub/run.sh"}) || p.Digest != digest {
			t.Errorf("got %v, %v, %s, %v", got.Paths(), executable, p.Digest, err)
		}
		if d := cmp.Diff(a.Annotations, p.Annotations); d != "" {
			t.Error(d)
		}
	}
	other := artifact(t, tree(t, map[string]string{"Kptfile": "kind: Kptfile\n"}))
	var moved *oci.TagError
	if _, err := c.Push(t.Context(), ref, other); !errors.As(err, &moved) || moved.Is != digest {
		t.Errorf("want a refusal to move the tag, got %v", err)
	}
	newer, err := client(t, oci.Options{MoveTags: true}).Push(t.Context(), ref, other)
	if err != nil || newer == digest {
		t.Errorf("want the tag to move, got %s, %v", newer, err)
	}
	if _, err := c.Push(t.Context(), ref.WithTag("v2"), a); err != nil {
		t.Error(err)
	}
	if tags, err := c.Tags(t.Context(), ref); err != nil || !slices.Equal(tags, []string{"v1", "v2"}) {
		t.Errorf("got the tags %v, %v", tags, err)
	}
	if repos, err := c.Repositories(t.Context(), ref.Registry, "blueprints/"); err != nil || !slices.Equal(repos, []string{"blueprints/edge"}) {
		t.Errorf("got the repositories %v, %v", repos, err)
	}
}

func client(t *testing.T, o oci.Options) *oci.Client {
	t.Helper()
	o.Wait = time.Millisecond
	c, err := oci.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func reference(t *testing.T, s string) oci.Reference {
	t.Helper()
	r, err := oci.ParseReference(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func tree(t *testing.T, files map[string]string) pkgtree.Tree {
	t.Helper()
	all := map[string][]byte{}
	for p, text := range files {
		all[p] = []byte(text)
	}
	out, err := pkgtree.New(all)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func artifact(t *testing.T, tree pkgtree.Tree, executable ...string) *oci.Artifact {
	t.Helper()
	a, err := oci.PackageArtifact(tree, executable, map[string]string{oci.Source: "https://git.example.com/edge.git"})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

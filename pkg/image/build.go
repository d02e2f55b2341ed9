package image

import (
	"context"
	"fmt"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Built is what is made of a function: an index of images, and what is attached to the index and to its images.
type Built struct {
	Index v1.ImageIndex
	SBOMs []v1.Image
}

// BuildFunction compiles f in the checkout dir for every platform and builds its images.
func BuildFunction(ctx context.Context, dir string, f Function, version string, platforms []Platform) (*Built, error) {
	binaries := map[Platform][]byte{}
	for _, p := range platforms {
		binary, err := Compile(ctx, dir, f.Package, p, f.LinkerFlags)
		if err != nil {
			return nil, fmt.Errorf("function %q: %w", f.Name, err)
		}
		binaries[p] = binary
	}
	s := Spec{
		Name: f.Name, Version: version, Binaries: binaries,
		Description: f.Description, Documentation: f.Documentation, Types: f.Types, Controller: f.Controller,
	}
	idx, err := Build(s)
	if err != nil {
		return nil, err
	}
	sboms, err := SBOMs(s, idx)
	if err != nil {
		return nil, fmt.Errorf("SBOM of %w", err)
	}
	return &Built{Index: idx, SBOMs: sboms}, nil
}

// Build returns the image index of one function, with one image per binary in s, sorted by
// platform. It reads nothing but s: the same s gives the same digests. An error names the function
// and, where there is one, the platform at fault.
func Build(s Spec) (v1.ImageIndex, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	idx := v1.ImageIndex(empty.Index)
	for _, p := range sortedPlatforms(s.Binaries) {
		img, err := buildOne(s, p)
		if err != nil {
			return nil, fmt.Errorf("function %q for %s: %w", s.Name, p, err)
		}
		idx = mutate.AppendManifests(idx, mutate.IndexAddendum{
			Add:        img,
			Descriptor: v1.Descriptor{Platform: p.oci()},
		})
	}
	return mutate.Annotations(idx, s.annotations()).(v1.ImageIndex), nil
}

func buildOne(s Spec, p Platform) (v1.Image, error) {
	layer, err := newLayer(s, s.Binaries[p])
	if err != nil {
		return nil, err
	}
	base := mutate.MediaType(empty.Image, types.OCIManifestSchema1)
	base = mutate.ConfigMediaType(base, types.OCIConfigJSON)
	base, err = mutate.ConfigFile(base, s.config(p))
	if err != nil {
		return nil, err
	}
	img, err := mutate.Append(base, mutate.Addendum{
		Layer:   layer,
		History: v1.History{Created: v1.Time{Time: epoch}, CreatedBy: "waybill image build"},
	})
	if err != nil {
		return nil, err
	}
	return mutate.Annotations(img, s.annotations()).(v1.Image), nil
}

// config says how the image runs. The user is nobody by default; PATH is set because some engines add their own otherwise.
func (s Spec) config(p Platform) *v1.ConfigFile {
	user, args := "nobody", []string(nil)
	if s.Controller {
		user, args = fmt.Sprintf("%d:%d", UserID, UserID), []string{"controller"}
	}
	return &v1.ConfigFile{
		OS: p.OS, Architecture: p.Arch,
		Created: v1.Time{Time: epoch},
		RootFS:  v1.RootFS{Type: "layers"},
		Config: v1.Config{
			Entrypoint: []string{"/" + binDir + s.Name},
			Cmd:        args,
			Env:        []string{"PATH=/usr/local/bin"},
			User:       user,
			WorkingDir: "/",
			Labels:     s.labels(),
		},
	}
}

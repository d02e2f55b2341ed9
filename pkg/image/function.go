package image

import (
	"context"
	"fmt"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// BuildFunction compiles f in the checkout dir for every platform and builds its images.
func BuildFunction(ctx context.Context, dir string, f Function, version string, platforms []Platform) (v1.ImageIndex, error) {
	binaries := map[Platform][]byte{}
	for _, p := range platforms {
		binary, err := Compile(ctx, dir, f.Package, p)
		if err != nil {
			return nil, fmt.Errorf("function %q: %w", f.Name, err)
		}
		binaries[p] = binary
	}
	return Build(Spec{
		Name: f.Name, Version: version, Binaries: binaries,
		Description: f.Description, Documentation: f.Documentation, Types: f.Types, Controller: f.Controller,
	})
}

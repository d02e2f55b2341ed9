// Package kustomize is the function kustomize: it builds a kustomization of the package with kustomize's own library, and files
// what that gives as resources of the package.
//
// Shape: a config that names the folder of the kustomization, and items and files of the package in; the same items out, with the
// objects of the build, one in each file below the output folder. The kustomization and what it names stay as they are.
// Cost: a walk over all folders and files that the kustomization names, and one build. Builds of one process run one after
// another, because the library keeps its schema in global variables.
// Bounds: folders, files, documents, values and patches are counted before the build, each as often as the build reads it, and
// so is what patches and replacements could multiply. The build reads these files only, from memory: no network, no program,
// no environment.
// Errors: each names the file of the package and the field.
// Source: kustomize's documentation of kustomization.yaml, and sigs.k8s.io/kustomize/api for what it reads.
package kustomize

import (
	"context"
	_ "embed" // for the README
	"errors"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

//go:embed kustomize.md
var readme string

const functionName, configKind = "kustomize", "Kustomize"

// Function is kustomize.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run, Files: files}

// files are those that Run reads: a base may be anywhere in the package.
func files(*krm.Object) ([]string, error) { return []string{"."}, nil }

// Run builds the kustomization that the config names.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return nil, err
	}
	if err := checkSteps(in.Items, in.Config, opts.Name); err != nil {
		return nil, err
	}
	rendering := fn.Rendering{Function: functionName, Config: opts.Name}
	read, err := newInputs(in, rendering)
	if err != nil {
		return nil, err
	}
	w := &walk{ctx: ctx, inputs: read}
	if err := w.folder(opts.Path, nil); err != nil {
		return nil, err
	}
	if err := w.grows.check(w.bytes); err != nil {
		return nil, fmt.Errorf("kustomization %q: %w", opts.Path, err)
	}
	if found := read.shippedTwice(); len(found) > 0 {
		return &fn.Output{Items: in.Items, Results: found}, nil
	}
	objects, err := build(ctx, read, opts)
	if err != nil {
		return nil, fmt.Errorf("kustomization %q: %w", opts.Path, w.secrets.redact(err))
	}
	if len(objects) == 0 {
		return nil, fmt.Errorf("kustomization %q gives no object; remove the function from the pipeline if that is meant", opts.Path)
	}
	if err := place(objects, opts.Output); err != nil {
		return nil, err
	}
	return rendering.Merge(in, objects), nil
}

var errTwice = errors.New("the pipeline has another step kustomize of this name, and each would remove what the other wrote; " +
	"set the option name in one of them")

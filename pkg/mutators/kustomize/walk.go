package kustomize

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/types"
)

// The bounds of a build. A folder or file counts each time that the build reads it.
const (
	maxFolders   = 1000
	maxDepth     = 40
	maxFileReads = 20_000
	maxBytes     = 32 << 20
	maxDocuments = 5000
	maxValues    = 2_000_000
	maxChanges   = 10_000    // patches, generators, replacements and the like
	maxWork      = 5_000_000 // documents × changes
)

// walk reads a kustomization and all that it names, as the build will, and refuses what is remote, what runs programs, and what
// exceeds a bound.
type walk struct {
	ctx     context.Context
	inputs  *inputs
	grows   growth
	secrets secrets

	folders, reads, bytes, documents, values, changes int
}

// folder reads the kustomization in dir; within are the folders that led to it.
func (w *walk) folder(dir string, within []string) error {
	if err := w.ctx.Err(); err != nil {
		return context.Cause(w.ctx)
	}
	if slices.Contains(within, dir) {
		return fmt.Errorf("kustomization %q is a base of itself: %s", dir, strings.Join(append(within, dir), " → "))
	}
	within = append(slices.Clip(within), dir)
	if w.folders++; w.folders > maxFolders || len(within) > maxDepth {
		return fmt.Errorf("kustomization %q: bases have more than %d folders, each counted as often as it is read, or are deeper than %d",
			within[0], maxFolders, maxDepth)
	}
	k, file, err := w.kustomization(dir)
	if err != nil {
		return err
	}
	f := &kustomization{walk: w, dir: dir, within: within, file: file}
	if err := errors.Join(f.refused(k), f.references(k)); err != nil {
		return err
	}
	return w.check(file)
}

// kustomization reads the one file of dir that has a name for a kustomization.
func (w *walk) kustomization(dir string) (*types.Kustomization, string, error) {
	var file string
	var text []byte
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		data, ok, err := w.inputs.get(path.Join(dir, name))
		switch {
		case err != nil:
			return nil, "", err
		case ok && file != "":
			return nil, "", fmt.Errorf("folder %q has both %s and %s; remove one of them", dir, path.Base(file), name)
		case ok:
			file, text = path.Join(dir, name), data
		}
	}
	if file == "" {
		hint := "the package has no such folder"
		if w.inputs.folders[dir] {
			hint = "the folder has no kustomization.yaml"
		}
		return nil, "", fmt.Errorf("kustomization %q: %s%s", dir, hint, missing)
	}
	w.count(len(text))
	w.grows.applied += len(text)
	if err := w.yaml(file, text); err != nil {
		return nil, "", err
	}
	k := &types.Kustomization{}
	if err := k.Unmarshal(text); err != nil {
		return nil, "", fmt.Errorf("%s: %w", file, err)
	}
	k.FixKustomization()
	return k, file, nil
}

const missing = "; symbolic links are not followed, and kpt's own fn render passes only files in an object of kind PackageFiles"

// count counts one more file.
func (w *walk) count(size int) {
	w.reads++
	w.bytes += size
}

// check refuses what exceeds a bound so far; file is what was read last.
func (w *walk) check(file string) error {
	for _, b := range []struct {
		have, most int
		what       string
	}{
		{w.reads, maxFileReads, "files"}, {w.bytes, maxBytes, "bytes"}, {w.documents, maxDocuments, "documents"},
		{w.values, maxValues, "values"}, {w.changes, maxChanges, "patches, generators and replacements"},
		{w.changes * w.documents, maxWork, "documents times patches, generators and replacements"},
	} {
		if b.have > b.most {
			return fmt.Errorf("%s: the kustomization reads more than %d %s, each counted as often as it is read; split it", file, b.most, b.what)
		}
	}
	return nil
}

// kustomization is one file of a walk.
type kustomization struct {
	*walk
	dir, file string
	within    []string
}

// at is an error about a field.
func (k *kustomization) at(p *field.Path, value, reason string) error {
	return errors.New(k.file + ": " + field.Invalid(p, value, reason).Error()) // not wrapped: the field is none of the config's
}

// refused returns an error about what a build in a pipeline may not have.
func (k *kustomization) refused(s *types.Kustomization) error {
	forbid := func(name, reason string) error {
		return errors.New(k.file + ": " + field.Forbidden(field.NewPath(name), reason).Error())
	}
	switch {
	case len(s.HelmCharts) > 0 || s.HelmGlobals != nil:
		return forbid("helmCharts", "kustomize would run the program helm; use the function render-helm-chart")
	case len(s.OpenAPI) > 0:
		return forbid("openapi",
			"kustomize keeps the schema for all later builds of the process; give patches of lists in JSON 6902 form instead")
	case slices.Contains(s.BuildMetadata, types.ManagedByLabelOption):
		return forbid("buildMetadata",
			types.ManagedByLabelOption+" names the program that builds, so the output would differ; set the label under labels")
	}
	return nil
}

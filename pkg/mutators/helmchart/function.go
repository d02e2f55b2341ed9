// Package helmchart is the function render-helm-chart: it renders Helm charts that lie in the package.
//
// Shape: items, a config and files of the package in; the same items out, with what the charts render: an object whose rendering
// is the same as before stays as it is, with what was changed in it; see fn.Rendering.
// Cost: a chart is read and parsed once in a process (see cache), and rendered once for each config; both are bounded.
// Errors: per chart, a chart that is not there or is not the one in the lock; a template or a value with its file and line; an
// object that is rendered twice or that the package has already. Nothing is fetched.
// Source: the README of render-helm-chart in krm-functions-catalog, and the behaviour of its v0.2 and of Helm 4.3.1.
package helmchart

import (
	"context"
	_ "embed" // for the README
	"fmt"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

//go:embed render-helm-chart.md
var readme string

const functionName, configKind = "render-helm-chart", "RenderHelmChart"

// Function is render-helm-chart.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run, Files: Files}

// Files are the files of the package that a config reads: the folder of charts, and values files.
func Files(o *krm.Object) ([]string, error) {
	c, err := readConfig(o)
	if err != nil {
		return nil, nil //nolint:nilerr // Run reports it as a result
	}
	c.folder = folderOf(o)
	paths := []string{c.path(c.home())}
	for i := range c.HelmCharts {
		for _, file := range c.HelmCharts[i].TemplateOptions.Values.ValuesFiles {
			paths = append(paths, c.path(file))
		}
	}
	for _, p := range paths {
		if !fn.IsFilePath(p) {
			return nil, fmt.Errorf("%s: %q is outside of the package", o.Describe(), p)
		}
	}
	return paths, nil
}

// Run renders the charts of the config.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	c, err := readConfig(in.Config)
	if err != nil {
		return nil, err
	}
	c.folder = configFolder(in)
	r := &release{config: c}
	if r.files, err = fn.PackageFiles(in); err != nil {
		return nil, err
	}
	if r.lock, err = findLock(in, c.name); err != nil {
		return nil, err
	}
	for i := range c.HelmCharts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := r.render(&c.HelmCharts[i]); err != nil {
			return nil, fmt.Errorf("helmCharts[%d]: %w", i, err)
		}
	}
	return fn.Rendering{Function: functionName, Config: c.name}.Merge(in, r.objects), nil
}

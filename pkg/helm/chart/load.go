package chart

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	helmchart "helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"

	"github.com/waybill-dev/waybill/pkg/helm/engine"
)

// Chart is a chart with the charts in it, as its files say. It does not change, and is safe for concurrent use.
type Chart struct {
	root *source

	mutex    sync.Mutex
	compiled map[string]*engine.Templates // by the charts that are enabled
}

// source is one chart of a tree, before values say which charts are enabled.
type source struct {
	number    int // in the tree
	meta      *helmchart.Metadata
	values    map[string]any
	schema    []byte
	templates []*helmchart.File
	files     engine.Files
	crds      []File
	deps      []*source
}

// Name is the name that Chart.yaml says.
func (c *Chart) Name() string { return c.root.meta.Name }

// Version is the version that Chart.yaml says.
func (c *Chart) Version() string { return c.root.meta.Version }

// Values are the chart's own values. The caller must not change them.
func (c *Chart) Values() map[string]any { return c.root.values }

// Load makes a chart of its files.
func Load(files []File) (*Chart, error) {
	l := &loading{budget: newBudget()}
	root, err := l.load("", files, 0)
	if err != nil {
		return nil, err
	}
	return &Chart{root: root, compiled: map[string]*engine.Templates{}}, nil
}

// loading is one Load.
type loading struct {
	budget *budget
	charts int
}

// load makes the chart of a folder; at is the folder, for errors.
func (l *loading) load(at string, all []File, depth int) (*source, error) {
	if l.charts++; l.charts > maxCharts || depth > maxDepth {
		return nil, fmt.Errorf("%s: more than %d charts, or %d in each other", path.Join(at, "Chart.yaml"), maxCharts, maxDepth)
	}
	own, inside := split(all)
	s := &source{number: l.charts, values: map[string]any{}}
	var rest []*loader.BufferedFile
	for _, f := range own {
		if f.Name != "values.yaml" {
			rest = append(rest, &loader.BufferedFile{Name: f.Name, Data: f.Data})
			continue
		}
		var err error
		if s.values, err = ParseValues(path.Join(at, f.Name), f.Data); err != nil {
			return nil, err
		}
	}
	c, err := loader.LoadFiles(rest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path.Join(at, "Chart.yaml"), err)
	}
	s.take(c)
	for _, name := range slices.Sorted(maps.Keys(inside)) {
		dep, err := l.inside(path.Join(at, "charts", name), name, inside[name], depth)
		if err != nil {
			return nil, err
		}
		if dep != nil {
			s.deps = append(s.deps, dep)
		}
	}
	return s, nil
}

// split separates the files of charts in the folder charts, by their folders or archives.
func split(all []File) (own []File, inside map[string][]File) {
	inside = map[string][]File{}
	for _, f := range all {
		below, ok := strings.CutPrefix(f.Name, "charts/")
		if !ok || path.Ext(f.Name) == ".prov" {
			own = append(own, f)
			continue
		}
		name, _, _ := strings.Cut(below, "/")
		inside[name] = append(inside[name], File{below, f.Data})
	}
	return own, inside
}

// inside loads a chart in the folder charts; nil if there is none by that name.
func (l *loading) inside(at, name string, all []File, depth int) (*source, error) {
	if strings.IndexAny(name, "_.") == 0 {
		return nil, nil
	}
	if path.Ext(name) == ".tgz" {
		if all[0].Name != name {
			return nil, fmt.Errorf("%s: want an archive, this is a folder", at)
		}
		files, err := unpack(all[0].Data, l.budget)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		return l.load(at, files, depth+1)
	}
	var files []File
	for _, f := range all {
		if _, below, ok := strings.Cut(f.Name, "/"); ok {
			files = append(files, File{below, f.Data})
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: a file that is no chart; move it out of charts", at)
	}
	return l.load(at, files, depth+1)
}

// take takes over what Helm's library read.
func (s *source) take(c *helmchart.Chart) {
	s.meta, s.schema, s.templates, s.files = c.Metadata, c.Schema, c.Templates, engine.Files{}
	for _, f := range c.Files {
		s.files[f.Name] = f.Data
	}
	for _, crd := range c.CRDObjects() {
		s.crds = append(s.crds, File{crd.Name, crd.File.Data})
	}
}

// isLibrary reports whether the chart only helps other charts.
func (s *source) isLibrary() bool { return strings.EqualFold(s.meta.Type, "library") }

// errLibrary is the error of rendering a library.
var errLibrary = errors.New("Chart.yaml: type is library; a library chart renders nothing by itself; render a chart that depends on it")

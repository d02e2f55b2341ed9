package chart

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/waybill-dev/waybill/pkg/helm/engine"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// Options are those of one release.
type Options struct {
	Release   string // its name; "release-name" if empty, as with "helm template"
	Namespace string // "default" if empty
	Values    map[string]any

	KubeVersion string   // DefaultKubeVersion if empty
	APIVersions []string // beside DefaultAPIVersions

	IncludeCRDs, SkipTests, SkipHooks bool

	Seed string    // of functions that need randomness; without it they fail
	Now  time.Time // of functions that read a clock; without it they fail
}

// releaseName is Helm's rule for names of releases.
var releaseName = lazyregexp.New(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

const longestRelease = 53

// maxCompiled is how many sets of charts of a tree a Chart remembers parsed.
const maxCompiled = 16

// Name is the name of a release by a template, as with --name-template.
func Name(template string, o Options) (string, error) {
	const file = "nameTemplate"
	t, err := engine.Compile([]engine.File{{Name: file, Data: []byte(template)}})
	if err != nil {
		return "", err
	}
	out, err := t.Render(func(string) map[string]any { return map[string]any{} }, engine.Options{Seed: o.Seed, Now: o.Now})
	return out[file], err
}

// Render gives the manifests of one release, in the order in which "helm template" prints them: the CRDs (if they are wanted), what
// the templates render, and the hooks.
func (c *Chart) Render(o Options) ([]Manifest, error) {
	o.Release = cmp.Or(o.Release, "release-name")
	o.Namespace = cmp.Or(o.Namespace, "default")
	if len(o.Release) > longestRelease || !releaseName.MatchString(o.Release) {
		return nil, fmt.Errorf("release %q: want at most %d lower-case letters, digits, dots and dashes", o.Release, longestRelease)
	}
	root, values, err := c.prepare(o)
	if err != nil {
		return nil, err
	}
	rendered, err := c.execute(root, values, o)
	if err != nil {
		return nil, err
	}
	plain, hooks, err := sortManifests(rendered)
	if err != nil {
		return nil, err
	}
	var all []Manifest
	if o.IncludeCRDs {
		if all, err = root.allCRDs(); err != nil {
			return nil, err
		}
	}
	all = append(all, plain...)
	for _, hook := range hooks {
		if !o.SkipHooks && (!o.SkipTests || !hook.IsTest()) {
			all = append(all, hook)
		}
	}
	return all, nil
}

// prepare is the tree of the charts that are enabled, and the values of the release.
func (c *Chart) prepare(o Options) (*node, map[string]any, error) {
	if c.root.isLibrary() {
		return nil, nil, fmt.Errorf("chart %s: %w", c.Name(), errLibrary)
	}
	root := newNode(c.root, nil)
	if err := root.missing(); err != nil {
		return nil, nil, err
	}
	if err := root.enable(o.Values, ""); err != nil {
		return nil, nil, err
	}
	if err := root.importValues(); err != nil {
		return nil, nil, err
	}
	values, err := root.joined(o.Values, false)
	if err != nil {
		return nil, nil, err
	}
	return root, values, root.checkSchemas(values)
}

// missing is an error that names the dependencies in Chart.yaml whose charts are not there, as Helm's.
func (n *node) missing() error {
	var names []string
	for _, dep := range n.meta.Dependencies {
		if n.dep(dep.Name) == nil {
			names = append(names, dep.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return fmt.Errorf("chart %s: Chart.yaml: dependencies: not in folder charts: %s; run helm dependency build and package the chart again",
		n.path(), strings.Join(names, ", "))
}

// execute renders all templates.
func (c *Chart) execute(root *node, values map[string]any, o Options) (map[string]string, error) {
	caps, err := o.capabilities()
	if err != nil {
		return nil, err
	}
	if want := root.meta.KubeVersion; want != "" && !inRange(want, caps.KubeVersion.String()) {
		return nil, fmt.Errorf("chart %s: Chart.yaml: kubeVersion %q: the release is for Kubernetes %s; set kubeVersion",
			root.path(), want, caps.KubeVersion.Version)
	}
	templates, err := c.compile(root)
	if err != nil {
		return nil, err
	}
	release := map[string]any{"Name": o.Release, "Namespace": o.Namespace, "IsUpgrade": false, "IsInstall": true, "Revision": 1,
		"Service": "Helm"}
	dots := map[string]map[string]any{}
	root.dot(values, release, caps, dots)
	seed := o.Seed
	if seed != "" { // two releases differ
		seed += "\x00" + o.Namespace + "/" + o.Release
	}
	return templates.Render(func(name string) map[string]any { return dots[name] }, engine.Options{Seed: seed, Now: o.Now})
}

// compile parses the templates of the charts in a tree, or remembers them.
func (c *Chart) compile(root *node) (*engine.Templates, error) {
	shape := root.shape()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if t := c.compiled[shape]; t != nil {
		return t, nil
	}
	var all []engine.File
	root.all(func(n *node) {
		for _, f := range n.templates {
			if !n.isLibrary() || strings.HasPrefix(path.Base(f.Name), "_") {
				all = append(all, engine.File{Name: path.Join(n.path(), f.Name), Data: f.Data})
			}
		}
	})
	t, err := engine.Compile(all)
	if err != nil {
		return nil, err
	}
	if len(c.compiled) >= maxCompiled {
		clear(c.compiled)
	}
	c.compiled[shape] = t
	return t, nil
}

// allCRDs are the CRDs in the folders crds of the charts.
func (n *node) allCRDs() (all []Manifest, err error) {
	n.all(func(n *node) {
		for _, crd := range n.crds {
			m, fault := parse(path.Join(n.path(), crd.Name), string(crd.Data))
			err = errors.Join(err, fault)
			all = append(all, m)
		}
	})
	return all, err
}

package lock

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/helm/fetch"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// ConfigKind is the kind of the configs, and ConfigGroup its API group.
const (
	ConfigKind  = "RenderHelmChart"
	ConfigGroup = "fn.kpt.dev"
)

// defaultHome is where archives lie if helmGlobals.chartHome does not say.
const defaultHome = "charts"

// Config is the part of a RenderHelmChart that says which charts it renders.
type Config struct {
	File   string // in the package
	Name   string
	Home   string // the folder of archives, in the package
	Charts []Wanted
}

// Wanted is a chart that a config names.
type Wanted struct {
	Name    string
	Version string // exact, a range, or ""
	Repo    string // "" for a chart that lies in the package
	Files   []string
}

// LockFile is the file of the config's lock.
func (c *Config) LockFile() string {
	return strings.TrimSuffix(c.File, path.Ext(c.File)) + ".lock.yaml"
}

// options are the fields of a config that matter here.
type options struct {
	HelmGlobals struct {
		ChartHome string `json:"chartHome"`
	} `json:"helmGlobals"`
	HelmCharts []struct {
		ChartArgs struct {
			Name    string `json:"name"`
			Version string `json:"version"`
			Repo    string `json:"repo"`
		} `json:"chartArgs"`
		TemplateOptions struct {
			Values struct {
				ValuesFiles []string `json:"valuesFiles"`
			} `json:"values"`
		} `json:"templateOptions"`
	} `json:"helmCharts"`
}

// Configs are the RenderHelmChart objects of a package and of its subpackages, in path order.
func Configs(tree pkgtree.Tree) (out []*Config, err error) {
	for p, b := range tree.All() {
		if !maybeConfig(p, b) || inChart(tree, p) {
			continue
		}
		objects, err := krm.Read(p, b.Data(), krm.Limits{})
		if err != nil {
			return nil, err
		}
		for _, o := range objects {
			if !IsConfig(o) {
				continue
			}
			c, err := ReadConfig(p, o)
			if err == nil {
				err = c.checkPackage(tree.PackageOf(p))
			}
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
	}
	return out, nil
}

func maybeConfig(p string, b *pkgtree.Blob) bool {
	return (path.Ext(p) == ".yaml" || path.Ext(p) == ".yml") && bytes.Contains(b.Data(), []byte(ConfigKind))
}

// inChart reports whether a file is part of a chart that lies in the package as a folder.
func inChart(tree pkgtree.Tree, p string) bool {
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if tree.Blob(path.Join(dir, "Chart.yaml")) != nil {
			return true
		}
	}
	return false
}

// IsConfig reports whether o is a RenderHelmChart.
func IsConfig(o *krm.Object) bool {
	return o.Kind() == ConfigKind && slices.Contains([]string{ConfigGroup, fn.ConfigGroup}, o.Group())
}

// ReadConfig reads a config that lies in file.
func ReadConfig(file string, o *krm.Object) (*Config, error) {
	var opts options
	err := krm.DecodeLoose(o.Node(), nil, &opts)
	c := &Config{File: file, Name: o.Name()}
	if err == nil && c.Name == "" {
		err = field.Required(field.NewPath("metadata", "name"), "the lock is named like the config")
	}
	if err == nil {
		c.Home, err = inPackage(file, cmp.Or(opts.HelmGlobals.ChartHome, defaultHome), field.NewPath("helmGlobals", "chartHome"))
	}
	for i := 0; i < len(opts.HelmCharts) && err == nil; i++ {
		h, at := opts.HelmCharts[i], field.NewPath("helmCharts").Index(i)
		w := Wanted{Name: h.ChartArgs.Name, Version: h.ChartArgs.Version, Repo: h.ChartArgs.Repo}
		err = w.check(at.Child("chartArgs"))
		for j := 0; j < len(h.TemplateOptions.Values.ValuesFiles) && err == nil; j++ {
			var values string
			at := at.Child("templateOptions", "values", "valuesFiles").Index(j)
			values, err = inPackage(file, h.TemplateOptions.Values.ValuesFiles[j], at)
			w.Files = append(w.Files, values)
		}
		c.Charts = append(c.Charts, w)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s %q: %w", file, ConfigKind, c.Name, err)
	}
	return c, nil
}

// checkPackage refuses files outside of the subpackage that the config is in: its functions do not get them.
func (c *Config) checkPackage(dir string) error {
	paths := []string{c.Home}
	for _, w := range c.Charts {
		paths = append(paths, w.Files...)
	}
	for _, p := range paths {
		if dir != "" && p != dir && !strings.HasPrefix(p, dir+"/") {
			return fmt.Errorf("%s: %s %q: %s is not in the subpackage %s, whose functions read only that", c.File, ConfigKind, c.Name, p, dir)
		}
	}
	return nil
}

// chartName is what Helm accepts as the name of a chart.
var chartName = lazyregexp.New(`^[a-zA-Z0-9][a-zA-Z0-9._-]*$`)

func (w *Wanted) check(at *field.Path) error {
	switch {
	case w.Name == "":
		return field.Required(at.Child("name"), "name a chart")
	case !chartName.MatchString(w.Name) || len(w.Name) > 250:
		return field.Invalid(at.Child("name"), w.Name, "want letters, digits, dots, dashes and underscores")
	case w.Repo != "":
		if _, err := fetch.ParseRepo(w.Repo); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
	}
	return nil
}

// inPackage is a path from the folder of a file, as a path in the package.
func inPackage(file, p string, at *field.Path) (string, error) {
	joined := path.Join(path.Dir(file), p)
	if path.IsAbs(p) || pkgtree.CheckPath(path.Join(joined, "x")) != nil {
		return "", field.Invalid(at, p, "want a path in the package, from the folder of the config")
	}
	return joined, nil
}

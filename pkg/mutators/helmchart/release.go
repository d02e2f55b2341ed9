package helmchart

import (
	"fmt"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/helm/chart"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// release renders the charts of a config.
type release struct {
	*config
	files   fn.Files
	lock    *lock
	objects []*krm.Object
	next    map[string]int // the index of the next object, by file
}

// render renders one chart.
func (r *release) render(h *helmChart) error {
	f, err := r.find(&h.ChartArgs)
	if err != nil {
		return err
	}
	c, err := charts.get(f, r.files)
	if err == nil {
		err = h.ChartArgs.check(c)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	o, err := r.options(h, c)
	if err != nil {
		return err
	}
	manifests, err := c.Render(o)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	before := len(r.objects)
	for _, m := range manifests {
		if err := r.add(m); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
	}
	if len(r.objects) == before && !h.TemplateOptions.AllowEmpty {
		return fmt.Errorf("%s: the chart renders no object with these values; set templateOptions.allowEmpty if that is meant", f.path)
	}
	return nil
}

// check reports a chart that is not the one that the config names.
func (a *chartArgs) check(c *chart.Chart) error {
	switch {
	case c.Name() != path.Base(a.Name):
		return fmt.Errorf("it holds chart %q, and the config names %q", c.Name(), a.Name)
	case a.Repo == "" && a.Version != "" && a.Version != c.Version():
		return fmt.Errorf("it holds version %s, and the config names %s", c.Version(), a.Version)
	}
	return nil
}

// options are those of the chart's release.
func (r *release) options(h *helmChart, c *chart.Chart) (o chart.Options, err error) {
	t := &h.TemplateOptions
	o = chart.Options{Release: t.ReleaseName, Namespace: t.Namespace, KubeVersion: t.KubeVersion, APIVersions: t.APIVersions,
		IncludeCRDs: t.IncludeCRDs, SkipTests: t.SkipTests, SkipHooks: t.SkipHooks, Seed: t.Seed}
	if o.Now, err = t.now(); err != nil {
		return o, err
	}
	if t.NameTemplate != "" {
		if o.Release, err = chart.Name(t.NameTemplate, o); err != nil {
			return o, err
		}
	}
	o.Values, err = r.values(&t.Values, c)
	return o, err
}

// values are those of the config. valuesMerge says what wins: values in the config (override), values in files, or without any the
// chart's own (merge), or values in the config alone (replace).
func (r *release) values(v *values, c *chart.Chart) (map[string]any, error) {
	if v.ValuesMerge == "replace" {
		return v.ValuesInline, nil
	}
	all := map[string]any{}
	for _, file := range v.ValuesFiles {
		at := r.path(file)
		data, ok := r.files[at]
		switch {
		case strings.Contains(file, "://"):
			return nil, fmt.Errorf("values file %q: rendering fetches nothing; save the file in the package", redacted(file))
		case !ok:
			return nil, fmt.Errorf("values file %s is not in the package", at)
		}
		one, err := chart.ParseValues(at, data)
		if err != nil {
			return nil, err
		}
		all = chart.Overlay(all, one)
	}
	if v.ValuesMerge != "merge" {
		return chart.Overlay(all, v.ValuesInline), nil
	}
	if len(v.ValuesFiles) == 0 {
		all = c.Values()
	}
	return chart.Overlay(v.ValuesInline, all), nil
}

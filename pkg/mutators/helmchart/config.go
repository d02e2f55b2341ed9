package helmchart

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// configGroup is the group of the catalogue's configs.
const configGroup = "fn.kpt.dev"

// config is a RenderHelmChart.
type config struct {
	HelmGlobals helmGlobals `json:"helmGlobals"`
	HelmCharts  []helmChart `json:"helmCharts"`

	name   string // of the config, which the objects that it renders carry
	folder string // of the config's file, in its package
	flat   bool   // it is a ConfigMap
}

type helmGlobals struct {
	ChartHome  string `json:"chartHome"`
	ConfigHome string `json:"configHome"` // of the program helm, which does not run here
}

type helmChart struct {
	ChartArgs       chartArgs       `json:"chartArgs"`
	TemplateOptions templateOptions `json:"templateOptions"`
}

// chartArgs say which chart. Auth and Registry matter only where it is fetched.
type chartArgs struct {
	Name     string         `json:"name"`
	Version  string         `json:"version"`
	Repo     string         `json:"repo"`
	Registry string         `json:"registry"`
	Auth     map[string]any `json:"auth"`
}

// templateOptions are the catalogue's, and from KubeVersion on ours.
type templateOptions struct {
	APIVersions  []string `json:"apiVersions"`
	ReleaseName  string   `json:"releaseName"`
	Namespace    string   `json:"namespace"`
	Description  string   `json:"description"` // no template sees it
	NameTemplate string   `json:"nameTemplate"`
	IncludeCRDs  bool     `json:"includeCRDs"`
	SkipTests    bool     `json:"skipTests"`
	Values       values   `json:"values"`

	KubeVersion string `json:"kubeVersion"`
	SkipHooks   bool   `json:"skipHooks"`
	AllowEmpty  bool   `json:"allowEmpty"`
	Seed        string `json:"seed"`
	Now         string `json:"now"`
}

type values struct {
	ValuesFiles  []string       `json:"valuesFiles"`
	ValuesInline map[string]any `json:"valuesInline"`
	ValuesMerge  string         `json:"valuesMerge"`
}

// flat are the options of a ConfigMap, which says one chart.
type flat struct {
	ChartHome    string   `json:"chartHome"`
	ConfigHome   string   `json:"configHome"`
	Name         string   `json:"name"`
	Version      string   `json:"version"`
	Repo         string   `json:"repo"`
	ReleaseName  string   `json:"releaseName"`
	Namespace    string   `json:"namespace"`
	NameTemplate string   `json:"nameTemplate"`
	IncludeCRDs  bool     `json:"includeCRDs"`
	SkipTests    bool     `json:"skipTests"`
	ValuesFile   string   `json:"valuesFile"`
	APIVersions  []string `json:"apiVersions"`
	KubeVersion  string   `json:"kubeVersion"`
	SkipHooks    bool     `json:"skipHooks"`
	AllowEmpty   bool     `json:"allowEmpty"`
	Seed         string   `json:"seed"`
	Now          string   `json:"now"`
}

// inlineConfig is the name of a config that is in the pipeline itself.
const inlineConfig = "function-input"

// readConfig reads the config, and reports all faults of it.
func readConfig(o *krm.Object) (*config, error) {
	switch {
	case o == nil:
		return nil, field.Required(field.NewPath("functionConfig"), "want a RenderHelmChart, or a ConfigMap with the name of a chart")
	case fn.IsConfigMap(o):
		return readConfigMap(o)
	case o.Kind() != configKind || o.Group() != configGroup && o.Group() != fn.ConfigGroup || o.Version() != fn.ConfigVersion:
		return nil, fn.WrongKind(o, fmt.Sprintf("v1 ConfigMap or %s/%s %s", configGroup, fn.ConfigVersion, configKind))
	}
	c := &config{name: o.Name()}
	errs := fn.UnknownFields(o, "options belong under helmCharts", "helmGlobals", "helmCharts")
	for name, to := range map[string]any{"helmGlobals": &c.HelmGlobals, "helmCharts": &c.HelmCharts} {
		if n := o.Lookup(name); n != nil && !krm.IsNull(n) {
			errs = append(errs, krm.DecodeErrors(n, field.NewPath(name), to)...)
		}
	}
	if len(errs) == 0 {
		errs = c.validate(field.NewPath("helmCharts").Index)
	}
	return c, errs.ToAggregate()
}

// readConfigMap reads the options of one chart.
func readConfigMap(o *krm.Object) (*config, error) {
	var f flat
	if err := fn.DecodeConfig(o, configKind, &f); err != nil {
		return nil, err
	}
	h := helmChart{ChartArgs: chartArgs{Name: f.Name, Version: f.Version, Repo: f.Repo}}
	h.TemplateOptions = templateOptions{APIVersions: f.APIVersions, ReleaseName: f.ReleaseName, Namespace: f.Namespace,
		NameTemplate: f.NameTemplate, IncludeCRDs: f.IncludeCRDs, SkipTests: f.SkipTests, KubeVersion: f.KubeVersion,
		SkipHooks: f.SkipHooks, AllowEmpty: f.AllowEmpty, Seed: f.Seed, Now: f.Now}
	if f.ValuesFile != "" {
		h.TemplateOptions.Values.ValuesFiles = []string{f.ValuesFile}
	}
	c := &config{HelmGlobals: helmGlobals{ChartHome: f.ChartHome}, HelmCharts: []helmChart{h}, name: o.Name(), flat: true}
	if c.name == "" || c.name == inlineConfig { // every config in a pipeline has this name
		c.name = cmp.Or(f.ReleaseName, f.Name)
	}
	return c, c.validate(func(int) *field.Path { return field.NewPath("data") }).ToAggregate()
}

// validate reports what is missing or cannot be.
func (c *config) validate(at func(i int) *field.Path) (errs field.ErrorList) {
	if c.name == "" {
		errs = append(errs, field.Required(field.NewPath("metadata", "name"), "the objects that the config renders carry its name"))
	}
	if len(c.HelmCharts) == 0 {
		errs = append(errs, field.Required(field.NewPath("helmCharts"),
			"name a chart; to render nothing any more, remove the step and its objects"))
	}
	for i := range c.HelmCharts {
		errs = append(errs, c.HelmCharts[i].validate(at(i))...)
	}
	return errs
}

func (h *helmChart) validate(at *field.Path) (errs field.ErrorList) {
	switch name := h.ChartArgs.Name; {
	case name == "":
		errs = append(errs, field.Required(at.Child("chartArgs", "name"), "name the chart"))
	case !fn.IsFilePath(name):
		errs = append(errs, field.Invalid(at.Child("chartArgs", "name"), name, "want the name of a chart"))
	}
	options := at.Child("templateOptions")
	switch merge := h.TemplateOptions.Values.ValuesMerge; merge {
	case "", "merge", "override", "replace":
	default:
		errs = append(errs, field.NotSupported(options.Child("values", "valuesMerge"), merge, []string{"merge", "override", "replace"}))
	}
	if _, err := h.TemplateOptions.now(); err != nil {
		errs = append(errs, field.Invalid(options.Child("now"), h.TemplateOptions.Now, err.Error()))
	}
	return errs
}

// now is the time that templates see; zero if none.
func (t *templateOptions) now() (time.Time, error) {
	if t.Now == "" {
		return time.Time{}, nil
	}
	now, err := time.Parse(time.RFC3339, t.Now)
	if err != nil {
		return now, errors.New("want a time such as 2026-01-31T12:00:00Z")
	}
	return now.UTC(), nil
}

// home is the folder of charts, from the folder of the config on.
func (c *config) home() string { return cmp.Or(c.HelmGlobals.ChartHome, "charts") }

// path is a path in the package of one that counts from the folder of the config.
func (c *config) path(p string) string { return path.Join(c.folder, p) }

// folderOf is the folder of a config's file in its package.
func folderOf(o *krm.Object) string {
	if dir := path.Dir(o.File()); fn.IsFilePath(dir) {
		return dir
	}
	return "."
}

// configFolder is the folder of the config's file. Other orchestrators hand over the config without its path, and the file as an item.
func configFolder(in *fn.Input) string {
	if fn.FilePath(in.Config) != "" {
		return folderOf(in.Config)
	}
	for _, o := range in.Items {
		if o.ID() == in.Config.ID() && fn.FilePath(o) != "" && fn.Folder(o) != "" {
			return folderOf(o)
		}
	}
	return folderOf(in.Config)
}

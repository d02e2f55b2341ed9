package variantset

import (
	"fmt"
	"maps"
	"slices"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/variant/variantset/expression"
)

// template is where messages about a template start.
var template = field.NewPath("template")

// filler fills in one template for one target. After its first error it does nothing more.
type filler struct {
	*rendering
	vars expression.Vars
	err  error
}

// spec is what a target wants of its variant.
func (r *rendering) spec(t *target) (*porchconfig.PackageVariantSpec, error) {
	spec := &porchconfig.PackageVariantSpec{
		Upstream:   r.set.Spec.Upstream.DeepCopy(),
		Downstream: &porchconfig.Downstream{Repo: t.repo, Package: t.pkg},
	}
	if t.template == nil {
		r.lookedUp[t.repo] = true
		return spec, nil
	}
	f := &filler{rendering: r, vars: expression.Vars{RepoDefault: t.repo, PackageDefault: t.pkg, Upstream: r.upstream, Target: t.value}}
	f.downstream(spec.Downstream, t.template.Downstream)
	spec.AdoptionPolicy, spec.DeletionPolicy = t.template.AdoptionPolicy, t.template.DeletionPolicy
	spec.Labels = f.overlay(t.template.Labels, t.template.LabelExprs, template.Child("labelExprs"))
	spec.Annotations = f.overlay(t.template.Annotations, t.template.AnnotationExprs, template.Child("annotationExprs"))
	spec.PackageContext = f.packageContext(t.template.PackageContext, template.Child("packageContext"))
	spec.Injectors = f.injectors(t.template.Injectors, template.Child("injectors"))
	spec.Pipeline = f.pipeline(t.template.Pipeline, template.Child("pipeline"))
	return spec, f.err
}

// downstream looks up the repository between the two expressions: the one for the package
// can use its Repository object, the one for the repository cannot.
func (f *filler) downstream(d *porchconfig.Downstream, t *v1alpha2.DownstreamTemplate) {
	if t == nil {
		t = &v1alpha2.DownstreamTemplate{}
	}
	at := template.Child("downstream")
	d.Repo = f.choose(d.Repo, t.Repo, t.RepoExpr, at.Child("repoExpr"))
	f.repository(d.Repo)
	d.Package = f.choose(d.Package, t.Package, t.PackageExpr, at.Child("packageExpr"))
}

func (f *filler) repository(name string) {
	if f.err != nil {
		return
	}
	f.lookedUp[name] = true
	value, found := f.repositories[name]
	if !found {
		f.err = fmt.Errorf("repository %q could not be loaded", name)
	}
	f.vars.Repository = value
}

// choose returns the expression's result if there is one, else the literal, else the default. An empty
// expression or literal counts as none.
func (f *filler) choose(otherwise string, literal, expr *string, at *field.Path) string {
	if literal != nil && *literal != "" {
		otherwise = *literal
	}
	if expr != nil && *expr != "" {
		return f.text(*expr, at)
	}
	return otherwise
}

func (f *filler) text(expr string, at *field.Path) string {
	if f.err != nil {
		return ""
	}
	result, err := f.eval(expr, &f.vars)
	if err != nil {
		f.err = fmt.Errorf("%s: %w", at, err)
	}
	return result
}

// overlay adds the results of expressions to a copy of a map, in order. An empty map is nil.
func (f *filler) overlay(base map[string]string, exprs []v1alpha2.MapExpr, at *field.Path) map[string]string {
	if len(base)+len(exprs) == 0 {
		return nil
	}
	out := make(map[string]string, len(base)+len(exprs))
	maps.Copy(out, base)
	for i := range exprs {
		at := at.Index(i)
		key := f.choose("", exprs[i].Key, exprs[i].KeyExpr, at.Child("keyExpr"))
		out[key] = f.choose("", exprs[i].Value, exprs[i].ValueExpr, at.Child("valueExpr"))
		if key == "" && f.err == nil {
			f.err = fmt.Errorf("%s: the key is empty", at)
		}
	}
	return out
}

func (f *filler) packageContext(t *v1alpha2.PackageContextTemplate, at *field.Path) *porchconfig.PackageContext {
	if t == nil {
		return nil
	}
	remove := slices.Clone(t.RemoveKeys)
	for i, expr := range t.RemoveKeyExprs {
		remove = append(remove, f.text(expr, at.Child("removeKeyExprs").Index(i)))
	}
	slices.Sort(remove)
	out := &porchconfig.PackageContext{
		Data:       f.overlay(t.Data, t.DataExprs, at.Child("dataExprs")),
		RemoveKeys: slices.DeleteFunc(slices.Compact(remove), func(key string) bool { return key == "" }),
	}
	if len(out.Data)+len(out.RemoveKeys) == 0 {
		return nil
	}
	return out
}

func (f *filler) injectors(list []v1alpha2.InjectionSelectorTemplate, at *field.Path) []porchconfig.InjectionSelector {
	var out []porchconfig.InjectionSelector
	for i := range list {
		s := list[i].DeepCopy()
		name := f.choose("", s.Name, s.NameExpr, at.Index(i).Child("nameExpr"))
		out = append(out, porchconfig.InjectionSelector{Group: s.Group, Version: s.Version, Kind: s.Kind, Name: name})
	}
	return out
}

func (f *filler) pipeline(t *v1alpha2.PipelineTemplate, at *field.Path) *kptfilev1.Pipeline {
	if t == nil || len(t.Mutators)+len(t.Validators) == 0 {
		return nil
	}
	return &kptfilev1.Pipeline{
		Mutators:   f.functions(t.Mutators, at.Child("mutators")),
		Validators: f.functions(t.Validators, at.Child("validators")),
	}
}

func (f *filler) functions(list []v1alpha2.FunctionTemplate, at *field.Path) []kptfilev1.Function {
	var out []kptfilev1.Function
	for i := range list {
		function := *list[i].Function.DeepCopy()
		function.ConfigMap = f.overlay(function.ConfigMap, list[i].ConfigMapExprs, at.Index(i).Child("configMapExprs"))
		out = append(out, function)
	}
	return out
}

package mapcontroller

import (
	"context"
	"errors"
	"fmt"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
)

// labelNamespaceName is the label that the API server gives to each Namespace.
const labelNamespaceName = "kubernetes.io/metadata.name"

// customize calls the customize hook once for each parent, to learn which related objects its hooks need. A parent for
// which it fails is held.
func (p *reconciler) customize(ctx context.Context) error {
	if p.c.hooks[HookCustomize] == nil {
		return nil
	}
	active := slices.DeleteFunc(slices.Clone(p.parents), func(par *parent) bool { return par.hold })
	answers, errs := make([]*answer, len(active)), make([]error, len(active))
	applyset.ForEach(len(active), p.snapshot.Parallel, func(i int) {
		if ctx.Err() == nil {
			par := active[i]
			r := &Request{Hook: HookCustomize, ParentKey: par.key, Parent: par.object, parentData: par.data, budget: &p.budget}
			answers[i], errs[i] = p.c.call(ctx, r)
		}
	})
	for i, par := range active {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.applyCustomize(par, answers[i], errs[i])
	}
	return ctx.Err()
}

// applyCustomize applies the answer of a customize hook to a parent.
func (p *reconciler) applyCustomize(par *parent, a *answer, err error) {
	switch {
	case err != nil:
		p.holdParent(par, nil, err)
		return
	case a.retry != nil:
		p.recordAnswer(par, max(1, *a.retry), false)
		par.hold = true
		p.report(sdk.Warning, par, nil, "map(%s): hook %s asks for some time", par.key, HookCustomize)
		return
	}
	switch err := p.selectAllRelated(par, a.related); {
	case errors.Is(err, errNotListed):
		par.hold, par.unfinished = true, true
	case err != nil:
		p.holdParent(par, nil, fmt.Errorf("hook %s: %w", HookCustomize, err))
	}
}

// selectAllRelated selects the objects of all rules, as each version of hooks gets them.
func (p *reconciler) selectAllRelated(par *parent, rules []waybill.RelatedRule) error {
	par.rules, par.related, par.relatedData = rules, map[string]Association{}, map[string]map[string]any{}
	var types []resource
	var found [][]*namespacedObject // by rule
	for i := range rules {
		at := field.NewPath("relatedResources").Index(i)
		of, errs := resolve(p.c.types, rules[i].MapType, at)
		if len(errs) > 0 {
			return errs.ToAggregate()
		}
		if err := p.checkListed(&rules[i], &of); err != nil {
			return err
		}
		some, err := p.selectRelated(par, &rules[i], &of, at)
		if err != nil {
			return err
		}
		types, found = append(types, of), append(found, some)
	}
	for _, version := range []string{waybill.HookV1, waybill.HookV2} {
		a := newAssociation(types)
		for i, some := range found {
			for _, o := range some {
				a.add(&types[i], o.Object, o.namespace, nameScope{version, par.namespace})
			}
		}
		data, err := a.data()
		if err != nil {
			return err
		}
		par.related[version], par.relatedData[version] = a, data
	}
	return nil
}

// errNotListed says that the items do not have all objects that a rule may select yet.
var errNotListed = errors.New("not all objects are known yet")

// checkListed returns errNotListed unless the items have all objects that matter to a rule.
func (p *reconciler) checkListed(rule *waybill.RelatedRule, of *resource) error {
	if p.snapshot.Listed == nil {
		return nil
	}
	all, err := p.snapshot.Listed(of.exported())
	if err == nil && rule.NamespaceSelector != nil {
		var namespaces bool
		namespaces, err = p.snapshot.Listed(Type{schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, "namespaces"})
		all = all && namespaces
	}
	if err == nil && !all {
		err = errNotListed
	}
	return err
}

// selectRelated finds the objects that one rule selects.
func (p *reconciler) selectRelated(par *parent, rule *waybill.RelatedRule, of *resource, at *field.Path) ([]*namespacedObject, error) {
	if err := p.checkRule(par, rule, of, at); err != nil {
		return nil, err
	}
	byLabel, errs := selector(rule.LabelSelector, at.Child("labelSelector"))
	byNamespace, more := selector(rule.NamespaceSelector, at.Child("namespaceSelector"))
	if errs = append(errs, more...); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	namespace := rule.Namespace
	if p.isConfined(par) {
		namespace = par.namespace
	}
	var out []*namespacedObject
	for _, o := range p.index.all(of.GroupKind) {
		switch clustered := o.namespace == ""; {
		case len(rule.Names) > 0 && !slices.Contains(rule.Names, o.Name()):
		case !clustered && namespace != "" && o.namespace != namespace:
		case !clustered && rule.NamespaceSelector != nil && !byNamespace.Matches(p.namespaceLabels(o.namespace)):
		case o.matches(byLabel):
			out = append(out, o)
		}
	}
	return out, nil
}

// isConfined reports whether a parent may select related objects of its own namespace only.
func (p *reconciler) isConfined(par *parent) bool {
	return par.namespace != "" && p.c.hooks[HookCustomize].version == waybill.HookV1
}

// checkRule refuses fields that exclude each other.
func (p *reconciler) checkRule(par *parent, rule *waybill.RelatedRule, of *resource, at *field.Path) error {
	switch v1 := p.isConfined(par); {
	case len(rule.Names) > 0 && (rule.LabelSelector != nil || rule.NamespaceSelector != nil):
		return field.Forbidden(at.Child("names"), "names exclude a selector")
	case rule.Namespace != "" && rule.NamespaceSelector != nil:
		return field.Forbidden(at.Child("namespaceSelector"), "a namespace excludes a selector of namespaces")
	case rule.NamespaceSelector != nil && of.known && !of.Namespaced:
		return field.Forbidden(at.Child("namespaceSelector"), "a "+of.Kind+" has no namespace")
	case v1 && rule.NamespaceSelector != nil:
		return field.Forbidden(at.Child("namespaceSelector"), ownNamespace)
	case v1 && rule.Namespace != "" && rule.Namespace != par.namespace && (of.Namespaced || !of.known):
		return field.Forbidden(at.Child("namespace"), ownNamespace)
	}
	return nil
}

const ownNamespace = "a parent in a namespace sees its own alone, unless the hook is of version v2"

// namespaceLabels are the labels of a namespace. One that is no object has its name alone.
func (p *reconciler) namespaceLabels(name string) labels.Set {
	if p.labelsByNamespace == nil {
		p.labelsByNamespace = map[string]labels.Set{}
		for _, o := range p.index.all(schema.GroupKind{Kind: "Namespace"}) {
			if _, twice := p.labelsByNamespace[o.Name()]; !twice {
				p.labelsByNamespace[o.Name()] = o.Labels()
			}
		}
	}
	return labels.Merge(p.labelsByNamespace[name], labels.Set{labelNamespaceName: name})
}

package binding

import (
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/template/expansion"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// reportInvalidNames reports selected objects with a name or namespace that no API server takes.
func (r *resolver) reportInvalidNames() {
	for e := range r.selected() {
		r.refuse(e, "name", nameRule(e.Object))
		if want := workload.DefinitionName(e.Object); want != "" && want != e.Object.Name() {
			r.report(sdk.Error, e.Object, field.NewPath("metadata", "name"),
				"no API server takes a CustomResourceDefinition of this name; want %q", want)
		}
		if e.Namespace != "" {
			r.refuse(e, "namespace", validation.IsDNS1123Label)
		}
	}
}

// refuse reports a field of the metadata of e that is not text or breaks a rule. bundle-manifestwork checks templates, after
// it has expanded them.
func (r *resolver) refuse(e *match.Candidate, name string, rule func(string) []string) {
	at := field.NewPath("metadata", name)
	var text string
	n := e.Object.Lookup("metadata", name)
	if n == nil || isTemplate(e.Object, n.Value) {
		return
	}
	if err := krm.DecodeNode(n, at, &text); err != nil {
		r.report(sdk.Error, e.Object, at, "no API server takes a %s that is not text; put it in quotes", name)
		return
	}
	if strings.Contains(text, "{{") {
		r.report(sdk.Error, e.Object, at,
			"%q is a template, and annotation %s of the object is not \"true\": set it, or replace the template by its value",
			text, expansion.OptIn)
		return
	}
	for _, why := range rule(text) {
		r.report(sdk.Error, e.Object, at, "no API server takes %q: %s", text, why)
	}
}

// nameRule is the rule for the name of o. Most kinds have a stricter rule than a segment of a path; but names of roles may hold ":",
// and the rules of custom kinds are unknown.
func nameRule(o *krm.Object) func(string) []string {
	if o.Is("", "Namespace") {
		return validation.IsDNS1123Label
	}
	return content.IsPathSegmentName
}

// refuseLabels refuses labels that are not text: selectors would not see them, and the object would be deleted on all clusters.
// The inventory checks those of clusters.
func (r *resolver) refuseLabels(items []*krm.Object) {
	at := field.NewPath("metadata", "labels")
	for _, o := range items {
		n := krm.Deref(o.Lookup("metadata", "labels"))
		if n == nil || !r.resources.Selectable(o) || o.Is(workload.ManagedClusterKind.Group, workload.ManagedClusterKind.Kind) {
			continue
		}
		var labels map[string]string
		if err := krm.DecodeNode(n, at, &labels); err != nil {
			r.report(sdk.Error, o, at, "no API server takes labels that are not text; write NAME: \"VALUE\"")
		}
	}
}

// refuseTypos refuses misspelt fields that decide where an object goes: the object would be deleted on all clusters, or all
// objects on a cluster. A custom kind may have a field labels, so there it only warns.
func (r *resolver) refuseTypos(items []*krm.Object) {
	for _, o := range items {
		if !workload.IsWorkload(o) && !o.Is(workload.ManagedClusterKind.Group, workload.ManagedClusterKind.Kind) {
			continue
		}
		r.add(workload.RefuseTypos([]*krm.Object{o}))
		r.warnOfOptIn(o)
		if workload.HasLabelsBesideMetadata(o) && workload.MayDefineFields(o) && o.Lookup("metadata", "labels") == nil {
			r.report(sdk.Warning, o, field.NewPath("labels"), "selectors do not see labels here; if they are to, move them below metadata")
		}
	}
}

// warnOfOptIn warns of a misspelt annotation for templates: the object would ship with its templates not expanded.
func (r *resolver) warnOfOptIn(o *krm.Object) {
	for name, value := range o.Annotations() {
		isTypo := strings.EqualFold(name, expansion.OptIn) || selection.Misspelt(name, expansion.OptIn)
		switch at := field.NewPath("metadata", "annotations").Key(name); {
		case name == expansion.OptIn && value != "true" && value != "false":
			r.report(sdk.Warning, o, at, "templates are filled in only where it is \"true\"; this object ships as it is")
		case name != expansion.OptIn && isTypo:
			r.report(sdk.Warning, o, at, "nothing reads this annotation; templates are filled in where %s is \"true\"", expansion.OptIn)
		}
	}
}

// isTemplate reports whether a text of o is a template.
func isTemplate(o *krm.Object, text string) bool {
	return o.Annotation(expansion.OptIn) == "true" && strings.Contains(text, "{{")
}

// warnNameless warns of objects that look like workload and can never be selected: Bindings name single
// objects, and a list is not one, even with a name.
func (r *resolver) warnNameless(items []*krm.Object) {
	for _, o := range items {
		switch {
		case workload.IsNameless(o) && workload.IsList(o), workload.IsWorkload(o) && r.resources.ListsObjects(o):
			r.report(sdk.Warning, o, field.NewPath("items"), "never ships: functions do not look into lists; "+
				"write its items as objects of their own")
		case workload.IsNameless(o) && r.resources.Selectable(o):
			r.report(sdk.Warning, o, field.NewPath("metadata", "generateName"), "never ships: it has no name, only a generateName; give it a name")
		}
	}
}

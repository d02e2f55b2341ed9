package replacements

import (
	"fmt"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	near "github.com/waybill-dev/waybill/pkg/selection"
)

// mostEmpty is how many targets without an object are reported.
const mostEmpty = 10

// warnEmpty warns of a target that selects no object: a name or a label may be misspelt. It warns neither when there is
// nothing to select, nor of a target that sets names or labels, which it may have set before.
func (r *run) warnEmpty(t *target, at *field.Path) {
	if len(r.attributes) == 0 || t.renames {
		return
	}
	if r.empty++; r.empty <= mostEmpty {
		r.out.Report(sdk.Warning, nil, at.Child("select"), "selects no object: %s%s", t.selection, r.nearest(t.selection))
	}
}

// warnMore reports how many more targets without an object there are.
func (r *run) warnMore() {
	if more := r.empty - mostEmpty; more > 0 {
		r.out.Report(sdk.Warning, nil, field.NewPath("replacements"), "%s more select no object", near.Count(more, "target"))
	}
}

// String is what s selects by: kind=Deployment, name=web.*, labels tier=front.
func (s *selection) String() string {
	var terms []string
	for p, pattern := range s.names {
		if pattern != nil {
			terms = append(terms, partNames[p]+"="+pattern.text)
		}
	}
	if s.meta != nil {
		terms = appendSelector(terms, "labels", s.meta.labels)
		terms = appendSelector(terms, "annotations", s.meta.annotations)
	}
	if len(terms) == 0 {
		terms = []string{"anything"}
	}
	if len(s.rejectNames)+len(s.rejectMeta) > 0 {
		terms = append(terms, "without what reject selects")
	}
	return strings.Join(terms, ", ")
}

func appendSelector(terms []string, of string, s labels.Selector) []string {
	if s.Empty() {
		return terms
	}
	return append(terms, of+" "+near.Text(s))
}

// nearest is a hint at names like the first part of s that no object has.
func (r *run) nearest(s *selection) string {
	for p, pattern := range s.names {
		if pattern == nil {
			continue
		}
		if m := r.parts[p].only(pattern.text); pattern.re == nil && m.items == 0 {
			var texts []string
			for n, text := range r.parts[p].texts {
				if len(r.parts[p].items[n]) > 0 {
					texts = append(texts, text)
				}
			}
			if similar := near.Similar(pattern.text, texts); len(similar) > 0 {
				return fmt.Sprintf("; similar: %s=%s", partNames[p], strings.Join(similar, " or "))
			}
			return ""
		}
	}
	if s.meta == nil {
		return ""
	}
	var byLabels, byAnnotations []labels.Set
	for _, f := range r.attributes {
		byLabels, byAnnotations = append(byLabels, f.object.Labels()), append(byAnnotations, f.object.Annotations())
	}
	if text := near.Near(s.meta.labels, byLabels); text != "" {
		return text
	}
	return near.Near(s.meta.annotations, byAnnotations)
}

package apisync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync/mutation"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template/text"
)

// query finds the related objects of one primary by one entry.
type query struct {
	ctx             context.Context
	x               *index
	r               *related
	p               *primary
	origins, copies Place
	left            *text.Allowance // the work that regular expressions may still do
	unmatched       string          // the last selector that matched nothing
	empty           *emptyLocator   // the last reference or template that gave nothing
	absent          string          // the first named origin that does not exist
}

// namespaces are the namespaces of related objects. Objects without a namespace have one pair of two empty names.
func (q *query) namespaces() (spaces []namePair, known bool, err error) {
	switch {
	case !q.r.Origin.Namespaced && !q.r.Copied.Namespaced:
		return []namePair{{}}, true, nil
	case q.r.namespaces != nil:
		return q.matches(q.r.namespaces, "", true)
	case !q.x.rule.local.Namespaced || !q.x.rule.remote.Namespaced:
		return nil, false, errors.New("a primary has no namespace: say in object.namespace where the related objects are")
	}
	source, destination := q.x.refs[q.p.object].Namespace, q.x.refs[q.p.copy].Namespace
	if !q.r.FromSource {
		return []namePair{{destination, source}}, true, nil
	}
	return []namePair{{source, destination}}, true, nil
}

// matches are the names that a locator finds in a namespace, or the namespaces.
func (q *query) matches(l *locator, namespace string, ofNamespaces bool) ([]namePair, bool, error) {
	switch {
	case l.selector != nil:
		return q.selected(l, namespace, ofNamespaces)
	case l.template != nil:
		return q.templated(l, ofNamespaces)
	}
	return q.referred(l, ofNamespaces)
}

// referred reads names from a field of both primaries.
func (q *query) referred(l *locator, ofNamespaces bool) (out []namePair, known bool, err error) {
	origin, err := q.values(l, q.origins.Side)
	if err != nil || len(origin) == 0 {
		q.empty = &emptyLocator{l, ofNamespaces}
		return nil, true, err // no related object
	}
	copied, err := q.values(l, q.copies.Side)
	switch {
	case err != nil:
		return nil, false, err
	case len(copied) == 0:
		return nil, false, nil // the other side does not have it yet
	case len(origin) != len(copied):
		return nil, false, fmt.Errorf("at %s there are %d names at the origin and %d on the other side", l.path, len(origin), len(copied))
	case len(origin) > maxNames:
		return nil, false, fmt.Errorf("at %s there are %d names; at most %d are related to one object", l.path, len(origin), maxNames)
	}
	for i := range origin {
		var m namePair
		var errCopy error
		m.origin, err = l.pattern.apply(q.left, origin[i])
		m.copy, errCopy = l.pattern.apply(q.left, copied[i])
		if err := cmp.Or(err, errCopy); err != nil {
			return nil, false, err
		}
		if m.origin != "" && m.copy != "" {
			out = append(out, m)
		} else if strings.TrimSpace(origin[i]) != "" && strings.TrimSpace(copied[i]) != "" {
			q.empty = &emptyLocator{l, ofNamespaces} // the pattern gives nothing
		}
	}
	return out, true, nil
}

// values are the texts at the path of a locator in the primary of a side.
func (q *query) values(l *locator, side Side) ([]string, error) {
	data, err := q.x.doc(q.primaryOn(side)).text()
	if err != nil {
		return nil, err
	}
	return mutation.Texts(data, l.path), nil
}

func (q *query) primaryOn(side Side) *krm.Object {
	if side == Source {
		return q.p.object
	}
	return q.p.copy
}

// templated executes a template for both sides.
func (q *query) templated(l *locator, ofNamespaces bool) ([]namePair, bool, error) {
	origin, err := q.execute(l.template, q.origins.Side)
	if err != nil {
		return nil, false, err
	}
	copied, err := q.execute(l.template, q.copies.Side)
	switch {
	case err != nil || origin != "" && copied == "":
		return nil, false, err
	case origin == "":
		q.empty = &emptyLocator{l, ofNamespaces}
		return nil, true, nil
	}
	return []namePair{{origin, copied}}, true, nil
}

// execute executes a template for one side; "" stands for a missing value.
func (q *query) execute(t *text.Template, side Side) (string, error) {
	fields, err := q.x.doc(q.primaryOn(side)).fields()
	if err != nil {
		return "", err
	}
	name := waybill.OriginService
	if side == Source {
		name = waybill.OriginKCP
	}
	result, err := t.Execute(q.ctx, map[string]any{"Side": name, "Object": fields, "ClusterName": q.p.cluster, "ClusterPath": q.p.path})
	if err != nil || result.Missing {
		return "", err
	}
	return result.Trimmed, nil
}

// selected are the origins, or namespaces, that a selector selects.
func (q *query) selected(l *locator, namespace string, ofNamespaces bool) (out []namePair, known bool, err error) {
	data, err := q.data()
	if err != nil {
		return nil, false, err
	}
	s, err := l.selector.Fill(q.ctx, data)
	if err != nil {
		return nil, true, err
	}
	if s == nil {
		q.unmatched = "object.selector: its templates give nothing"
		return nil, true, nil
	}
	kind := q.r.Origin.GroupKind()
	if ofNamespaces {
		kind.Group, kind.Kind = "", "Namespace"
	}
	candidates := q.x.byType[typeKey{q.origins.engineName(), namespace, kind}]
	for _, o := range candidates {
		if isDeleting(o) || q.isCopy(o) || !s.Matches(q.x.labelsOf(o)) {
			continue
		}
		if len(out) == maxNames {
			return nil, false, fmt.Errorf("the selector selects more than %d objects", maxNames)
		}
		name, err := q.rewritten(l, o, data, ofNamespaces)
		if err != nil {
			return nil, false, err
		}
		out = append(out, namePair{o.Name(), name})
	}
	if len(out) == 0 {
		q.unmatched = q.whyUnmatched(s, kind.Kind, candidates, ofNamespaces)
	}
	return out, true, nil
}

// isCopy reports whether an object is a copy that this rule made: it is no origin, or it would be copied back.
func (q *query) isCopy(o *krm.Object) bool {
	return o.Annotation(applyset.ControllerAnnotation) == q.x.rule.name
}

// rewritten is the name of the copy of a selected object.
func (q *query) rewritten(l *locator, o *krm.Object, data map[string]any, ofNamespaces bool) (string, error) {
	if l.rewrite == nil {
		return l.pattern.apply(q.left, o.Name())
	}
	data["Value"] = o.Name()
	if !ofNamespaces {
		fields, err := q.x.doc(o).fields()
		if err != nil {
			return "", err
		}
		data["RelatedObject"] = fields
	}
	result, err := l.rewrite.Execute(q.ctx, data)
	delete(data, "RelatedObject")
	delete(data, "Value")
	switch {
	case err != nil:
		return "", err
	case result.Missing || result.Trimmed == "":
		return "", errors.New("the rewrite template gives no name")
	}
	return result.Trimmed, nil
}

// data are the values that templates of selectors get.
func (q *query) data() (map[string]any, error) {
	remote, err := q.x.doc(q.p.object).fields()
	if err != nil {
		return nil, err
	}
	local, err := q.x.doc(q.p.copy).fields()
	return map[string]any{"LocalObject": local, "RemoteObject": remote, "ClusterName": q.p.cluster, "ClusterPath": q.p.path}, err
}

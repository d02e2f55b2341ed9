package combine

import (
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/reports"
	"github.com/waybill-dev/waybill/pkg/template/expansion"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// seenIn returns the reports of a cluster about an object. If a template is in the name of the object, clusters know it by a name
// that differs from cluster to cluster.
func (s *summarizer) seenIn(e *entry) func(cluster string) reports.Object {
	seen, head := s.index.Of(e.identity()), headOf(e)
	if head == nil {
		return func(string) reports.Object { return seen }
	}
	known := map[string]reports.Object{}
	return func(cluster string) reports.Object {
		if o, done := known[cluster]; done {
			return o
		}
		if id, ok := s.expanded(head, e.identity(), cluster); ok { // else no work holds the object: bundle-manifestwork reports why
			known[cluster] = s.index.Of(id)
		} else {
			known[cluster] = reports.Object{}
		}
		return known[cluster]
	}
}

// headOf is a template of what identifies the object of an entry; nil if that is the same for every cluster.
func headOf(e *entry) *expansion.Template {
	if e.object == nil || !strings.Contains(e.Namespace+e.Name, "{{") {
		return nil
	}
	n, err := krm.NodeOf(map[string]any{"apiVersion": e.object.APIVersion(), "kind": e.object.Kind(), "metadata": map[string]any{
		"namespace": e.Namespace, "name": e.Name, "annotations": map[string]any{expansion.OptIn: e.object.Annotation(expansion.OptIn)}}})
	if err != nil {
		return nil
	}
	head := krm.FromNode(n)
	t, err := expansion.Compile(head, expansion.Ref(head))
	if err != nil {
		return nil
	}
	return t
}

// expanded is the identity of an object in one cluster, and whether the templates in it succeed.
func (s *summarizer) expanded(head *expansion.Template, id reports.Identity, cluster string) (reports.Identity, bool) {
	if s.inventory == nil {
		s.inventory, _ = workload.ReadInventory(s.given, true) // bind-resolve reports its faults
	}
	c, _ := s.inventory.Get(cluster)
	properties, err := expansion.Properties(cluster, c.Labels, c.Annotations, c.Data, c.BinaryData)
	if err != nil {
		return id, false
	}
	values, errs := head.Fill(s.allowance, cluster, properties)
	if len(errs) > 0 {
		return id, false
	}
	o := head.Build(values)
	id.Namespace, id.Name = o.Namespace(), o.Name()
	return id, true
}

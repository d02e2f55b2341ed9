package reports

import (
	"cmp"
	"fmt"
	"strings"
)

// Kind is a kind of object that reports.
type Kind string

// The kinds that report; the first one wins.
const (
	WorkStatus   Kind = "WorkStatus"
	ManifestWork Kind = "ManifestWork"
)

// OriginLabel names the workload space whose objects a report is about.
const OriginLabel = "transport.kubestellar.io/originWdsName"

// reader reads objects of one kind.
type reader struct {
	group string
	read  func(obj map[string]any) ([]sighting, []string, error)
}

var readers = map[Kind]reader{
	WorkStatus:   {"control.kubestellar.io", readWorkStatus},
	ManifestWork: {"work.open-cluster-management.io", readManifestWork},
}

// Reports reports whether Put accepts objects of a group and kind.
func Reports(group, kind string) bool {
	r, known := readers[Kind(kind)]
	return known && r.group == group
}

// Source names an object that reports.
type Source struct {
	Kind Kind
	// Namespace is the cluster it reports about.
	Namespace, Name string
}

// String is for messages: `WorkStatus "edge1/web"`.
func (s Source) String() string { return fmt.Sprintf("%s %q", s.Kind, s.Namespace+"/"+s.Name) }

// Compare orders sources: a WorkStatus before a ManifestWork, then by namespace and name, bytewise.
func (s Source) Compare(b Source) int {
	return cmp.Or(
		s.compareKinds(b),
		cmp.Compare(s.Namespace, b.Namespace), cmp.Compare(s.Name, b.Name),
	)
}

func (s Source) compareKinds(b Source) int { return -cmp.Compare(s.Kind, b.Kind) } // W is behind M

// sighting is what one source reports about one object.
type sighting struct {
	object Identity
	report Report
}

// SourceOf identifies obj as a source. The error says why it cannot report.
func SourceOf(obj map[string]any) (Source, error) {
	meta := child(obj, "metadata")
	group, _, _ := strings.Cut(text(obj, "apiVersion"), "/")
	s := Source{Kind(text(obj, "kind")), text(meta, "namespace"), text(meta, "name")}
	switch {
	case !Reports(group, string(s.Kind)):
		return s, fmt.Errorf("%s %q: only a WorkStatus or a ManifestWork reports status", text(obj, "apiVersion"), s.Kind)
	case s.Namespace == "":
		return s, fmt.Errorf("%s %q: metadata.namespace: missing; it names the cluster", s.Kind, s.Name)
	case s.Name == "":
		return s, fmt.Errorf("%s in namespace %q: metadata.name: missing", s.Kind, s.Namespace)
	}
	return s, nil
}

// Concerns reports whether obj is about objects of a workload space: it has its label, or none; "" stands for every space.
func Concerns(obj map[string]any, wds string) bool {
	origin, labelled := child(child(obj, "metadata"), "labels")[OriginLabel]
	return wds == "" || !labelled || origin == wds
}

// text is the string at a key of m; "" for none.
func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

// child is the map at a key of m; nil for none.
func child(m map[string]any, key string) map[string]any {
	c, _ := m[key].(map[string]any)
	return c
}

// list is the list at a key of m; nil for none.
func list(m map[string]any, key string) []any {
	l, _ := m[key].([]any)
	return l
}

package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Question names a cluster and, if wanted, an object and a field.
type Question struct {
	Cluster string
	// Kind is a kind, a kind and its group (deployment.apps), a plural, or a short name of kubectl's, in any case; "" asks about the cluster.
	Kind string
	// Namespace is "" for objects without one, and where it does not matter.
	Namespace, Name string
	// Field is the way to a field; nil asks about the object.
	Field Path
	// Fields asks about all fields of the object.
	Fields bool
}

// ParseQuestion reads CLUSTER[/KIND[.GROUP]/[NAMESPACE/]NAME[#FIELD]].
func ParseQuestion(text string) (q Question, err error) {
	object, field, asksField := strings.Cut(text, "#")
	parts := strings.Split(object, "/")
	if slices.Contains(parts, "") || len(parts) == 2 || len(parts) > 4 {
		return q, fmt.Errorf("%q: want CLUSTER, CLUSTER/KIND/NAMESPACE/NAME or, without a namespace, CLUSTER/KIND/NAME", text)
	}
	q.Cluster = parts[0]
	if len(parts) > 1 {
		q.Kind, q.Name = parts[1], parts[len(parts)-1]
	}
	if len(parts) == 4 {
		q.Namespace = parts[2]
	}
	if asksField {
		if q.Kind == "" {
			return q, fmt.Errorf("%q: a field is of an object; want CLUSTER/KIND/NAMESPACE/NAME#FIELD", text)
		}
		q.Field, err = ParsePath(field)
	}
	return q, err
}

func (q Question) explained() waybill.ExplainedQuestion {
	return waybill.ExplainedQuestion{Cluster: q.Cluster, Kind: q.Kind, Namespace: q.Namespace, Name: q.Name, Field: q.Field.String()}
}

// String is the question as it is asked, without a field.
func (q Question) String() string {
	parts := []string{q.Cluster, q.Kind, q.Namespace, q.Name}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "/")
}

// object is the object asked about as people write it.
func (q Question) object() string {
	if q.Namespace != "" {
		return q.Kind + " " + q.Namespace + "/" + q.Name
	}
	return q.Kind + " " + q.Name
}

// AmbiguousError says that a question means several objects.
type AmbiguousError struct {
	Question string
	Meant    []string // as questions, sorted
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q may mean %s; say which", e.Question, strings.Join(e.Meant, " or "))
}

package explain

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Question names a cluster and, if wanted, an object and a field.
type Question struct {
	Cluster string
	// Kind is a kind, a kind and its group (deployment.apps), a plural, or a short name of kubectl, in any case; "" asks
	// about the cluster.
	Kind string
	// Namespace is "" for objects without a namespace, and if it does not matter.
	Namespace, Name string
	// Field is the path to a field; nil asks about the object.
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

// String is the question as the user asks it, without a field.
func (q Question) String() string {
	parts := []string{q.Cluster, q.Kind, q.Namespace, q.Name}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "/")
}

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
	return fmt.Sprintf("%q may mean %s; choose one", e.Question, strings.Join(e.Meant, " or "))
}

func (s *Snapshot) file(name string) string { return path.Join(s.root, name) }

// policyOf is the policy that bind-resolve made a Binding of; "" for one that a person wrote.
func policyOf(b *krm.Object) string {
	if b.Annotation(fn.GeneratedBy) != binding.Name {
		return ""
	}
	origin := b.Annotation(fn.Origin)
	if !strings.HasPrefix(origin, control.Group+"/"+control.KindBindingPolicy+"/") {
		return ""
	}
	return origin[strings.LastIndexByte(origin, '/')+1:]
}

func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(names, " or ")
}

// means reports whether q means an object of that identity.
func (q *Question) means(id krm.ID, kinds *workload.Resources) bool {
	if q.Name != id.Name || q.Namespace != "" && q.Namespace != cmp.Or(id.Namespace, workload.DefaultNamespace) {
		return false
	}
	kind, group, grouped := strings.Cut(q.Kind, ".")
	if grouped && !strings.EqualFold(group, id.Group) {
		return false
	}
	return strings.EqualFold(kind, id.Kind) || shortNames[strings.ToLower(kind)] == (krm.ID{Group: id.Group, Kind: id.Kind}) ||
		kinds != nil && strings.EqualFold(kind, kinds.Lookup(id.Group, id.Kind).Plural)
}

// kinds knows the kinds of a package: as its policies do or, without policies, the built-in kinds.
func (p *renderedPackage) kinds() *workload.Resources {
	if len(p.binders) > 0 {
		return p.binders[0].Resources()
	}
	if p.resources == nil {
		p.resources, _ = workload.NewResources(p.Result.Items, nil)
	}
	return p.resources
}

// idOf is the identity of an object of the package, as an API server would have it.
func (p *renderedPackage) idOf(o *krm.Object) krm.ID {
	if workload.IsWorkload(o) {
		return p.kinds().ID(o)
	}
	return o.ID()
}

// shortNames are the short names of kubectl.
var shortNames = map[string]krm.ID{
	"cm": {Kind: "ConfigMap"}, "limits": {Kind: "LimitRange"}, "ns": {Kind: "Namespace"}, "po": {Kind: "Pod"},
	"pv": {Kind: "PersistentVolume"}, "pvc": {Kind: "PersistentVolumeClaim"}, "quota": {Kind: "ResourceQuota"},
	"sa": {Kind: "ServiceAccount"}, "svc": {Kind: "Service"},
	"deploy": {Group: "apps", Kind: "Deployment"}, "ds": {Group: "apps", Kind: "DaemonSet"},
	"rs": {Group: "apps", Kind: "ReplicaSet"}, "sts": {Group: "apps", Kind: "StatefulSet"},
	"cj": {Group: "batch", Kind: "CronJob"}, "hpa": {Group: "autoscaling", Kind: "HorizontalPodAutoscaler"},
	"pdb": {Group: "policy", Kind: "PodDisruptionBudget"},
	"ing": {Group: "networking.k8s.io", Kind: "Ingress"}, "netpol": {Group: "networking.k8s.io", Kind: "NetworkPolicy"},
	"crd": {Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}, "sc": {Group: "storage.k8s.io", Kind: "StorageClass"},
}

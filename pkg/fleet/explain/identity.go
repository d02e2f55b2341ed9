package explain

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

func (w *Snapshot) file(name string) string { return path.Join(w.root, name) }

func preview(id krm.ID) waybill.PreviewObject {
	return waybill.PreviewObject{Group: id.Group, Kind: id.Kind, Namespace: id.Namespace, Name: id.Name}
}

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

// count is a number of things: of many, with an s.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, what)
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
	return strings.EqualFold(kind, id.Kind) || isShort(kind, id) ||
		kinds != nil && strings.EqualFold(kind, kinds.Lookup(id.Group, id.Kind).Plural)
}

// kinds knows the kinds of a package: as its policies do or, without any, by what is built in.
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
	id := o.ID()
	if workload.IsWorkload(o) {
		id.Namespace = p.kinds().NamespaceOf(o)
	}
	return id
}

func title(id krm.ID) string {
	name := id.Name
	if id.Namespace != "" {
		name = id.Namespace + "/" + name
	}
	return id.Kind + " " + name
}

// shortNames are what kubectl calls kinds, by the kind and its group.
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

// isShort reports whether kind is a short name of what id is.
func isShort(kind string, id krm.ID) bool {
	short, known := shortNames[strings.ToLower(kind)]
	return known && short.Kind == id.Kind && short.Group == id.Group
}

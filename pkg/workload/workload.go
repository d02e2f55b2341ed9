package workload

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// PropertyNamespace is the namespace of the ConfigMaps with properties of clusters, one for
// each cluster, with its name.
const PropertyNamespace = "customization-properties"

// packageContext is the name of the ConfigMap with the context of a package.
const packageContext = "kptfile.kpt.dev"

// notShipped are the API groups of packages, of functions and of fleet management.
var notShipped = map[string]bool{
	"kpt.dev":                            true,
	"fn.waybill.dev":                     true,
	"waybill.dev":                        true,
	"config.porch.kpt.dev":               true,
	"cluster.open-cluster-management.io": true,
	"work.open-cluster-management.io":    true,
}

// IsWorkload reports whether o is for clusters, as far as the object alone tells: it has a
// kind and a name, no function generated it, it is not local configuration and not about packages or
// the fleet. Resources.Selectable reports whether policies can select its type.
func IsWorkload(o *krm.Object) bool { return o.Name() != "" && isForClusters(o) }

// IsNameless reports whether o would be workload, but has no name: it has a generateName, or it is a list
// of objects.
func IsNameless(o *krm.Object) bool {
	return o.Name() == "" && isForClusters(o) && (o.String("metadata", "generateName") != "" || IsList(o))
}

// IsList reports whether o is a list of objects.
func IsList(o *krm.Object) bool {
	if !strings.HasSuffix(o.Kind(), "List") {
		return false
	}
	items := o.Lookup("items")
	return items != nil && items.Kind == yaml.SequenceNode
}

func isForClusters(o *krm.Object) bool {
	switch {
	case o.APIVersion() == "" || o.Kind() == "":
		return false
	case o.Kind() == "Kptfile" || notShipped[o.Group()]:
		return false
	case fn.IsGenerated(o) || o.IsLocalConfig():
		return false
	case o.Is("", "ConfigMap"):
		return o.Name() != packageContext && o.Namespace() != PropertyNamespace
	}
	return true
}

// isProperties reports whether o holds the properties of a cluster.
func isProperties(o *krm.Object) bool {
	return o.Is("", "ConfigMap") && o.Namespace() == PropertyNamespace
}

package midonet

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/validation"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// The kinds that can be converted, by their names in options.
const (
	ConvertNodes     = "node"
	ConvertPods      = "pod"
	ConvertServices  = "service"
	ConvertEndpoints = "endpoints"
)

// The namespaces of the Translations of cluster-scoped owners, and of those without an owner.
const (
	defaultNamespace = "default"
	globalNamespace  = "kube-system"
)

// Options are what Translations depend on besides objects. Every change of tenant or version changes the ids of all
// resources.
type Options struct {
	// Tenant owns the resources in the backend. It must not be empty.
	Tenant string
	// Version is a part of every Translation's name and of every id: lower-case letters and digits. Another version is a new
	// set of Translations.
	Version string
	// Converters are the kinds to convert. Other kinds are ignored; nil converts none.
	Converters []string
	// Namespace is that of namespaced objects without one.
	Namespace string
}

// Defaults are the options of midonet-kubernetes: its tenant, its version, and every converter.
func Defaults() Options {
	return Options{
		Tenant: "midonetkube", Version: "4", Namespace: defaultNamespace,
		Converters: []string{ConvertNodes, ConvertPods, ConvertServices, ConvertEndpoints},
	}
}

var versionPattern = lazyregexp.New(`^[a-z0-9]{1,32}$`)

// Validate returns the first fault, with the name of the option.
func (o *Options) Validate() error {
	switch {
	case o.Tenant == "" || !utf8.ValidString(o.Tenant):
		return fmt.Errorf("tenant: %q: name the tenant of the backend, in UTF-8", o.Tenant)
	case !versionPattern.MatchString(o.Version):
		return fmt.Errorf("version: %q: want 1 to 32 lower-case letters and digits, such as %q", o.Version, Defaults().Version)
	case len(validation.ValidateNamespaceName(o.Namespace, false)) > 0:
		return fmt.Errorf("namespace: %q: want the name of a namespace, such as %q", o.Namespace, defaultNamespace)
	}
	for _, name := range o.Converters {
		if all := Defaults().Converters; !slices.Contains(all, name) {
			return fmt.Errorf("converters: %q: there are %s", name, strings.Join(all, ", "))
		}
	}
	return nil
}

package publishedresource

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Workspace is a cluster of the source, where consumers are.
type Workspace struct {
	// Name is a DNS label. It must not change, because it identifies copies.
	Name string
	// Config connects to it.
	Config *rest.Config
}

// path is the path of a workspace of kcp, from its address: ".../clusters/root:org:team".
func (w Workspace) path() string {
	_, name, found := strings.Cut(w.Config.Host, "/clusters/")
	if name, _, _ = strings.Cut(name, "/"); found && strings.Contains(name, ":") {
		return name
	}
	return ""
}

// Options say how PublishedResources are reconciled. A zero field has the default that its comment names.
type Options struct {
	// Workspaces are the clusters of the source, one or more.
	Workspaces []Workspace
	// Agent is the spec.agentName of the PublishedResources that are reconciled: "", those that have none.
	Agent string
	// StateNamespace is the namespace of the Secrets with what was last applied: DefaultStateNamespace.
	StateNamespace string
	// SystemNamespaces are more namespaces in which a consumer cannot cause reads or writes, besides StateNamespace and those
	// that every cluster has: for example, the one in which the controller runs.
	SystemNamespaces []string
	// Parallel is how many primaries of a PublishedResource are reconciled at a time: 4.
	Parallel int
	// Interval is the time between two passes over everything: 10m.
	Interval time.Duration
	// MinInterval is the least time between two passes of one PublishedResource: 100ms.
	MinInterval time.Duration
	// FirstRetry and LastRetry bound the pauses between two attempts after a failure, and between two checks for a type that
	// is not served, which are 30s at most: 1s and 5m.
	FirstRetry, LastRetry time.Duration
	// Log gets events and errors. The zero Logger drops them.
	Log logr.Logger
}

// DefaultStateNamespace is the namespace that the manifests create.
const DefaultStateNamespace = "waybill-sync"

func (o Options) withDefaults() Options {
	o.StateNamespace = cmp.Or(o.StateNamespace, DefaultStateNamespace)
	o.Parallel = cmp.Or(o.Parallel, 4)
	o.Interval = cmp.Or(o.Interval, 10*time.Minute)
	o.MinInterval = cmp.Or(o.MinInterval, 100*time.Millisecond)
	o.FirstRetry = cmp.Or(o.FirstRetry, time.Second)
	o.LastRetry = cmp.Or(o.LastRetry, 5*time.Minute)
	if o.Log.GetSink() == nil {
		o.Log = logr.Discard()
	}
	return o
}

// Check reports what is wrong with the options. It sends no request.
func (o Options) Check() error {
	o = o.withDefaults()
	if len(o.Workspaces) == 0 {
		return errors.New("want at least one workspace")
	}
	seen := sets.Set[string]{}
	for _, w := range o.Workspaces {
		switch faults := validation.IsDNS1123Label(w.Name); {
		case len(faults) > 0:
			return fmt.Errorf("workspace %q: namespaces and labels contain its name, so it must be a DNS label; rename it: %s", w.Name, faults[0])
		case seen.Has(w.Name):
			return fmt.Errorf("workspace %q is named twice", w.Name)
		case w.Config == nil:
			return fmt.Errorf("workspace %q: it has no client configuration", w.Name)
		}
		seen.Insert(w.Name)
	}
	if o.Agent != "" && len(validation.IsDNS1035Label(o.Agent)) > 0 {
		return fmt.Errorf("agent %q: want a DNS label that begins with a letter", o.Agent)
	}
	if faults := validation.IsDNS1123Label(o.StateNamespace); len(faults) > 0 {
		return fmt.Errorf("state namespace %q: %s", o.StateNamespace, faults[0])
	}
	if o.Parallel < 1 || o.Interval < 0 || o.MinInterval < 0 || o.FirstRetry < 0 || o.LastRetry < o.FirstRetry {
		return errors.New("want at least one primary at a time, no negative times, and a last pause no shorter than the first")
	}
	return nil
}

// pollInterval is the longest pause between two checks for a type that is not served.
func (o Options) pollInterval() time.Duration { return min(30*time.Second, o.LastRetry) }

// Workspaces are the contexts of a kubeconfig, all or those named, by name. An error says which is at fault and
// holds no credentials.
func Workspaces(file string, contexts []string) ([]Workspace, error) {
	config, err := clientcmd.LoadFromFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the kubeconfig of the source: %w", err)
	}
	if err := clientcmd.ResolveLocalPaths(config); err != nil {
		return nil, fmt.Errorf("read the kubeconfig of the source, %s: %w", file, err)
	}
	all := sets.KeySet(config.Contexts)
	names := sets.New(contexts...)
	if len(names) == 0 {
		names = all
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("the kubeconfig of the source, %s, has no contexts", file)
	}
	var out []Workspace
	for _, name := range sets.List(names) {
		cfg, err := clientcmd.NewNonInteractiveClientConfig(*config, name, &clientcmd.ConfigOverrides{}, nil).ClientConfig()
		if !all.Has(name) {
			err = fmt.Errorf("there is none; want one of %q", sets.List(all))
		}
		if err != nil {
			return nil, fmt.Errorf("the kubeconfig of the source, %s: context %q: %w", file, name, err)
		}
		out = append(out, Workspace{Name: name, Config: cfg})
	}
	return out, nil
}

package publishedresource

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
)

// Options say how PublishedResources are reconciled. A zero field has the default that its comment names.
type Options struct {
	// Workspaces are the clusters of the source, one or more.
	Workspaces []Workspace
	// Changed returns other Workspaces if they have changed since the last call, and else nil; ReloadInterval is the time
	// between two calls: 10s. The controller starts anew with them. A nil Changed: they never change.
	Changed        func() ([]Workspace, error)
	ReloadInterval time.Duration
	// Agent is the spec.agentName of the PublishedResources that are reconciled: "", those that have none.
	Agent string
	// Selector selects the PublishedResources that are reconciled by their labels; nil: all.
	Selector labels.Selector
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
	o.ReloadInterval = cmp.Or(o.ReloadInterval, 10*time.Second)
	if o.Selector == nil {
		o.Selector = labels.Everything()
	}
	o.MinInterval = cmp.Or(o.MinInterval, 100*time.Millisecond)
	o.FirstRetry = cmp.Or(o.FirstRetry, time.Second)
	o.LastRetry = cmp.Or(o.LastRetry, 5*time.Minute)
	return o
}

// Check reports what is wrong with the options. It sends no request.
func (o Options) Check() error {
	o = o.withDefaults()
	if err := checkWorkspaces(o.Workspaces); err != nil {
		return err
	}
	if o.Agent != "" && len(validation.IsDNS1035Label(o.Agent)) > 0 {
		return fmt.Errorf("agent %q: want a DNS label that begins with a letter", o.Agent)
	}
	if faults := validation.IsDNS1123Label(o.StateNamespace); len(faults) > 0 {
		return fmt.Errorf("state namespace %q: %s", o.StateNamespace, faults[0])
	}
	if o.Parallel < 1 || o.Interval < 0 || o.MinInterval < 0 || o.ReloadInterval < 0 || o.FirstRetry < 0 || o.LastRetry < o.FirstRetry {
		return errors.New("want at least one primary at a time, no negative times, and a last pause no shorter than the first")
	}
	return nil
}

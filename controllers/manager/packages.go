package manager

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// required are the kinds that the controllers of packages cannot do without.
var required = []schema.GroupVersionKind{
	porchconfig.GroupVersion.WithKind("Repository"),
	porchconfig.GroupVersion.WithKind("PackageVariant"),
	v1alpha2.GroupVersion.WithKind("PackageVariantSet"),
	waybill.GroupVersion.WithKind("ChangeBudget"),
}

// unknown are the required kinds that the API server does not know, as text. An error says that it does not answer.
func unknown(mapper meta.RESTMapper) (text string, err error) {
	var kinds []string
	for _, kind := range required {
		switch _, err := mapper.RESTMapping(kind.GroupKind(), kind.Version); {
		case meta.IsNoMatchError(err):
			kinds = append(kinds, kind.Kind+"."+kind.Version+"."+kind.Group)
		case err != nil:
			return "", err
		}
	}
	return strings.Join(kinds, ", "), nil
}

const applyDefinitions = "apply the CustomResourceDefinitions of controllers/manifests/crds first"

// explain adds to an error with which the controllers ended which kinds the API server does not know, if that is why.
func explain(err error, mapper meta.RESTMapper) error {
	if kinds, failed := unknown(mapper); failed == nil && kinds != "" {
		return fmt.Errorf("the API server does not know %s: %s (%w)", kinds, applyDefinitions, err)
	}
	return err
}

// hasOthers reports whether the options request other controllers, and none of them needs a Repository.
func (o Options) hasOthers() bool {
	if o.CombinedStatus != nil && o.CombinedStatus.Branch != nil {
		return false
	}
	return o.CombinedStatus != nil || o.Translation != nil || o.MapController != nil || o.PublishedResource != nil
}

// addPackages adds the controllers of packages by add. Beside others, which can do without their kinds, it adds them only once
// the API server knows these kinds.
func addPackages(m manager.Manager, o Options, add func() error) error {
	if !o.hasOthers() {
		return add()
	}
	soon := rest.CopyConfig(m.GetConfig())
	soon.Timeout = 5 * time.Second
	server, err := live.Connect("", soon, nil)
	if err != nil {
		return err
	}
	switch kinds, err := unknown(server.Mapper()); {
	case err != nil:
		o.Log.Info("PackageVariants are not reconciled before the API server answers", "reason", live.OneLine(err.Error()))
	case kinds == "":
		return add()
	default:
		o.Log.Info("PackageVariants are not reconciled: the API server does not know all kinds; "+applyDefinitions, "unknown", kinds)
	}
	return m.Add(&waitingPackages{manager: m, options: o, add: add})
}

// waitingPackages adds the controllers of packages later. It runs in processes that do not lead, too, as controllers fill
// their caches there.
type waitingPackages struct {
	manager manager.Manager
	options Options
	add     func() error
}

// NeedLeaderElection implements manager.LeaderElectionRunnable.
func (*waitingPackages) NeedLeaderElection() bool { return false }

// Start waits until the API server knows the kinds, or ctx ends.
func (w *waitingPackages) Start(ctx context.Context) error {
	check := time.NewTicker(min(30*time.Second, w.options.LastRetry))
	defer check.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-check.C:
		}
		if kinds, err := unknown(w.manager.GetRESTMapper()); err == nil && kinds == "" {
			w.options.Log.Info("PackageVariants are reconciled from now on: the API server knows all kinds")
			return w.add()
		}
	}
}

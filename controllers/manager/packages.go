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

// required are the kinds that the controllers of packages cannot do without, and the files that define them. Porch has all but the last
// one, and its definitions serve as well.
var required = []struct {
	schema.GroupVersionKind
	file string
}{
	{porchconfig.GroupVersion.WithKind("Repository"), "config.porch.kpt.dev_repositories.yaml"},
	{porchconfig.GroupVersion.WithKind("PackageVariant"), "config.porch.kpt.dev_packagevariants.yaml"},
	{v1alpha2.GroupVersion.WithKind("PackageVariantSet"), "config.porch.kpt.dev_packagevariantsets.yaml"},
	{waybill.GroupVersion.WithKind("ChangeBudget"), "waybill.dev_changebudgets.yaml"},
}

// unknown are the required kinds that the API server does not know, as text, and what to do about them. An error says that it does
// not answer.
func unknown(mapper meta.RESTMapper) (kinds, advice string, err error) {
	var names, files []string
	for _, k := range required {
		switch _, err := mapper.RESTMapping(k.GroupKind(), k.Version); {
		case meta.IsNoMatchError(err):
			names, files = append(names, k.Kind+"."+k.Version+"."+k.Group), append(files, k.file)
		case err != nil:
			return "", "", err
		}
	}
	advice = "apply the CustomResourceDefinitions of controllers/manifests/crds first"
	if len(names) < len(required) {
		advice = fmt.Sprintf("apply %s of controllers/manifests/crds; the definitions that are there, such as Porch's, serve and can stay",
			strings.Join(files, " and "))
	}
	return strings.Join(names, ", "), advice, nil
}

// explain adds to an error with which the controllers ended which kinds the API server does not know, if that is why.
func explain(err error, mapper meta.RESTMapper) error {
	if kinds, advice, failed := unknown(mapper); failed == nil && kinds != "" {
		return fmt.Errorf("the API server does not know %s: %s (%w)", kinds, advice, err)
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

// addPackages adds the controllers of packages by add. Where the API server lacks their kinds, that is an error; beside others, which
// can do without these kinds, it adds them once the API server knows them.
func addPackages(m manager.Manager, o Options, add func() error) error {
	soon := rest.CopyConfig(m.GetConfig())
	soon.Timeout = 5 * time.Second
	server, err := live.Connect("", soon, nil)
	if err != nil {
		return err
	}
	switch kinds, advice, err := unknown(server.Mapper()); {
	case kinds == "" && (err == nil || !o.hasOthers()):
		return add()
	case err != nil:
		o.Log.Info("PackageVariants are not reconciled before the API server answers", "reason", live.OneLine(err.Error()))
	case !o.hasOthers():
		return fmt.Errorf("the API server does not know %s: %s", kinds, advice)
	default:
		o.Log.Info("PackageVariants are not reconciled: the API server does not know all kinds; "+advice, "unknown", kinds)
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
	check := time.NewTicker(live.PollInterval(w.options.LastRetry))
	defer check.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-check.C:
		}
		if kinds, _, err := unknown(w.manager.GetRESTMapper()); err == nil && kinds == "" {
			w.options.Log.Info("PackageVariants are reconciled from now on: the API server knows all kinds")
			return w.add()
		}
	}
}

package combinedstatus

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/waybill-dev/waybill/controllers/combinedstatus/branch"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/status/combine"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// BranchOptions say how results are kept on a branch of a repository instead of in an API server.
type BranchOptions struct {
	// Namespace and Name are those of the Repository object.
	Namespace, Name string
	// Keep says what is kept where. Its Survey is that of Options.Engine, and its Now that of Options.
	Keep branch.Options
	// Interval is the least time between two commits, and that between two looks at the package: 1m.
	Interval time.Duration
}

// AddBranch puts the controller into a manager, whose API server is the hub, that keeps results on a branch.
func AddBranch(m ctrlmanager.Manager, in branch.Repository, o Options) error {
	o = o.withDefaults()
	counts, err := newMeters(metrics.Registry)
	if err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	hub, err := connectBy("hub", m.GetConfig(), m.GetHTTPClient())
	if err != nil {
		return fmt.Errorf("connect to the hub: %w", err)
	}
	keep := o.Branch.Keep
	keep.Now = o.Now
	keep.Survey = combine.Options{WDSName: o.Engine.WDS, NullAsNull: o.Engine.Evaluation.NullAsNull}
	return m.Add(&inBranch{options: o, keep: keep, meters: counts, hub: hub, repository: in})
}

// inBranch is a controller that starts from nothing whenever it is started.
type inBranch struct {
	options    Options
	keep       branch.Options
	meters     *meters
	hub        *server
	repository branch.Repository
}

// Start works until ctx ends.
func (c *inBranch) Start(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	k := &keeping{
		Keeper: branch.New(c.repository, c.keep), meters: c.meters, log: c.options.Log,
		answers: map[reports.Kind]answer{}, whole: make(chan struct{}),
	}
	for kind, resource := range map[reports.Kind]schema.GroupVersionResource{reports.WorkStatus: workStatuses,
		reports.ManifestWork: manifestWorks} {
		all.Go(func() { newFollower(c.hub, resource, &reporter{k, kind}, c.options).Run(ctx) })
	}
	k.run(ctx, cmp.Or(c.options.Branch.Interval, time.Minute))
	return nil
}

// keeping is a Keeper at work.
type keeping struct {
	*branch.Keeper
	meters *meters
	log    logr.Logger
	told   string // what was last logged to be wrong

	mu      sync.Mutex
	answers map[reports.Kind]answer
	whole   chan struct{} // closed when all reports that there are have been told of
}

// run makes passes until ctx ends, from when all reports are known.
func (k *keeping) run(ctx context.Context, interval time.Duration) {
	select {
	case <-k.whole:
	case <-ctx.Done():
		return
	}
	for {
		began := time.Now()
		k.pass(ctx)
		k.meters.passes.Observe(time.Since(began).Seconds())
		select {
		case <-time.After(interval - time.Since(began)):
		case <-ctx.Done():
			return
		}
	}
}

// pass makes a pass. That which is wrong is logged when it is not what was wrong before.
func (k *keeping) pass(ctx context.Context) {
	k.meters.reports.Set(float64(k.Reports()))
	if !k.reporting() {
		return
	}
	out, err := k.Pass(ctx)
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		k.meters.committed("error")
		k.tell("results cannot be kept; it is tried again", err.Error())
		return
	case out.Failed:
		k.tell("results stay as they were; the package has to be mended", fn.FormatResult(out.Results[0]))
	case out.Grown:
		k.tell("the branch grows on", "it holds more than is to be kept, and cannot begin anew: others committed to it, or the server refuses")
	default:
		k.told = ""
	}
	if !out.Commit.IsZero() {
		k.meters.committed("success")
		k.log.Info("results committed", "commit", out.Commit.String())
	}
}

func (k *keeping) tell(what, why string) {
	if now := what + why; now != k.told {
		k.log.Info(what, "reason", why)
		k.told = now
	}
}

// reporting reports whether the hub has something that reports, and all is known that it has.
func (k *keeping) reporting() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.answers[reports.WorkStatus] == present || k.answers[reports.ManifestWork] == present
}

// reporter listens to one kind that reports.
type reporter struct {
	*keeping
	kind reports.Kind
}

func (r *reporter) put(obj *unstructured.Unstructured) {
	if err := r.Put(reports.Source{Kind: r.kind, Namespace: obj.GetNamespace(), Name: obj.GetName()}, obj.Object); err != nil {
		r.log.Error(err, "a report is left out")
	}
}

func (r *reporter) drop(namespace, name string) {
	r.Delete(reports.Source{Kind: r.kind, Namespace: namespace, Name: name})
}

func (r *reporter) served(kind string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers[r.kind] = present
	if kind == "" {
		r.answers[r.kind] = absent
	}
	if len(r.answers) == 2 {
		select {
		case <-r.whole:
		default:
			close(r.whole)
		}
	}
}

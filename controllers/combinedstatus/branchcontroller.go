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

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/fleet/statusbranch"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/status/combine"
	"github.com/waybill-dev/waybill/pkg/status/plan"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// BranchOptions commit results to a branch of a repository instead of writing them to an API server.
type BranchOptions struct {
	// Namespace and Name name the Repository object.
	Namespace, Name string
	// Publish configures the branch. Its Combine follows from Options.Engine, and its Now is that of Options.
	Publish statusbranch.Options
	// Interval is the least time between two commits, and the interval at which the package is read: 1m.
	Interval time.Duration
}

// AddBranch adds the controller that commits results to a branch; the API server of the manager is the hub.
func AddBranch(m ctrlmanager.Manager, in statusbranch.Repository, o Options) error {
	if err := registerMetrics(); err != nil {
		return err
	}
	o = o.withDefaults()
	hub, err := connect("hub", m.GetConfig())
	if err != nil {
		return fmt.Errorf("connect to the hub: %w", err)
	}
	publish := o.Branch.Publish
	publish.Now = o.Now
	publish.Combine = combine.Options{WDSName: o.Engine.WDS, NullAsNull: o.Engine.Evaluation.NullAsNull}
	return m.Add(ctrlmanager.RunnableFunc(func(ctx context.Context) error { // without state every time
		r := &branchReconciler{
			publisher: statusbranch.New(in, publish), log: o.Log, served: map[reports.Kind]bool{}, synced: make(chan struct{}),
		}
		var all sync.WaitGroup
		defer all.Wait()
		for kind, resource := range map[reports.Kind]schema.GroupVersionResource{reports.WorkStatus: workStatuses,
			reports.ManifestWork: manifestWorks} {
			all.Go(func() { newWatcher(hub, resource, &reportHandler{r, kind}, o).Run(ctx) })
		}
		r.run(ctx, cmp.Or(o.Branch.Interval, time.Minute))
		return nil
	}))
}

// branchReconciler publishes results again and again.
type branchReconciler struct {
	publisher *statusbranch.Publisher
	log       logr.Logger
	logged    string // the last problem

	mu     sync.Mutex
	served map[reports.Kind]bool // absent: not known yet
	synced chan struct{}         // closed when all reports are known
}

// run waits until all reports are known, and reconciles until ctx ends.
func (r *branchReconciler) run(ctx context.Context, interval time.Duration) {
	select {
	case <-r.synced:
	case <-ctx.Done():
		return
	}
	for {
		began := time.Now()
		r.reconcile(ctx)
		passSeconds.Observe(time.Since(began).Seconds())
		if !live.Sleep(ctx, interval-time.Since(began)) {
			return
		}
	}
}

// reconcile publishes the results. It logs a problem unless it is the same as the last time.
func (r *branchReconciler) reconcile(ctx context.Context) {
	reportCount.Set(float64(r.publisher.Reports()))
	if !r.hasReports() {
		return
	}
	out, err := r.publisher.Publish(ctx)
	if ctx.Err() != nil {
		return
	}
	if err != nil || !out.Commit.IsZero() {
		countWrite("commit", plan.Create, err)
	}
	switch {
	case err != nil:
		r.logProblem("the results cannot be committed; the controller retries", err.Error())
		return
	case out.Failed:
		r.logProblem("the results stay as they were until the package is corrected", fn.FormatResult(out.Results[0]))
	case out.OverLimit:
		r.logProblem("the branch exceeds its limits",
			"it cannot restart: another client committed to it, or the server refuses")
	default:
		r.logged = ""
	}
	if !out.Commit.IsZero() {
		r.log.Info("results committed", "commit", out.Commit.String())
	}
}

func (r *branchReconciler) logProblem(what, why string) {
	if text := what + why; text != r.logged {
		r.log.Info(what, "reason", why)
		r.logged = text
	}
}

// hasReports reports whether the hub serves a kind that reports.
func (r *branchReconciler) hasReports() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.served[reports.WorkStatus] || r.served[reports.ManifestWork]
}

// reportHandler is a live.WatchHandler that puts the objects of one kind into the publisher.
type reportHandler struct {
	reconciler *branchReconciler
	kind       reports.Kind
}

// Put implements live.WatchHandler.
func (h *reportHandler) Put(obj *unstructured.Unstructured) {
	source := reports.Source{Kind: h.kind, Namespace: obj.GetNamespace(), Name: obj.GetName()}
	if err := h.reconciler.publisher.Put(source, obj.Object); err != nil {
		h.reconciler.log.Error(err, "a report is left out")
	}
}

// Delete implements live.WatchHandler.
func (h *reportHandler) Delete(namespace, name string) {
	h.reconciler.publisher.Delete(reports.Source{Kind: h.kind, Namespace: namespace, Name: name})
}

// Synced implements live.WatchHandler.
func (h *reportHandler) Synced(kind, _ string) {
	r := h.reconciler
	r.mu.Lock()
	defer r.mu.Unlock()
	_, known := r.served[h.kind]
	r.served[h.kind] = kind != ""
	if !known && len(r.served) == 2 {
		close(r.synced)
	}
}

// Failed implements live.WatchHandler. The watcher logs the error, and the known reports stay.
func (h *reportHandler) Failed(error) {}

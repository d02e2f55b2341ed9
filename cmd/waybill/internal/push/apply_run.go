package push

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	backendinventory "github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// applyRun makes and applies one plan.
type applyRun struct {
	stderr        io.Writer
	backend, path string // the backend's name, and the path of the inventory
	client        *httpclient.Client
	plan          planner
	dryRun        bool
	urlMoved      bool
}

// do makes the plan and applies it. It returns a report if it got as far as a plan.
func (w *applyRun) do(ctx context.Context) (report *Report, err error) {
	store, closeStore, err := w.open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeStore()) }()
	inventory, err := store.Load(ctx)
	if err != nil {
		return nil, err
	}
	plan, err := w.plan(inventory)
	if err != nil {
		return nil, err
	}
	observe, end := newProgress(w.stderr, len(plan.Spec.Operations))
	result, err := apply.Run(ctx, w.client, plan, store, apply.Options{Observe: observe, URLMoved: w.urlMoved})
	end()
	var moved *apply.MovedError
	if errors.As(err, &moved) {
		return nil, fmt.Errorf("%w: for another backend use another --inventory; if the URL of the backend changed, use --url-moved", err)
	}
	return newReport(plan, result, w.dryRun), err
}

// open opens the inventory; in a dry run, a copy of it.
func (w *applyRun) open() (store backendinventory.Store, closeStore func() error, err error) {
	if w.dryRun {
		i, err := readInventory(w.stderr, w.path, w.backend)
		if err != nil {
			return nil, nil, err
		}
		return backendinventory.NewMemoryStore(i), func() error { return nil }, nil
	}
	if err := printIfMissing(w.stderr, w.path, "apply creates it"); err != nil {
		return nil, nil, err
	}
	s, err := backendinventory.OpenFile(w.path, w.backend)
	if err != nil {
		return nil, nil, err
	}
	return s, s.Close, nil
}

// planLimits allow plans of some hundred thousand operations.
var planLimits = krm.Limits{Bytes: 256 << 20, Nodes: 20_000_000}

// readPlan reads one BackendPlan.
func readPlan(file string, stdin io.Reader) (*waybillapi.BackendPlan, error) {
	name, in := "stdin", stdin
	if file != "-" {
		f, err := os.Open(file) // #nosec G304 -- the file that the user names
		if err != nil {
			return nil, err
		}
		defer f.Close()
		name, in = file, f
	}
	data, err := io.ReadAll(io.LimitReader(in, int64(planLimits.Bytes)+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	objects, err := krm.Read(name, data, planLimits)
	if err != nil {
		return nil, err
	}
	if len(objects) != 1 {
		return nil, fmt.Errorf("%s: want one %s, got %d objects", name, waybillapi.KindBackendPlan, len(objects))
	}
	return waybillapi.ReadBackendPlan(objects[0])
}

// newProgress shows the latest operation; end erases it.
func newProgress(stderr io.Writer, total int) (observe func(apply.Outcome), end func()) {
	p := cli.NewProgress(stderr)
	line := progressLines(total)
	return func(o apply.Outcome) { p.Show(line(o)) }, p.Done
}

// progressLines returns a function that counts operations and describes the latest.
func progressLines(total int) func(apply.Outcome) string {
	done := 0
	return func(o apply.Outcome) string {
		line := fmt.Sprintf("%s %s %s", o.Operation.Op, o.Operation.Kind, o.Operation.ID)
		if o.Failure == nil {
			done++
		} else {
			line += ": " + o.Failure.Message
		}
		return fmt.Sprintf("[%d/%d] %s", done, total, line)
	}
}

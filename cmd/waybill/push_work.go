package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// pushWork is one plan to be made and carried out.
type pushWork struct {
	talk          io.Writer
	backend, path string // its name, and where the inventory is
	client        *httpclient.Client
	plan          planner
	dryRun        bool
	urlMoved      bool
}

// do plans on the inventory and carries the plan out. There is a report if it came to a plan.
func (w *pushWork) do(ctx context.Context) (report *pushReport, err error) {
	store, err := w.open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.close()) }()
	inventory, err := store.Load(ctx)
	if err != nil {
		return nil, err
	}
	plan, err := w.plan(inventory)
	if err != nil {
		return nil, err
	}
	observe, end := pushProgress(w.talk, len(plan.Spec.Operations))
	result, err := apply.Run(ctx, w.client, plan, store, apply.Options{Observe: observe, URLMoved: w.urlMoved})
	end()
	var moved *apply.MovedError
	if errors.As(err, &moved) {
		return nil, fmt.Errorf("%w: for another backend say --inventory; if this one has moved, say --url-moved", err)
	}
	return newPushReport(plan, result, w.dryRun), err
}

// inventoryStore is a store and how to be done with it.
type inventoryStore struct {
	inventory.Store
	close func() error
}

// open opens the inventory, or for a dry run a copy of it.
func (w *pushWork) open() (inventoryStore, error) {
	if w.dryRun {
		i, err := lookUp(w.talk, w.path, w.backend)
		if err != nil {
			return inventoryStore{}, err
		}
		return inventoryStore{inventory.NewMemoryStore(i), func() error { return nil }}, nil
	}
	if err := tellOfNone(w.talk, w.path, "it is begun now"); err != nil {
		return inventoryStore{}, err
	}
	s, err := inventory.OpenFile(w.path, w.backend)
	if err != nil {
		return inventoryStore{}, err
	}
	return inventoryStore{s, s.Close}, nil
}

// planLimits let in a plan of some hundred thousand operations.
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

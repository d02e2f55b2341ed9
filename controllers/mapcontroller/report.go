package mapcontroller

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	mapping "github.com/waybill-dev/waybill/pkg/mapcontroller"
)

// report writes the status of parents, and removes the finalizer from those that are finalized.
func (p *pass) report(ctx context.Context) {
	p.memory.related = p.relatedTypes()
	if p.batch.All {
		p.statusOwners.release(p.worker.name, func(of parentKey) bool {
			return of.resource == p.prepared.parent && p.selected[of.key] && p.writesStatus()
		})
	}
	for i := range p.result.Parents {
		parent := &p.result.Parents[i]
		if ctx.Err() != nil {
			return
		}
		if parent.Held {
			continue
		}
		err := p.reportOne(ctx, parent)
		switch {
		case errors.Is(err, live.ErrConflict):
			p.conflicted = true
		case err != nil && p.memory.failing[parent.Key] == "":
			p.memory.failing[parent.Key] = live.OneLine(fmt.Sprintf("map(%s): %v", parent.Key, err))
		}
	}
}

func (p *pass) reportOne(ctx context.Context, parent *mapping.Parent) error {
	if parent.Finalizing {
		if !parent.Finalized || !allDone(p.attemptsOf[parent.Key]) {
			return nil
		}
		if err := p.setFinalizer(ctx, p.caches[p.prepared.parent], parent.Object, p.prepared.Finalizer(), false); err != nil {
			return fmt.Errorf("remove the finalizer: %w", p.redact(err))
		}
		return nil
	}
	if live.IsDeleting(parent.Object) || !p.writesStatus() {
		return nil
	}
	if !p.statusOwners.claim(p.prepared.parent, parent.Key, p.worker.name, p.queue.AddAll) {
		return nil // another MapController writes it; two would overwrite each other without end
	}
	if err := p.writeStatus(ctx, parent); err != nil {
		return fmt.Errorf("write its status: %w", err)
	}
	return nil
}

// writesStatus reports whether the controller writes the status of parents.
func (p *pass) writesStatus() bool {
	return p.prepared.Spec().StatusMode != waybill.StatusReport && p.prepared.hasStatus
}

// allDone reports whether all operations of a parent are done. A recreation is not: it only deleted the object.
func allDone(attempts []applyset.Attempt) bool {
	return !slices.ContainsFunc(attempts, func(a applyset.Attempt) bool {
		return a.Err != nil || a.Skipped || a.Operation.Action == applyset.ActionRecreate
	})
}

// relatedTypes are the types that customize hooks selected from in this pass, and in earlier ones unless this pass called
// the hooks of all parents.
func (p *pass) relatedTypes() map[live.Resource]bool {
	if !p.batch.All || len(p.memory.failing) > 0 {
		maps.Copy(p.snapshot.related, p.memory.related)
	}
	return p.snapshot.related
}

// writeStatus writes the status of a parent at the start of the pass, if it differs. Other fields of the status stay.
func (p *pass) writeStatus(ctx context.Context, parent *mapping.Parent) error {
	next := parent.Object.DeepCopy()
	if err := parent.Observed.WriteTo(next); err != nil {
		return err
	}
	version := live.ResourceVersion(parent.Object)
	if krm.Equivalent(next.Node(), parent.Object.Node()) || p.memory.droppedStatus[parent.Key] == version {
		return nil
	}
	data, err := mergePatch(parent.Object, next)
	if err != nil {
		return err
	}
	end := p.caches[p.prepared.parent].BeginWrite(live.KeyOf(parent.Object))
	made, err := p.server.Client(p.prepared.parent, parent.Object.Namespace()).Patch(ctx, parent.Object.Name(), types.MergePatchType, data,
		metav1.PatchOptions{FieldManager: live.FieldManager}, "status")
	var answer *krm.Object
	if err == nil {
		answer, err = live.FromUnstructured(made)
	}
	end(answer, p.worker)
	delete(p.memory.droppedStatus, parent.Key)
	switch {
	case apierrors.IsConflict(err):
		return live.ErrConflict
	case apierrors.IsNotFound(err):
		return nil
	case err == nil && made.GetResourceVersion() == version:
		p.memory.droppedStatus[parent.Key] = version // the schema does not have the fields
	}
	return err
}

// mergePatch is a merge patch for an object that is as it was read.
func mergePatch(before, after *krm.Object) ([]byte, error) {
	from, err := live.ToUnstructured(before)
	if err != nil {
		return nil, err
	}
	to, err := live.ToUnstructured(after)
	if err != nil {
		return nil, err
	}
	return client.MergeFromWithOptions(from, client.MergeFromWithOptimisticLock{}).Data(to)
}

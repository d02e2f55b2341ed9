package mapping

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// keeper is the finalizer of MapControllers that have a finalize hook: while one has it, parents that have
// the controller's own finalizer are not left with it.
const keeper = waybill.Group + "/map"

func finalizersOf(o *krm.Object) (all []string) {
	list := o.Lookup("metadata", "finalizers")
	if list == nil {
		return nil
	}
	for _, n := range list.Content {
		all = append(all, n.Value)
	}
	return all
}

// bind puts the controller's finalizer on all parents of this pass, before anything else is done for them,
// if there is a finalize hook; without one it takes away what an earlier spec left. A parent that cannot be
// given it is held, and others are not.
func (p *pass) bind(ctx context.Context) error {
	wants, mine := p.ready.Finalizes(), p.ready.Finalizer()
	if wants && !has(p.object.Load(), keeper) {
		if err := p.keep(ctx, p.object.Load(), true); err != nil {
			return fmt.Errorf("put a finalizer on the MapController: %w", err)
		}
	}
	sh := p.shelves[p.ready.parent]
	for _, o := range sh.objects() {
		selected := p.ready.parents.Matches(labels.Set(o.Labels())) && !isDeleting(o)
		if !p.covers(o.Namespace()) || has(o, mine) == wants || wants && !selected {
			continue
		}
		if err := p.finalizer(ctx, sh, o, mine, wants); err != nil {
			p.unbindable(o, wants, err)
		}
	}
	return nil
}

// unbindable notes a parent whose finalizer cannot be written.
func (p *pass) unbindable(o *krm.Object, wants bool, err error) {
	key := correspond.Key(o)
	p.unbound[key] = wants
	if errors.Is(err, errFaster) {
		p.soon = true
		return
	}
	p.strays[key] = fmt.Sprintf("map(%s): put the finalizer on it, or take it away: %v", key, p.discreet(err))
}

// finalizer puts a finalizer on a parent, or takes it away.
func (p *pass) finalizer(ctx context.Context, sh *shelf, o *krm.Object, name string, on bool) error {
	end := sh.begin(atOf(o))
	made, err := refinalize(ctx, p.resource(sh.kind, o.Namespace()), o, name, on)
	var answer *krm.Object
	if err == nil && made != nil {
		answer, err = objectOf(made)
	}
	end(answer, p.worker)
	return err
}

// refinalize changes one finalizer of an object that is as it was seen. One that is gone needs none.
func refinalize(
	ctx context.Context, in dynamic.ResourceInterface, o *krm.Object, name string, on bool,
) (*unstructured.Unstructured, error) {
	all := slices.DeleteFunc(finalizersOf(o), func(f string) bool { return f == name })
	if on {
		all = append(all, name)
	}
	old, err := sendable(o)
	if err != nil {
		return nil, err
	}
	next := old.DeepCopy()
	next.SetFinalizers(all)
	data, err := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{}).Data(next)
	if err != nil {
		return nil, err
	}
	made, err := in.Patch(ctx, o.Name(), types.MergePatchType, data, metav1.PatchOptions{FieldManager: manager})
	switch {
	case apierrors.IsConflict(err):
		return nil, errFaster
	case apierrors.IsNotFound(err):
		return nil, nil
	}
	return made, err
}

// keep puts the finalizer of MapControllers on this one, or takes it away.
func (w *worker) keep(ctx context.Context, o *krm.Object, on bool) error {
	made, err := refinalize(ctx, w.server.Objects.Resource(mapControllers), o, keeper, on)
	if err != nil || made == nil {
		return err
	}
	answer, err := objectOf(made)
	if err == nil {
		w.object.CompareAndSwap(o, answer)
	}
	return err
}

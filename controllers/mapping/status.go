package mapping

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapping"
)

// hasStatus reports whether objects of a type have a status that is written on its own. Where they have
// not, to write it would change their generation, and so what is to be written.
func (w *worker) hasStatus(of schema.GroupVersionResource) (bool, error) {
	list, err := w.discovery.ServerResourcesForGroupVersion(of.GroupVersion().String())
	if apierrors.IsNotFound(err) {
		return false, nil // nor is the type served, which its follower says
	}
	if err != nil {
		return false, err
	}
	for _, r := range list.APIResources {
		if r.Name == of.Resource+"/status" {
			return true, nil
		}
	}
	return false, nil
}

// writeStatus writes how a parent stood when the pass began, if it says something else. Other fields stay.
func (p *pass) writeStatus(ctx context.Context, parent *mapping.Parent) error {
	next := parent.Object.DeepCopy()
	if err := parent.Observed.WriteTo(next); err != nil {
		return err
	}
	version := parent.Object.String("metadata", "resourceVersion")
	if krm.Equivalent(next.Node(), parent.Object.Node()) || p.memory.unheard[parent.Key] == version {
		return nil
	}
	from, err := sendable(parent.Object)
	if err != nil {
		return err
	}
	to, err := sendable(next)
	if err != nil {
		return err
	}
	data, err := client.MergeFromWithOptions(from, client.MergeFromWithOptimisticLock{}).Data(to)
	if err != nil {
		return err
	}
	end := p.shelves[p.ready.parent].begin(atOf(parent.Object))
	made, err := p.resource(p.ready.parent, parent.Object.Namespace()).Patch(ctx, parent.Object.Name(), types.MergePatchType, data,
		metav1.PatchOptions{FieldManager: manager}, "status")
	var answer *krm.Object
	if err == nil {
		answer, err = objectOf(made)
	}
	end(answer, p.worker)
	delete(p.memory.unheard, parent.Key)
	switch {
	case apierrors.IsConflict(err):
		return errFaster
	case apierrors.IsNotFound(err):
		return nil
	case err == nil && made.GetResourceVersion() == version:
		p.memory.unheard[parent.Key] = version // its schema has no room for it
	}
	return err
}

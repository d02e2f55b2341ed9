package syncing

import (
	"context"
	"encoding/json"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/syncing"
)

// notify has primaries tell of what is related to them.
func (l *look) notify(ctx context.Context, r *syncing.Round) (bool, error) {
	for _, n := range r.Notices {
		sh := l.ready.shelf(l.at.name, l.ready.remote)
		now := sh.get(atOf(n.Object))
		if now == nil {
			continue
		}
		annotations := map[string]any{}
		for name, text := range n.Set {
			annotations[name] = text
		}
		for _, name := range n.Remove {
			annotations[name] = nil
		}
		data, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": annotations, "resourceVersion": resourceVersion(now),
			"uid": uidOf(now)}})
		if err == nil {
			err = l.patch(ctx, sh, now, data)
		}
		l.meters.operation(l.name, actionNotice, err)
		if err != nil {
			return true, l.explain("annotate "+n.Ref.String(), n.Ref.ID, err)
		}
	}
	return len(r.Notices) > 0, nil
}

func (l *look) patch(ctx context.Context, sh *shelf, o *krm.Object, data []byte) error {
	end := sh.begin(atOf(o))
	var answer *krm.Object
	defer func() { end(answer, l.worker) }()
	made, err := sh.server.resource(sh.kind, o.Namespace()).Patch(ctx, o.Name(), types.MergePatchType, data,
		metav1.PatchOptions{FieldManager: manager})
	switch {
	case apierrors.IsConflict(err):
		return errFaster
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return err
	}
	answer, err = objectOf(made)
	return err
}

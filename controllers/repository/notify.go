package repository

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/apierror"
	"github.com/waybill-dev/waybill/controllers/repository/access"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// ChangedAtAnnotation is on a Repository whose Git content changed: Porch 1.5 reads a repository again when its object changes.
const ChangedAtAnnotation = "waybill.dev/changed-at"

// porchNotifier tells Porch to read a repository again, which it else does late.
type porchNotifier struct {
	client client.Writer

	mu   sync.Mutex
	last map[key]time.Time
}

// notify sets spec.sync.runOnceAt, which newer releases of Porch obey once for each value, and an annotation. A time in the future
// that is there is a user's, and stays.
func (n *porchNotifier) notify(ctx context.Context, obj *porchconfig.Repository) error {
	at := n.next(client.ObjectKeyFromObject(obj)).Format(time.RFC3339)
	patch := map[string]any{"metadata": map[string]any{"annotations": map[string]string{ChangedAtAnnotation: at}}}
	if sync := obj.Spec.Sync; sync == nil || sync.RunOnceAt == nil || !sync.RunOnceAt.After(time.Now()) {
		patch["spec"] = map[string]any{"sync": map[string]string{"runOnceAt": at}}
	}
	data, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	// Definitions of older releases do not know the field: that is no news.
	ignore := &client.PatchOptions{Raw: &metav1.PatchOptions{FieldValidation: metav1.FieldValidationIgnore}}
	target := &porchconfig.Repository{ObjectMeta: metav1.ObjectMeta{Namespace: obj.Namespace, Name: obj.Name}}
	return client.IgnoreNotFound(n.client.Patch(ctx, target, client.RawPatch(types.MergePatchType, data), ignore))
}

// next is the time of a notification, which differs from that of the one before: objects hold seconds.
func (n *porchNotifier) next(at key) time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.last == nil {
		n.last = map[key]time.Time{}
	}
	now := time.Now().UTC().Truncate(time.Second)
	if last := n.last[at]; !now.After(last) && !last.IsZero() {
		now = last.Add(time.Second)
	}
	n.last[at] = now
	return now
}

// NotifyPorch tells Porch, if the options say so, that this process changed a repository, or saw that it was changed.
func (c *Cache) NotifyPorch(ctx context.Context, at types.NamespacedName) {
	if c.porch == nil {
		return
	}
	obj, err := access.Get(ctx, reader{c.objects}, at)
	if err == nil && c.options.Shard.Owns(obj) {
		err = c.porch.notify(ctx, obj)
	}
	if err != nil && ctx.Err() == nil {
		c.options.Log.Info("Porch is not told that a repository changed, and shows that late", "namespace", at.Namespace, "repository", at.Name,
			"reason", apierror.Stable(err).Error())
	}
}

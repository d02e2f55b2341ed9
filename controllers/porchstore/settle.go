package porchstore

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/porch"
)

// settleEvery and settleTimeout are how often and how long to ask whether Porch knows what was written.
const (
	settleEvery   = 50 * time.Millisecond
	settleTimeout = 20 * time.Second
)

// settle waits until Porch itself reads the annotations of o that it was given. Its CR cache keeps them in objects that it reads from a
// cache of its own, which may be late: an update of resources before that writes back what Porch last read, and the owner is lost.
func (s *Store) settle(ctx context.Context, o *porch.PackageRevision) error {
	var now porch.PackageRevision
	err := wait.PollUntilContextTimeout(ctx, settleEvery, settleTimeout, true, func(ctx context.Context) (bool, error) {
		err := s.client.Get(ctx, client.ObjectKeyFromObject(o), &now)
		return err == nil && now.Annotations[TrailersAnnotation] == o.Annotations[TrailersAnnotation] &&
			now.Annotations[ContentAnnotation] == o.Annotations[ContentAnnotation], err
	})
	if wait.Interrupted(err) && ctx.Err() == nil {
		return fmt.Errorf("Porch does not show the annotations of %s that it was given, after %s", o.Name, settleTimeout)
	}
	return err
}

package translation

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/midonet"
)

// loop says when there is a pass.
type loop struct {
	*controller
	known cache.Cache
	wake  chan struct{} // something has changed
	pass  *passes
}

// run makes passes until ctx ends.
func (l *loop) run(ctx context.Context) {
	if !l.follow(ctx) {
		return
	}
	for {
		began := time.Now()
		next := l.pass.run(ctx)
		l.meters.passes.Observe(time.Since(began).Seconds())
		if !sleep(ctx, l.options.Interval) || !l.await(ctx, next) {
			return
		}
	}
}

// verdict says when to make the next pass.
type verdict struct {
	after time.Duration // negative: when something has changed
	firm  bool          // not before, unless there are other credentials
}

// await waits until it is time for a pass; false when ctx has ended.
func (l *loop) await(ctx context.Context, v verdict) bool {
	var alarm <-chan time.Time
	if v.after >= 0 {
		alarm = time.After(v.after)
	}
	for {
		select {
		case <-ctx.Done():
			return false
		case <-alarm:
			return true
		case <-l.wake:
			if !v.firm || l.pass.newCredentials(ctx) {
				return true
			}
		}
	}
}

func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// follow has the objects followed, and returns when all there are are known; false when ctx has ended.
// A kind that is not served is looked for now and then.
func (l *loop) follow(ctx context.Context) bool {
	kinds := []client.Object{newTranslation()}
	if l.options.Credentials.Name != "" {
		kinds = append(kinds, &corev1.Secret{})
	}
	for _, kind := range kinds {
		said := ""
		for {
			err := l.followOne(ctx, kind)
			if err == nil {
				break
			}
			if text := err.Error(); text != said && ctx.Err() == nil {
				l.options.Log.Info("what is to be pushed cannot be followed; it is tried again now and then", "reason", text)
				said = text
			}
			if !sleep(ctx, min(30*time.Second, l.options.LastRetry)) {
				return false
			}
		}
	}
	return l.known.WaitForCacheSync(ctx)
}

func (l *loop) followOne(ctx context.Context, kind client.Object) error {
	informer, err := l.known.GetInformer(ctx, kind)
	if err != nil {
		return err
	}
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { l.changed() },
		UpdateFunc: func(_, _ any) { l.changed() },
		DeleteFunc: func(any) { l.changed() },
	})
	return err
}

func (l *loop) changed() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// newTranslation is an empty Translation that bears whatever an API server has stored.
func newTranslation() *unstructured.Unstructured {
	t := &unstructured.Unstructured{}
	t.SetGroupVersionKind(midonet.GroupVersion.WithKind(midonet.KindTranslation))
	return t
}

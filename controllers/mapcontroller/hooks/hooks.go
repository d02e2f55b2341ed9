package hooks

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	mapping "github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// The kinds that a Values is asked for.
const (
	KindSecret    = "Secret"
	KindConfigMap = "ConfigMap"
)

// ErrNoKey is what a Values says when the object is there and has no such key.
var ErrNoKey = errors.New("it has no such key")

// Values reads what webhooks need to connect.
type Values interface {
	// Get is the value of a key of a Secret or a ConfigMap. Its error does not hold any value. Where the
	// object has no such key, it is ErrNoKey.
	Get(ctx context.Context, kind, namespace, name, key string) ([]byte, error)
}

// Options say how hooks are asked. What is zero takes the value that is named with it.
type Options struct {
	// Values are Secrets and ConfigMaps: there are none.
	Values Values
	// Linked are the functions that hooks may name, but for map itself: none.
	Linked []*fn.Function
	// LinkedTime bounds one of these: 5m.
	LinkedTime time.Duration
	// Runners run the functions that hooks name as programs and images: these are refused.
	Runners runner.Factory
	// Proxy chooses the proxy for a request: as the environment says.
	Proxy func(*http.Request) (*url.URL, error)
	// Now tells the time: time.Now.
	Now func() time.Time
	// Observe, if set, is called after each request to a webhook, with the name of the hook and the status
	// of the answer, 0 when none came.
	Observe func(hook string, status int, took time.Duration)
}

func (o Options) withDefaults() Options {
	if o.Proxy == nil {
		o.Proxy = http.ProxyFromEnvironment
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Values == nil {
		o.Values = nothing{}
	}
	return o
}

// nothing is a cluster without Secrets and ConfigMaps.
type nothing struct{}

func (nothing) Get(context.Context, string, string, string, string) ([]byte, error) {
	return nil, errors.New("none can be read here")
}

// Hooks are those of one MapController as it was when they were made. Several may use them at once.
type Hooks struct {
	functions map[waybill.FunctionHook]function
	webhooks  map[string]*webhook // by the name of the hook
}

var _ mapping.Hooks = (*Hooks)(nil)

// Check implements mapping.Hooks: a hook can be asked if it is one of those that these were made for.
func (h *Hooks) Check(hook *waybill.MapHook) error {
	if hook.Function != nil && h.functions[*hook.Function] != nil {
		return nil
	}
	for _, w := range h.webhooks {
		if hook.Webhook != nil && reflect.DeepEqual(w.config, hook.Webhook) {
			return nil
		}
	}
	return errOther
}

// errOther is a mistake of the caller.
var errOther = errors.New("it is not as it was when hooks were made ready")

// Function implements mapping.Hooks.
func (h *Hooks) Function(ctx context.Context, hook *waybill.FunctionHook, in *fn.Input) (*fn.Output, error) {
	run := h.functions[*hook]
	if run == nil {
		return nil, errOther
	}
	return run(ctx, in)
}

// Webhook implements mapping.Hooks.
func (h *Hooks) Webhook(ctx context.Context, hook *waybill.Webhook, r *mapping.Request) (*mapping.Response, error) {
	w := h.webhooks[r.Hook]
	if w == nil || !reflect.DeepEqual(w.config, hook) {
		return nil, errOther
	}
	return w.ask(ctx, r)
}

// Close lets go of connections that are not in use; those in use go when their requests end.
func (h *Hooks) Close() {
	for _, w := range h.webhooks {
		w.client.CloseIdleConnections()
	}
}

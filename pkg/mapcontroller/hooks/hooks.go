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
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
)

// The kinds of objects that Values reads.
const (
	KindSecret    = "Secret"
	KindConfigMap = "ConfigMap"
)

// Values reads the data of a Secret or a ConfigMap. Its error holds no value.
type Values func(ctx context.Context, kind, namespace, name string) (map[string][]byte, error)

// Function runs a function. A failure that the function reports is in its results.
type Function func(ctx context.Context, in *fn.Input) (*fn.Output, error)

// Options say how hooks are called.
type Options struct {
	// Values reads what webhooks need to connect. Defaults to none.
	Values Values
	// Functions prepares a function, or says why it can never run. Required if a hook is a function.
	Functions func(ctx context.Context, hook *waybill.FunctionHook) (Function, error)
	// Proxy chooses the proxy of a request. Defaults to what the environment says.
	Proxy func(*http.Request) (*url.URL, error)
	// Now returns the time. Defaults to time.Now.
	Now func() time.Time
	// Observe, if set, is called after each request to a webhook, with the name of the hook and the status of the answer, 0
	// for no answer.
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
		o.Values = func(context.Context, string, string, string) (map[string][]byte, error) {
			return nil, errors.New("none can be read here")
		}
	}
	return o
}

// Hooks are the hooks of one MapController, as it was when New prepared them. They are safe for concurrent use.
type Hooks struct {
	functions map[waybill.FunctionHook]Function
	webhooks  map[string]*webhook // by the name of the hook
}

var _ mapcontroller.Hooks = (*Hooks)(nil)

// Check implements mapcontroller.Hooks: it accepts the hooks that New prepared.
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
var errOther = errors.New("the hook is not one of those that were prepared")

// Function implements mapcontroller.Hooks. It keeps errors on one line of bounded length.
func (h *Hooks) Function(ctx context.Context, hook *waybill.FunctionHook, in *fn.Input) (*fn.Output, error) {
	run := h.functions[*hook]
	if run == nil {
		return nil, errOther
	}
	out, err := run(ctx, in)
	if err != nil && ctx.Err() == nil {
		err = errors.New(singleLine(err))
	}
	return out, err
}

// Webhook implements mapcontroller.Hooks.
func (h *Hooks) Webhook(ctx context.Context, hook *waybill.Webhook, r *mapcontroller.Request) (*mapcontroller.Response, error) {
	w := h.webhooks[r.Hook]
	if w == nil || !reflect.DeepEqual(w.config, hook) {
		return nil, errOther
	}
	return w.call(ctx, r)
}

// Close closes the connections that are not in use; the others close when their requests end.
func (h *Hooks) Close() {
	for _, w := range h.webhooks {
		w.client.CloseIdleConnections()
	}
}

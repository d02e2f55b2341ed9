package hooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
)

// InvalidError says that hooks cannot work until the MapController or the functions of this process change.
type InvalidError struct{ Err error }

func (e *InvalidError) Error() string { return e.Err.Error() }

// Unwrap returns the aggregate of all errors.
func (e *InvalidError) Unwrap() error { return e.Err }

// New prepares the hooks of a MapController, and reads what they need to connect. The error has every fault at its path. It
// is an *InvalidError if a field is wrong, or a function is unknown or not allowed. Other errors may pass, such as a Secret
// that is still missing; errors.Is finds the error of Options.Values.
func New(ctx context.Context, spec *waybill.MapControllerSpec, o Options) (*Hooks, error) {
	b := &builder{
		Options: o.withDefaults(), spec: spec, at: field.NewPath("spec"),
		hooks:     &Hooks{functions: map[waybill.FunctionHook]Function{}, webhooks: map[string]*webhook{}},
		endpoints: map[int]*connection{},
	}
	if errs := b.validate(); len(errs) > 0 {
		return nil, &InvalidError{errs.ToAggregate()}
	}
	for _, h := range mapcontroller.NamedHooks(spec) {
		switch at := b.at.Child("hooks", h.Name); h.Hook.Kind() {
		case "function":
			b.addFunction(ctx, h.Hook.Function, at.Child("function"))
		case "webhook":
			b.addWebhook(ctx, h.Name, h.Hook.Webhook.DeepCopy(), at.Child("webhook"))
		}
	}
	switch err := utilerrors.NewAggregate(b.errs); {
	case b.invalid:
		return nil, &InvalidError{err}
	case err != nil:
		return nil, err
	}
	return b.hooks, nil
}

// builder builds Hooks.
type builder struct {
	Options
	spec      *waybill.MapControllerSpec
	at        *field.Path
	hooks     *Hooks
	endpoints map[int]*connection // of endpointConfigs, by index, once they were read
	errs      []error
	invalid   bool // one of errs does not pass
}

// validate checks all that can be checked before anything is read.
func (b *builder) validate() (errs field.ErrorList) {
	for _, h := range mapcontroller.NamedHooks(b.spec) {
		if h.Hook != nil {
			errs = append(errs, validation.MapHook(h.Hook, b.at.Child("hooks", h.Name))...)
		}
	}
	return append(errs, validation.EndpointConfigs(b.spec.EndpointConfigs, b.at.Child("endpointConfigs"))...)
}

func (b *builder) fail(at *field.Path, err error) {
	b.errs = append(b.errs, fmt.Errorf("%s: %w", at, err))
}

// addFunction prepares a function.
func (b *builder) addFunction(ctx context.Context, hook *waybill.FunctionHook, at *field.Path) {
	err := errors.New("no function can run here")
	if b.Functions != nil {
		b.hooks.functions[*hook], err = b.Functions(ctx, hook)
	}
	if err != nil {
		b.fail(at, err)
		b.invalid = true
	}
}

// addWebhook prepares a webhook.
func (b *builder) addWebhook(ctx context.Context, name string, config *waybill.Webhook, at *field.Path) {
	address, err := config.Address()
	if err != nil {
		b.fail(at, err)
		return
	}
	conn := b.connectionTo(ctx, address, config, at)
	w := &webhook{
		config: config, name: name, address: address.String(), server: address.Scheme + "://" + address.Host,
		authorization: conn.authorization, timeout: defaultTimeout, client: conn.client(b.Proxy),
		now: b.Now, observe: b.Observe,
	}
	if config.Timeout != nil && config.Timeout.Duration > 0 {
		w.timeout = config.Timeout.Duration
	}
	if e := config.ETag; e != nil && e.Enabled != nil && *e.Enabled {
		w.cache = newCache(seconds(e.CacheTimeoutSeconds, defaultLifetime), seconds(e.CacheCleanupSeconds, defaultCleanup))
	}
	b.hooks.webhooks[name] = w
}

func seconds(n *int32, otherwise time.Duration) time.Duration {
	if n == nil || *n <= 0 {
		return otherwise
	}
	return time.Duration(*n) * time.Second
}

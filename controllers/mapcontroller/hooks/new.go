package hooks

import (
	"context"
	"fmt"
	"time"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
	mapping "github.com/waybill-dev/waybill/pkg/mapcontroller"
)

// InvalidError is what is wrong with hooks whatever else there is: it stays until the MapController changes, or
// what this process is told to run.
type InvalidError struct{ Err error }

func (e *InvalidError) Error() string { return e.Err.Error() }

// Unwrap gives the aggregate of all faults.
func (e *InvalidError) Unwrap() error { return e.Err }

// New makes the hooks of a MapController ready, and reads what they need to connect. The error has every
// fault at its path: an *InvalidError, if a field is wrong or a function is not there or not allowed; or else
// what may pass, such as a Secret that is still to come, and errors.Is finds what Values said.
func New(ctx context.Context, spec *waybill.MapControllerSpec, o Options) (*Hooks, error) {
	m := &maker{
		Options: o.withDefaults(), spec: spec, at: field.NewPath("spec"),
		made: &Hooks{functions: map[waybill.FunctionHook]function{}, webhooks: map[string]*webhook{}},
		ends: map[int]*connection{},
	}
	if errs := m.validate(); len(errs) > 0 {
		return nil, &InvalidError{errs.ToAggregate()}
	}
	for _, h := range namedHooks(spec) {
		switch at := m.at.Child("hooks", h.name); h.hook.Kind() {
		case "function":
			m.addFunction(ctx, h.hook.Function, at.Child("function"))
		case "webhook":
			m.addWebhook(ctx, h.name, h.hook.Webhook.DeepCopy(), at.Child("webhook"))
		}
	}
	switch all := utilerrors.NewAggregate(m.faults); {
	case m.invalid:
		return nil, &InvalidError{all}
	case all != nil:
		return nil, all
	}
	return m.made, nil
}

// maker makes Hooks.
type maker struct {
	Options
	spec   *waybill.MapControllerSpec
	at     *field.Path
	made   *Hooks
	ends   map[int]*connection // of endpointConfigs, by index, once they were read
	faults []error
	// invalid says that one of the faults does not pass.
	invalid bool
}

type namedHook struct {
	name string
	hook *waybill.MapHook
}

func namedHooks(spec *waybill.MapControllerSpec) []namedHook {
	h := spec.Hooks
	return []namedHook{{mapping.HookMap, h.Map}, {mapping.HookTombstone, h.Tombstone}, {mapping.HookFinalize, h.Finalize},
		{mapping.HookCustomize, h.Customize}}
}

// validate is what can be said before anything is read.
func (m *maker) validate() (errs field.ErrorList) {
	for _, h := range namedHooks(m.spec) {
		if h.hook != nil {
			errs = append(errs, validation.MapHook(h.hook, m.at.Child("hooks", h.name))...)
		}
	}
	return append(errs, validation.EndpointConfigs(m.spec.EndpointConfigs, m.at.Child("endpointConfigs"))...)
}

func (m *maker) fault(at *field.Path, err error) {
	m.faults = append(m.faults, fmt.Errorf("%s: %w", at, err))
}

// addWebhook makes a webhook ready.
func (m *maker) addWebhook(ctx context.Context, name string, config *waybill.Webhook, at *field.Path) {
	address, err := config.Address()
	if err != nil {
		m.fault(at, err)
		return
	}
	conn := m.connectionTo(ctx, address, config, at)
	w := &webhook{
		config: config, name: name, address: address.String(), place: address.Scheme + "://" + address.Host,
		authorization: conn.authorization, timeout: defaultTimeout, client: conn.client(m.Proxy),
		now: m.Now, observe: m.Observe,
	}
	if config.Timeout != nil && config.Timeout.Duration > 0 {
		w.timeout = config.Timeout.Duration
	}
	if e := config.ETag; e != nil && e.Enabled != nil && *e.Enabled {
		w.kept = newAnswers(seconds(e.CacheTimeoutSeconds, defaultKept), seconds(e.CacheCleanupSeconds, defaultCleanup))
	}
	m.made.webhooks[name] = w
}

func seconds(n *int32, otherwise time.Duration) time.Duration {
	if n == nil || *n <= 0 {
		return otherwise
	}
	return time.Duration(*n) * time.Second
}

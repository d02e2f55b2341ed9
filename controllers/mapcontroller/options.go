package mapcontroller

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/go-logr/logr"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Options configure the controller. A zero field takes its default.
type Options struct {
	// Namespaces limit namespaced objects. Defaults to all.
	Namespaces []string
	// Functions are the linked functions that hooks may name. Defaults to none.
	Functions []*fn.Function
	// Runners run the functions that hooks name as programs and images. Defaults to refusing them.
	Runners runner.Factory
	// Proxy chooses the proxy of a request to a webhook. Defaults to what the environment says.
	Proxy func(*http.Request) (*url.URL, error)
	// Workers is how many MapControllers are reconciled at a time. Defaults to 4.
	Workers int
	// Parallel is how many requests to hooks, and to the API server, each of them makes at a time. Defaults to 8.
	Parallel int
	// MinInterval is the least time between two passes of one MapController. Defaults to 1s.
	MinInterval time.Duration
	// Settle is how long no object of an input type may appear or disappear before the controller deletes the outputs of an
	// absent input; after five times that, it deletes them anyway. Defaults to 2s, or twice MinInterval if that is more.
	Settle time.Duration
	// FirstRetry and LastRetry limit the pauses between retries, and between checks for a type that is not served, which are
	// 30s at most. Default to 1s and 5m.
	FirstRetry, LastRetry time.Duration
	// Log is the logger. Defaults to none.
	Log logr.Logger
}

func (o Options) withDefaults() Options {
	o.Workers = cmp.Or(o.Workers, 4)
	o.Parallel = cmp.Or(o.Parallel, 8)
	o.MinInterval = cmp.Or(o.MinInterval, time.Second)
	o.Settle = cmp.Or(o.Settle, max(2*time.Second, 2*o.MinInterval))
	o.FirstRetry = cmp.Or(o.FirstRetry, time.Second)
	o.LastRetry = cmp.Or(o.LastRetry, 5*time.Minute)
	return o
}

// Check validates the options.
func (o Options) Check() error {
	o = o.withDefaults()
	if o.Workers < 1 || o.Parallel < 1 {
		return errors.New("want one MapController or more at a time, and one request or more")
	}
	if o.MinInterval < 0 || o.Settle < 0 || o.FirstRetry < 0 || o.LastRetry < o.FirstRetry {
		return errors.New("want times above 0, and a last pause no shorter than the first")
	}
	return nil
}

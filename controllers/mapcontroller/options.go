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

// Options say how MapControllers are worked. What is zero takes the value that is named with it.
type Options struct {
	// Namespaces are those whose objects are read, besides objects that have none: all.
	Namespaces []string
	// Functions are those that hooks may name: none.
	Functions []*fn.Function
	// Runners run the functions that hooks name as programs and images: these are refused.
	Runners runner.Factory
	// Proxy chooses the proxy for a request to a webhook: as the environment says.
	Proxy func(*http.Request) (*url.URL, error)
	// Workers is how many MapControllers are worked at a time: 4.
	Workers int
	// Parallel is how many requests to hooks, and to the API server, each of them makes at a time: 8.
	Parallel int
	// MinInterval is the least time between two passes of one MapController: 1s.
	MinInterval time.Duration
	// Settle is how long no object of a type of inputs may come or go before outputs go whose input is gone,
	// or five times that since the input is missed: 2s, or twice MinInterval if that is more.
	Settle time.Duration
	// FirstRetry and LastRetry bound the pauses between two tries of what failed, and between two looks for
	// a type that is not served, which are 30s at most: 1s and 5m.
	FirstRetry, LastRetry time.Duration
	// Log gets what happens. The zero Logger drops it.
	Log logr.Logger
}

func (o Options) withDefaults() Options {
	o.Workers = cmp.Or(o.Workers, 4)
	o.Parallel = cmp.Or(o.Parallel, 8)
	o.MinInterval = cmp.Or(o.MinInterval, time.Second)
	o.Settle = cmp.Or(o.Settle, max(2*time.Second, 2*o.MinInterval))
	o.FirstRetry = cmp.Or(o.FirstRetry, time.Second)
	o.LastRetry = cmp.Or(o.LastRetry, 5*time.Minute)
	if o.Log.GetSink() == nil {
		o.Log = logr.Discard()
	}
	return o
}

// Check reports what is wrong with the options, before anything is asked of anybody.
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

// pollInterval is the longest pause between two checks for a type that is not served.
func (o Options) pollInterval() time.Duration { return min(30*time.Second, o.LastRetry) }

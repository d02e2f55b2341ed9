package translation

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// Options configure the controller. Table, URL and Inventory.Namespace are required; any other zero field gets
// the value that its comment names.
type Options struct {
	// Table describes the backend.
	Table *table.Table
	// URL is the address of the API of the backend.
	URL string
	// CABundle are certificate authorities, as PEM, for the backend: those of the system.
	CABundle []byte
	// Proxy chooses the proxy for a request: none.
	Proxy func(*http.Request) (*url.URL, error)
	// Timeout bounds one request and its answer: 30s.
	Timeout time.Duration
	// Credentials is a Secret with the keys username, password, project and token, as far as the table needs
	// them. Changes take effect at once. None: no credentials.
	Credentials types.NamespacedName
	// Namespaces are those whose Translations are pushed: all. What was pushed from others stays.
	Namespaces []string
	// Inventory is where the controller stores what it applied: a namespace, and a name, by default that of the table. A
	// backend has one inventory, and no other controller may use it.
	Inventory types.NamespacedName
	// URLMoved says that the backend at URL is that of the inventory, which has another address for it. Without it the
	// controller then does nothing.
	URLMoved bool
	// AllowEmpty allows the controller to delete everything when there is no Translation at all.
	AllowEmpty bool
	// Interval is the least time between two reconciles: 1s.
	Interval time.Duration
	// FirstRetry and LastRetry bound the pauses between two attempts after failures: 1s and 5m.
	FirstRetry, LastRetry time.Duration
	// Slice is the time after which a reconcile starts no further operation, so that the next one sees what has changed
	// meanwhile: 10s.
	Slice time.Duration
	// PermanentRetry is the pause before a permanent failure is retried although nothing has changed: 1h.
	PermanentRetry time.Duration
	// Rate is how many requests a second the backend gets at most: 100.
	Rate float32
	// Transport carries requests in place of one made from CABundle and Proxy; for tests.
	Transport http.RoundTripper
	// Log gets the messages. The zero Logger drops them.
	Log logr.Logger
}

func (o Options) withDefaults() Options {
	o.Interval = cmp.Or(o.Interval, time.Second)
	o.FirstRetry = cmp.Or(o.FirstRetry, time.Second)
	o.LastRetry = cmp.Or(o.LastRetry, 5*time.Minute)
	o.Slice = cmp.Or(o.Slice, 10*time.Second)
	o.PermanentRetry = cmp.Or(o.PermanentRetry, time.Hour)
	o.Rate = cmp.Or(o.Rate, 100)
	if o.Table != nil {
		o.Inventory.Name = cmp.Or(o.Inventory.Name, o.Table.Name())
	}
	return o
}

// Check reports options that are not valid. It sends no request.
func (o Options) Check() error {
	o = o.withDefaults()
	switch {
	case o.Table == nil:
		return errors.New("the pusher needs a table of the backend's kinds")
	case len(validation.IsDNS1123Label(o.Inventory.Namespace)) > 0:
		return errors.New("the pusher needs a namespace for its inventory")
	case len(validation.IsDNS1123Label(o.Inventory.Name)) > 0:
		return errors.New("the name of the inventory: want lower-case letters, digits and hyphens, 63 at most")
	case (o.Table.NeedsPassword() || o.Table.NeedsToken()) && o.Credentials.Name == "":
		return errors.New("the backend requires credentials: name a Secret")
	case (o.Credentials.Name == "") != (o.Credentials.Namespace == ""):
		return errors.New("the Secret with the credentials: want namespace and name")
	case o.Interval < 0 || o.FirstRetry < 0 || o.LastRetry < o.FirstRetry || o.PermanentRetry < 0 || o.Slice < 0 || o.Rate < 0:
		return errors.New("want times and rates above 0, and a last pause no shorter than the first")
	}
	return o.checkAddress()
}

// checkAddress checks the address and the certificates by the backend's client.
func (o Options) checkAddress() error {
	const anything = "x"
	_, err := httpclient.New(o.Table, httpclient.Config{URL: o.URL, CABundle: o.CABundle, Username: anything,
		Password: anything, Token: anything})
	return err
}

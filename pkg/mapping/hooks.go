package mapping

import (
	"context"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
)

// Hooks asks hooks that are not CEL. It must be safe for concurrent use where a World has more than one
// request at a time.
type Hooks interface {
	// Check says why a hook can never be asked; nil when it can. It is called once for each function and
	// webhook of a MapController, before anything is asked.
	Check(hook *waybill.MapHook) error
	// Function runs a function. in.Config is a MapRequest; nothing in it may be changed.
	Function(ctx context.Context, hook *waybill.FunctionHook, in *fn.Input) (*fn.Output, error)
	// Webhook asks a webhook. An error fails what the request is about, and nothing else; it holds
	// nothing that is secret.
	Webhook(ctx context.Context, hook *waybill.Webhook, r *Request) (*Response, error)
}

// Response is what a webhook answers.
type Response struct {
	// Body is JSON. It is read even if some field of it is unknown, if the hook is loose.
	Body []byte
	// RetryAfter says that there is no answer now (status 429), and when to ask again; nothing changes
	// until then. Nil: Body is the answer.
	RetryAfter *time.Duration
}

// Which hook is asked.
const (
	HookMap       = "map"
	HookTombstone = "tombstone"
	HookFinalize  = "finalize"
	HookCustomize = "customize"
)

package mapping

import (
	"context"
	"errors"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mapping/plain"
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

// What an answer may hold, whoever gives it: so many parts, so deep, so many bytes of JSON.
const (
	MaxAnswerBytes = plain.MaxBytes
	// maxOutputs limits the outputs of one input, and maxRules the rules that a customize hook may give.
	maxOutputs, maxRules = 10_000, 100
	// maxMessage limits how much of a hook's message is reported, in bytes.
	maxMessage = 1024
	// maxTypes limits the types of inputs, and those of outputs.
	maxTypes = 50
)

// webhook is asked over HTTP, or its recording is.
type webhook struct {
	hooks  Hooks
	config *waybill.Webhook
}

// call implements hook.
func (h *webhook) call(ctx context.Context, r *Request) (*answer, error) {
	response, err := h.hooks.Webhook(ctx, h.config, r)
	switch {
	case err != nil: // it holds nothing that is secret
		return nil, publicError{err}
	case response == nil:
		return nil, errors.New("it gave no response")
	case response.RetryAfter != nil:
		return &answer{retry: response.RetryAfter}, nil
	}
	strict := r.Version == waybill.HookV2
	if mode := h.config.ResponseUnMarshallMode; mode != "" {
		strict = mode == waybill.ResponseStrict
	}
	data, err := plain.ReadJSON(response.Body, strict)
	if err != nil {
		return nil, errors.New("the response cannot be read: " + err.Error())
	}
	return readAnswer(r, data, strict)
}

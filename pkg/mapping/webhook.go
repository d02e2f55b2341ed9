package mapping

import (
	"context"
	"errors"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
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
	data, err := readJSON(response.Body, strict)
	if err != nil {
		return nil, errors.New("the response cannot be read: " + err.Error())
	}
	return readAnswer(r, data, strict)
}

package mapcontroller

import (
	"context"
	"errors"
	"fmt"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/plain"
)

// Hooks calls hooks that are not CEL. It must be safe for concurrent use where a Snapshot allows more than one request at a
// time.
type Hooks interface {
	// Check says why a hook can never be called; nil when it can. It is called once for each function and webhook of a
	// MapController, before any hook is called.
	Check(hook *waybill.MapHook) error
	// Function runs a function. in.Config is a MapRequest; nothing in it may be changed.
	Function(ctx context.Context, hook *waybill.FunctionHook, in *fn.Input) (*fn.Output, error)
	// Webhook calls a webhook. An error fails the subject of the request and nothing else; it holds nothing secret.
	Webhook(ctx context.Context, hook *waybill.Webhook, r *Request) (*Response, error)
}

// Response is the answer of a webhook.
type Response struct {
	// Body is JSON. Unknown fields are accepted if the hook is loose.
	Body []byte
	// RetryAfter says that there is no answer now (status 429), and when to call again; until then nothing changes. Nil:
	// Body is the answer.
	RetryAfter *time.Duration
}

// The names of hooks.
const (
	HookMap       = "map"
	HookTombstone = "tombstone"
	HookFinalize  = "finalize"
	HookCustomize = "customize"
)

// NamedHook is a hook of a MapController; Hook may be nil.
type NamedHook struct {
	Name string
	Hook *waybill.MapHook
}

// NamedHooks are the hooks that a MapController can have.
func NamedHooks(spec *waybill.MapControllerSpec) []NamedHook {
	h := spec.Hooks
	return []NamedHook{{HookMap, h.Map}, {HookTombstone, h.Tombstone}, {HookFinalize, h.Finalize}, {HookCustomize, h.Customize}}
}

// The limits of every answer: parts, depth, bytes of JSON.
const (
	MaxAnswerBytes = plain.MaxBytes
	// maxOutputs limits the outputs of one input, and maxRules the rules that a customize hook may give.
	maxOutputs, maxRules = 10_000, 100
	// maxMessage limits how much of a hook's message is reported, in bytes.
	maxMessage = 1024
	// maxTypes limits the types of inputs, and those of outputs.
	maxTypes = 50
)

// webhook is called over HTTP, or answered from a recording.
type webhook struct {
	hooks  Hooks
	config *waybill.Webhook
}

// call implements hook.
func (w *webhook) call(ctx context.Context, r *Request) (*answer, error) {
	response, err := w.hooks.Webhook(ctx, w.config, r)
	switch {
	case err != nil: // the error holds nothing secret
		return nil, publicError{err}
	case response == nil:
		return nil, errors.New("it returned no response")
	case response.RetryAfter != nil:
		return &answer{retry: response.RetryAfter}, nil
	}
	strict := r.Version == waybill.HookV2
	if mode := w.config.ResponseUnMarshallMode; mode != "" {
		strict = mode == waybill.ResponseStrict
	}
	data, err := plain.ReadJSON(response.Body, strict)
	if err != nil {
		return nil, errors.New("the response cannot be read: " + err.Error())
	}
	return readAnswer(r, data, strict)
}

// publicError is an error whose text reveals nothing about the request: it is shown where Secrets are involved.
type publicError struct{ error }

// Unwrap implements the interface of package errors.
func (o publicError) Unwrap() error { return o.error }

func isPublic(err error) bool {
	var o publicError
	return errors.As(err, &o)
}

func isSecret(o *krm.Object) bool { return o != nil && o.Is("", "Secret") }

// seesSecret reports whether a request contains a Secret, or its answer may.
func (r *Request) seesSecret() bool {
	_, made := r.Outputs[secretType]
	return made || isSecret(r.Parent) || isSecret(r.Input) || len(r.Related[secretType]) > 0
}

// secretType is the key of Secrets in an Association.
const secretType = "Secret.v1"

// redact replaces an error of a hook where it may hold the value of a secret.
func (r *Request) redact(err error) error {
	if !r.seesSecret() || isPublic(err) {
		return err
	}
	return fmt.Errorf("hook %s fails; the reason is not shown, because the hook gets a Secret", r.Hook)
}

// redactNotes replaces notes of a hook where they may hold the value of a secret: with one for each severity.
func (r *Request) redactNotes(notes []applyset.Note) (out []applyset.Note) {
	if !r.seesSecret() {
		return notes
	}
	reported := map[sdk.Severity]bool{}
	for _, n := range notes {
		if !reported[n.Severity] {
			reported[n.Severity] = true
			out = append(out, applyset.Note{
				Severity: n.Severity,
				Message:  fmt.Sprintf("hook %s has a message, which is not shown, because the hook gets a Secret", r.Hook),
			})
		}
	}
	return out
}

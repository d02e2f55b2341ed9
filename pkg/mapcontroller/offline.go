package mapcontroller

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Offline are Hooks without a network: linked functions by name, and recorded webhooks.
type Offline struct {
	// Functions are the functions that a hook may name.
	Functions []*fn.Function
	// Recordings are recorded responses of webhooks.
	Recordings Recordings
	// Caller runs the functions that hooks name as programs and images. Nil refuses them.
	Caller fn.Caller
}

// Check implements Hooks.
func (o Offline) Check(hook *waybill.MapHook) error {
	switch f := hook.Function; {
	case f == nil:
		return nil
	case f.Name == "" && o.Caller == nil:
		return errors.New("programs and images are not run here; have `waybill fn render` or `waybill fn eval` run this function, or use cel")
	case f.Name == "":
		return o.Caller.Check(callee(f))
	case o.Find(f.Name) == nil:
		var names []string
		for _, f := range o.Functions {
			names = append(names, f.Name)
		}
		slices.Sort(names)
		return fmt.Errorf("no function %q is linked in; there are %s", truncate(f.Name), strings.Join(names, ", "))
	}
	return nil
}

// Find returns a linked function by its name; nil when there is none.
func (o Offline) Find(name string) *fn.Function {
	i := slices.IndexFunc(o.Functions, func(f *fn.Function) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return o.Functions[i]
}

// Function implements Hooks.
func (o Offline) Function(ctx context.Context, hook *waybill.FunctionHook, in *fn.Input) (*fn.Output, error) {
	if hook.Name == "" {
		return o.Caller.Call(ctx, callee(hook), in)
	}
	return o.Find(hook.Name).Apply(ctx, in), ctx.Err()
}

func callee(f *waybill.FunctionHook) fn.Callee { return fn.Callee{Exec: f.Exec, Image: f.Image} }

// Webhook implements Hooks.
func (o Offline) Webhook(_ context.Context, _ *waybill.Webhook, r *Request) (*Response, error) {
	hash, err := r.Hash()
	if err != nil {
		return nil, err
	}
	body, is := o.Recordings[hash]
	if !is {
		return nil, fmt.Errorf("no HookRecording has a response to this request, whose SHA-256 is %s", hash)
	}
	return &Response{Body: body}, nil
}

// Recordings are responses by Request.Hash.
type Recordings map[string][]byte

var hashForm = lazyregexp.New("^[0-9a-f]{64}$")

// readRecordings reads the HookRecordings among items. The results are errors: unreadable ones, and two with different
// responses to one request.
func readRecordings(items []*krm.Object) (Recordings, sdk.Results) {
	out := Recordings{}
	var faults sdk.Results
	for _, o := range workload.OfKind(items, waybill.Group, waybill.KindHookRecording) {
		faults = append(faults, out.add(o)...)
	}
	return out, faults
}

func (r Recordings) add(o *krm.Object) (faults sdk.Results) {
	recording, err := waybill.ReadHookRecording(o)
	if err != nil {
		return sdk.Results{fn.NewResult(sdk.Error, o, nil, "%s", oneLine(err.Error()))}
	}
	at := field.NewPath("spec", "responses")
	for _, hash := range slices.Sorted(maps.Keys(recording.Spec.Responses)) {
		body := recording.Spec.Responses[hash].Raw
		switch before, is := r[hash]; {
		case !hashForm.MatchString(hash):
			faults = append(faults, fn.NewResult(sdk.Error, o, at, "%q is not a SHA-256: want 64 lower-case hexadecimal digits",
				truncate(hash)))
		case is && string(before) != string(body):
			faults = append(faults, fn.NewResult(sdk.Error, o, at.Key(hash), "another HookRecording has another response"))
		}
		r[hash] = body
	}
	return faults
}

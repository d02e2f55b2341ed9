package mapcontroller

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	mapping "github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/hooks"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/inproc"
)

// functions prepares the functions that hooks name.
type functions struct {
	linked  []*fn.Function
	timeout time.Duration  // of one of these; 0: the default
	runners runner.Factory // of programs and images; nil refuses these
}

// prepare implements hooks.Options.Functions.
func (f functions) prepare(ctx context.Context, hook *waybill.FunctionHook) (hooks.Function, error) {
	run, err := f.runner(ctx, hook)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, in *fn.Input) (*fn.Output, error) { return runner.Answer(ctx, run, in) }, nil
}

var errNoRunner = errors.New("this controller runs no programs and no images; name a function that is linked in, or use cel or a webhook")

// runner is the Runner of a function. A name is that of a linked function, but not of map itself.
func (f functions) runner(ctx context.Context, hook *waybill.FunctionHook) (runner.Runner, error) {
	if hook.Name == "" && f.runners != nil {
		return f.runners.Prepare(ctx, &kptfilev1.Function{Exec: hook.Exec, Image: hook.Image})
	}
	if hook.Name == "" {
		return nil, errNoRunner
	}
	isMap := func(f *fn.Function) bool { return f.Name == mapping.Name }
	linked := mapping.Offline{Functions: slices.DeleteFunc(slices.Clone(f.linked), isMap)}
	if err := linked.Check(&waybill.MapHook{Function: hook}); err != nil {
		return nil, err
	}
	return inproc.Within(linked.Find(hook.Name), f.timeout), nil
}

// valuesFrom reads Secrets and ConfigMaps one by one, which needs no right to list them.
func valuesFrom(reader client.Reader) hooks.Values {
	return func(ctx context.Context, kind, namespace, name string) (map[string][]byte, error) {
		key := client.ObjectKey{Namespace: namespace, Name: name}
		if kind == hooks.KindSecret {
			s := &corev1.Secret{}
			err := reader.Get(ctx, key, s)
			return s.Data, err
		}
		c, data := &corev1.ConfigMap{}, map[string][]byte{}
		err := reader.Get(ctx, key, c)
		maps.Copy(data, c.BinaryData)
		for name, text := range c.Data {
			data[name] = []byte(text)
		}
		return data, err
	}
}

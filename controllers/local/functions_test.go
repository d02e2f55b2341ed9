package local_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/kustomize"
	"github.com/waybill-dev/waybill/pkg/mutators/setlabels"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/inproc"
)

// functions runs the functions of these tests, and knows no others.
var functions runner.Factory = factory{}

type factory struct{}

func (factory) Prepare(_ context.Context, f *kptfilev1.Function) (runner.Runner, error) {
	switch f.Image {
	case "example.com/note:v1":
		return inproc.New(&fn.Function{Name: "note", Run: note}), nil
	case "example.com/refuse:v1":
		return inproc.New(&fn.Function{Name: "refuse", Run: refuse}), nil
	case "example.com/index:v1":
		return inproc.New(&fn.Function{Name: "index", Run: index}), nil
	case "example.com/kustomize:v1":
		return inproc.New(kustomize.Function), nil
	case "example.com/set-labels:v1":
		return inproc.New(setlabels.Function), nil
	}
	return nil, fmt.Errorf("image %q is not known here", f.Image)
}

// note sets an annotation note-<key> of every ConfigMap for each key of its config.
func note(_ context.Context, in *fn.Input) (*fn.Output, error) {
	if in.Config == nil {
		return nil, errors.New("note what?")
	}
	out := fn.NewOutput(in)
	for _, pair := range strings.Fields(pairs(in.Config)) {
		key, value, _ := strings.Cut(pair, "=")
		for i, o := range out.Items {
			if o.Is("", "ConfigMap") && !o.IsLocalConfig() && o.Annotation("note-"+key) != value {
				out.Items[i] = o.DeepCopy()
				out.Items[i].SetAnnotation("note-"+key, value)
			}
		}
	}
	return out, nil
}

func pairs(config *krm.Object) string {
	var b strings.Builder
	for i, n := range config.Lookup("data").Content {
		b.WriteString(n.Value + []string{"=", " "}[i%2])
	}
	return b.String()
}

// refuse finds fault with every ConfigMap called app.
func refuse(_ context.Context, in *fn.Input) (*fn.Output, error) {
	out := fn.NewOutput(in)
	for _, o := range in.Items {
		if o.Is("", "ConfigMap") && o.Name() == "app" {
			out.Report(sdk.Error, o, nil, "%s is not to my taste", o.Name())
		}
	}
	return out, nil
}

// index generates a file that holds the greeting of every ConfigMap.
func index(_ context.Context, in *fn.Input) (*fn.Output, error) {
	var names []string
	for _, o := range in.Items {
		if o.Is("", "ConfigMap") && !fn.IsGenerated(o) && !o.IsLocalConfig() {
			names = append(names, o.Name()+": "+o.String("data", "greeting"))
		}
	}
	o, err := krm.FromTyped(map[string]any{"apiVersion": "example.com/v1", "kind": "Index",
		"metadata": map[string]any{"name": "index"}, "spec": map[string]any{"greetings": names}})
	if err != nil {
		return nil, err
	}
	o.SetPath("generated/index.yaml", 0)
	return fn.Generator{Function: "index", Kinds: []string{"Index"}}.Regenerate(in, []*krm.Object{o}), nil
}

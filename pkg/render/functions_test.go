package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/inproc"
)

// functions are those that the pipelines of the cases run. Each is run both in-process and through the
// protocol, and must give the same package.
var functions = map[string]func(in *fn.Input, out *fn.Output){
	"label": func(in *fn.Input, out *fn.Output) { // adds the config's label to an annotation of every item
		edit(out, func(o *krm.Object) {
			o.SetAnnotation("seen", strings.TrimSpace(o.Annotation("seen")+" "+in.Config.String("data", "label")))
		})
	},
	"relabel": func(in *fn.Input, out *fn.Output) { // sets an annotation named like the config's label
		for i, o := range out.Items {
			if key := in.Config.String("data", "label"); o.Kind() != "Kptfile" && o.Annotation(key) != "yes" {
				out.Items[i] = o.DeepCopy()
				out.Items[i].SetAnnotation(key, "yes")
			}
		}
	},
	"note": func(in *fn.Input, out *fn.Output) { // writes the names that it sees, in order
		var names []string
		for _, o := range in.Items {
			names = append(names, o.Name())
		}
		add(out, "notes-"+in.Config.String("data", "as"), "", strings.Join(names, " "))
	},
	"move": func(_ *fn.Input, out *fn.Output) { // moves "wanderer"
		edit(out, func(o *krm.Object) {
			if o.Name() == "wanderer" {
				o.SetPath("moved/here.yaml", 0)
			}
		})
	},
	"send": func(in *fn.Input, out *fn.Output) { // moves "wanderer" to where the config says
		edit(out, func(o *krm.Object) {
			if o.Name() == "wanderer" && in.Config.String("data", "to") != "" {
				o.SetPath(in.Config.String("data", "to"), 1)
			}
		})
	},
	"annotate": func(in *fn.Input, out *fn.Output) { // sets annotations of "wanderer"; removes those without a value
		edit(out, func(o *krm.Object) {
			if o.Name() == "wanderer" {
				annotate(in, o)
			}
		})
	},
	"copy": func(in *fn.Input, out *fn.Output) { // adds a copy of "wanderer" with other annotations
		for _, o := range in.Items {
			if o.Name() == "wanderer" && len(in.Items) == 3 {
				c := o.DeepCopy()
				krm.SetField(c.Lookup("metadata"), "name", krm.StringNode("copy"))
				annotate(in, c)
				out.Items = append(out.Items, c)
			}
		}
	},
	"copy-fields": func(in *fn.Input, out *fn.Output) { // the same, field by field
		for _, o := range in.Items {
			if o.Name() == "wanderer" && len(in.Items) == 3 {
				c := krm.FromNode(krm.CopyNode(o.Node()))
				c.RemoveAnnotations(func(k string) bool { return k == krm.IDAnnotation || k == krm.LegacyIDAnnotation })
				krm.SetField(c.Lookup("metadata"), "name", krm.StringNode("copy"))
				annotate(in, c)
				out.Items = append(out.Items, c)
			}
		}
	},
	"misspell": func(_ *fn.Input, out *fn.Output) { // breaks the Kptfile
		edit(out, func(o *krm.Object) {
			if o.Kind() == "Kptfile" {
				krm.SetField(o.Node(), "pipelin", krm.MapNode())
			}
		})
	},
	"drop": func(in *fn.Input, out *fn.Output) { // drops the item that the config names
		out.Items = slices.DeleteFunc(out.Items, func(o *krm.Object) bool { return o.Name() == in.Config.String("data", "drop") })
	},
	"read": func(in *fn.Input, out *fn.Output) { // writes the files that it reads into "wanderer"
		files, err := fn.PackageFiles(in)
		text := fmt.Sprintln(err)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			text += fmt.Sprintf("%s %q\n", name, files[name])
		}
		edit(out, func(o *krm.Object) {
			if o.Name() == "wanderer" {
				krm.SetField(o.Lookup("data"), "text", krm.StringNode(text))
			}
		})
	},
	"drop-all": func(_ *fn.Input, out *fn.Output) { out.Items = nil },
	"escape":   func(_ *fn.Input, out *fn.Output) { add(out, "gone", "../../outside.yaml", "x") },
	"absolute": func(_ *fn.Input, out *fn.Output) { add(out, "abs", "/abs/file.yaml", "x") },
	"same-place": func(_ *fn.Input, out *fn.Output) {
		add(out, "twin", "a.yaml", "x")
	},
	"unnamed": func(_ *fn.Input, out *fn.Output) { add(out, "", "", "x") },
	"generate": func(_ *fn.Input, out *fn.Output) { // makes a ConfigMap without a path, in namespace ns
		add(out, "made", "", "x")
		krm.SetField(out.Items[len(out.Items)-1].Lookup("metadata"), "namespace", krm.StringNode("ns"))
	},
	"nest": func(_ *fn.Input, out *fn.Output) { // puts what is called "wanderer" into 300 maps
		edit(out, func(o *krm.Object) {
			for range 300 * len(o.String("data", "text")) {
				krm.SetField(o.Node(), "data", krm.MapNode(krm.StringNode("in"), o.Lookup("data")))
			}
		})
	},
	"fill": func(_ *fn.Input, out *fn.Output) { // sets a long text
		edit(out, func(o *krm.Object) {
			if o.Name() == "wanderer" {
				krm.SetField(o.Lookup("data"), "text", krm.StringNode(strings.Repeat("x", 200_000)))
			}
		})
	},
	"refuse": func(in *fn.Input, out *fn.Output) { out.Report(sdk.Error, in.Items[0], nil, "this is refused") },
	"reconfigure": func(_ *fn.Input, out *fn.Output) { // changes the config of a later function
		edit(out, func(o *krm.Object) {
			if o.Name() == "later" {
				krm.SetField(o.Lookup("data"), "label", krm.StringNode("changed-on-the-way"))
			}
		})
	},
}

func annotate(in *fn.Input, o *krm.Object) {
	for key, value := range krm.Fields(in.Config.Lookup("data")) {
		if value.Value == "" {
			o.RemoveAnnotations(func(k string) bool { return k == key.Value })
		} else {
			o.SetAnnotation(key.Value, value.Value)
		}
	}
}

func edit(out *fn.Output, change func(*krm.Object)) {
	for i, o := range out.Items {
		c := o.DeepCopy()
		if change(c); !krm.Same(o, c) {
			out.Items[i] = c
		}
	}
}

func add(out *fn.Output, name, path, text string) {
	o, err := krm.FromTyped(map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": name}, "data": map[string]any{"text": text}})
	if err != nil {
		panic(err)
	}
	if path != "" {
		o.SetPath(path, 0)
	}
	out.Items = append(out.Items, o)
}

// testFactory runs the functions above by image name; through says whether they cross a process
// boundary on the way.
type testFactory struct{ through bool }

func (f testFactory) Prepare(_ context.Context, k *kptfilev1.Function) (runner.Runner, error) {
	if k.Exec != "" {
		return nil, errors.New("no executables here")
	}
	run, ok := functions[k.Image]
	if !ok {
		return nil, fmt.Errorf("no function %q", k.Image)
	}
	function := &fn.Function{Name: k.Image, Run: func(_ context.Context, in *fn.Input) (*fn.Output, error) {
		out := fn.NewOutput(in)
		run(in, out)
		return out, nil
	}}
	if k.Image == "read" {
		function.Files = func(config *krm.Object) ([]string, error) {
			return strings.Fields(config.String("data", "read")), nil
		}
	}
	if f.through {
		return wired{function}, nil
	}
	return inproc.New(function), nil
}

// wired runs a function through the protocol, without a process.
type wired struct{ f *fn.Function }

func (w wired) Kind() string { return "wired" }

func (w wired) FilePaths(config *krm.Object) ([]string, error) {
	if w.f.Files == nil {
		return nil, nil
	}
	return w.f.Files(config)
}

func (w wired) Run(ctx context.Context, in *fn.Input) (*runner.Output, error) {
	return runner.Exchange(ctx, in, func(ctx context.Context, stdin []byte) ([]byte, []byte, int, error) {
		var stdout, stderr bytes.Buffer
		code := w.f.Serve(ctx, nil, bytes.NewReader(stdin), &stdout, &stderr)
		return stdout.Bytes(), stderr.Bytes(), code, nil
	})
}

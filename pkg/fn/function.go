// Package fn says what a function is: a value with a name, documentation and a pure Run.
//
// Shape: a Function takes an Input (items and an optional config) and gives an Output (items and
// results). The same value runs in-process, as a program that speaks the ResourceList protocol
// (Main), and as an SDK ResourceListProcessor (Process); all three give the same bytes.
// Items are krm Objects, not the SDK's KubeObjects, which offer no way to their nodes: sharing
// nodes is what makes a chain of functions cost one parse and one write, and what lets an
// unchanged object be recognised by its pointer. Results are the SDK's.
// Cost: in addition to the function's own, nothing in-process; a parse and a write of the list as a program.
// Errors: what is wrong with the user's resources or config is a Result of severity error; only
// input that is no ResourceList is an error of the protocol. A panic becomes an error result.
// Source: the KRM Functions Specification, ResourceList v1; exit codes as the SDKs have them.
package fn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Function is one KRM function. It is safe for concurrent use when its Run is.
type Function struct {
	// Name is the image's last part and the folder under functions/.
	Name string
	// Kind is the function's own config kind in group fn.waybill.dev, version v1alpha1.
	Kind string
	// Doc is the README the function's folder shows.
	Doc Doc
	// Run computes out from in and nothing else: no clock, network, randomness or environment.
	// It leaves in and its objects untouched; to change an object it puts a DeepCopy in its
	// place. Objects it adds are handed over. An error means Run could not start, for instance
	// because the config is invalid.
	Run func(ctx context.Context, in *Input) (*Output, error)
	// Files, if set, names the files of the package that Run reads besides its items: slash paths from the folder of
	// the package, each a file, or a folder with all files below. A path that does not exist is no error here. Run
	// gets the files by PackageFiles.
	Files func(config *krm.Object) ([]string, error)
}

// Input is the input of a function. Nothing in it may be changed.
type Input struct {
	Items  []*krm.Object
	Config *krm.Object // nil when there is none
	Files  Files       // see PackageFiles
}

// Output is the result of a function: all items, including the unchanged ones of the input, and results. An item of the
// input that is missing is deleted.
type Output struct {
	Items   []*krm.Object
	Results sdk.Results
}

// NewOutput starts an Output that holds every item of in. The list is new, the objects are shared.
func NewOutput(in *Input) *Output { return &Output{Items: slices.Clone(in.Items)} }

// Failed reports whether any result has severity error.
func (o *Output) Failed() bool {
	return slices.ContainsFunc(o.Results, func(r *sdk.Result) bool { return r.Severity == sdk.Error })
}

// Report adds a result about obj (nil: about no object in particular) at a field (nil: none).
func (o *Output) Report(sev sdk.Severity, obj *krm.Object, at *field.Path, format string, args ...any) {
	o.Results = append(o.Results, NewResult(sev, obj, at, format, args...))
}

// NewResult is a result about obj at a field; both may be nil.
func NewResult(sev sdk.Severity, obj *krm.Object, at *field.Path, format string, args ...any) *sdk.Result {
	r := &sdk.Result{Severity: sev, Message: fmt.Sprintf(format, args...)}
	if at != nil {
		r.Field = &sdk.Field{Path: at.String()}
	}
	if obj != nil {
		r.ResourceRef = &sdk.ResourceRef{
			APIVersion: obj.APIVersion(), Kind: obj.Kind(), Name: obj.Name(), Namespace: obj.Namespace(),
		}
		r.File = fileOf(obj)
	}
	return r
}

// FilePath is the file of obj as the orchestrator says it; "" when it says none. Unlike krm.Object.File it ignores where
// obj was read from: a function that runs as a program cannot know that.
func FilePath(obj *krm.Object) string {
	return cmp.Or(obj.Annotation(krm.PathAnnotation), obj.Annotation(krm.LegacyPathAnnotation))
}

// fileOf is the file and the index of obj as the orchestrator says them; nil when it says none.
func fileOf(obj *krm.Object) *sdk.File {
	file := FilePath(obj)
	if file == "" {
		return nil
	}
	index, err := strconv.Atoi(cmp.Or(obj.Annotation(krm.IndexAnnotation), obj.Annotation(krm.LegacyIndexAnnotation)))
	if err != nil || index < 0 {
		index = 0
	}
	return &sdk.File{Path: file, Index: index}
}

// Apply runs f and enforces its contract: an error becomes error results, a panic becomes an
// error result, results come in a fixed order and have a severity, and when any result is an error the items are the
// input's, unchanged. It never returns nil.
func (f *Function) Apply(ctx context.Context, in *Input) *Output {
	out, err := f.run(ctx, in)
	if out == nil {
		out = NewOutput(in)
	}
	out.Results = append(out.Results, errorResults(err, in.Config)...)
	for _, r := range out.Results {
		r.Severity = cmp.Or(r.Severity, sdk.Info)
	}
	slices.SortStableFunc(out.Results, compareResults)
	if out.Failed() {
		out.Items = slices.Clone(in.Items)
	}
	return out
}

func (f *Function) run(ctx context.Context, in *Input) (out *Output, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("function %q broke on this input: %v; please report it", f.Name, p)
		}
	}()
	return f.Run(ctx, in)
}

// errorResults are one result for each fault in err, with its field if it has one.
func errorResults(err error, config *krm.Object) (out sdk.Results) {
	if err == nil {
		return nil
	}
	// Only err itself: the parts of a wrapped one would lose the text around it.
	if many, ok := err.(interface{ Errors() []error }); ok { // an Aggregate
		for _, e := range many.Errors() {
			out = append(out, errorResults(e, config)...)
		}
		return out
	}
	r := NewResult(sdk.Error, config, nil, "%v", err)
	var at *field.Error
	if errors.As(err, &at) {
		r.Field = &sdk.Field{Path: at.Field}
	}
	return sdk.Results{r}
}

// Process makes f an SDK ResourceListProcessor. The SDK's objects hide their nodes, so items
// cross this edge as text.
func (f *Function) Process(rl *sdk.ResourceList) (bool, error) {
	in, err := fromSDK(rl)
	if err != nil {
		return false, err
	}
	out := f.Apply(context.Background(), in)
	items := make(sdk.KubeObjects, len(out.Items))
	for i, o := range out.Items {
		data, err := krm.WriteRaw(o)
		if err == nil {
			items[i], err = sdk.ParseKubeObject(data)
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", o.Describe(), err)
		}
	}
	rl.Items, rl.Results = items, append(rl.Results, out.Results...)
	return !out.Failed(), nil
}

var _ sdk.ResourceListProcessor = (*Function)(nil)

func fromSDK(rl *sdk.ResourceList) (*Input, error) {
	var items []*krm.Object
	for i, item := range rl.Items {
		objs, err := readSDK(fmt.Sprintf("items[%d]", i), item)
		if err != nil {
			return nil, err
		}
		items = append(items, objs...)
	}
	in, err := receive(items, nil)
	if err != nil {
		return nil, err
	}
	if rl.FunctionConfig == nil || rl.FunctionConfig.IsEmpty() {
		return in, nil
	}
	objs, err := readSDK("functionConfig", rl.FunctionConfig)
	if err == nil && len(objs) == 1 {
		in.Config = objs[0]
	}
	return in, err
}

// readSDK reads the text of an SDK object. Like an item of a list, the result has no source file.
func readSDK(name string, o *sdk.KubeObject) ([]*krm.Object, error) {
	objs, err := krm.Read(name, []byte(o.String()), krm.Limits{})
	for _, o := range objs {
		o.Source = krm.Source{}
	}
	return objs, err
}

package injection

import (
	"cmp"
	"context"
	_ "embed" // for the documentation
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

//go:embed inject-config.md
var readme string

// Name is the name of the function.
const Name = "inject-config"

const configKind = "InjectConfig"

// Function injects context objects of a package into its injection points.
var Function = &fn.Function{Name: Name, Kind: configKind, Doc: fn.MustDoc(readme, Name), Run: Run}

// Run fills the injection points among the items from the context objects among them, and writes the outcome of each
// into the root Kptfile. A point without a context object is no error.
func Run(_ context.Context, in *fn.Input) (*fn.Output, error) {
	r := &run{in: in}
	var err error
	r.opts, err = readOptions(in.Config)
	r.readContext()
	if err == nil {
		r.checkContext()
	}
	r.readPoints()
	if err == nil && !(&fn.Output{Results: r.results}).Failed() {
		err = r.fill()
	}
	if r.items == nil {
		r.items = in.Items
	}
	return &fn.Output{Items: r.items, Results: r.results}, err
}

// run is the state of one run.
type run struct {
	in      *fn.Input
	opts    Options
	context []*krm.Object // the context objects
	others  []*krm.Object // the other items, which may be injection points
	root    *krm.Object   // the root Kptfile; nil if there is none
	points  []point
	items   []*krm.Object // the output; nil until it is known
	results sdk.Results
}

// readPoints finds the injection points and the root Kptfile.
func (r *run) readPoints() {
	r.root = rootKptfile(r.in.Items)
	var faults pointFaults
	r.points, faults = points(fromRoot(r.others, r.root))
	for _, f := range faults {
		r.report(sdk.Error, f.object, annotationPath(PointAnnotation), "%s", f.text)
	}
	if len(r.points) == 0 {
		return
	}
	if err := checkRoot(r.root, r.points); err != nil {
		r.report(sdk.Error, nil, nil, "%v", err)
	}
}

// fill injects, and replaces the items that change.
func (r *run) fill() error {
	done, err := fill(r.points, r.opts.Injectors, FromObjects(r.context, r.opts.Namespace))
	if err != nil {
		return err
	}
	items := slices.Clone(r.in.Items)
	for i, o := range items {
		items[i] = cmp.Or(done.Changed[o], o)
		if o == r.root {
			items[i] = r.record(done.Outcomes, items[i])
		}
	}
	r.reportOutcomes(done.Outcomes)
	r.items = items
	return nil
}

// reportOutcomes reports every point without a value.
func (r *run) reportOutcomes(outcomes Outcomes) {
	for i, o := range outcomes {
		if o.Source != "" {
			continue
		}
		severity := sdk.Info
		if o.Required {
			severity = sdk.Warning
		}
		point, stays := r.points[i].object, ""
		if earlier := point.Annotation(SourceAnnotation); earlier != "" {
			stays = "; the value from " + earlier + " stays"
		}
		r.report(severity, point, annotationPath(PointAnnotation), "nothing is injected: %s%s", o.Condition().Message, stays)
	}
}

func (r *run) report(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	r.results = append(r.results, fn.NewResult(sev, o, at, format, args...))
}

package injection

import (
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

// Name is the function's.
const Name = "inject-config"

const configKind = "InjectConfig"

// Function injects context objects of a package into its injection points.
var Function = &fn.Function{Name: Name, Kind: configKind, Doc: fn.MustDoc(readme, Name), Run: Run}

// Run fills the injection points among the items from the context objects among them, and writes
// into the root Kptfile what became of each. A point that nothing was found for is no error.
func Run(_ context.Context, in *fn.Input) (*fn.Output, error) {
	p := &parcel{in: in}
	var err error
	p.opts, err = readOptions(in.Config)
	p.readContext()
	if err == nil {
		p.checkContext()
	}
	p.readPoints()
	if err == nil && !(&fn.Output{Results: p.results}).Failed() {
		err = p.fill()
	}
	if p.items == nil {
		p.items = in.Items
	}
	return &fn.Output{Items: p.items, Results: p.results}, err
}

// parcel holds what one run works with.
type parcel struct {
	in      *fn.Input
	opts    Options
	context []*krm.Object // what may be injected
	others  []*krm.Object // what may be injection points
	root    *krm.Object   // the root Kptfile; nil when there is none
	points  []point
	items   []*krm.Object // what comes out; nil until it is known
	results sdk.Results
}

// readPoints finds the injection points and the Kptfile that tells of them.
func (p *parcel) readPoints() {
	p.root = rootKptfile(p.in.Items)
	var faults pointFaults
	p.points, faults = points(fromRoot(p.others, p.root))
	for _, f := range faults {
		p.report(sdk.Error, f.object, annotationPath(PointAnnotation), "%s", f.text)
	}
	if len(p.points) == 0 {
		return
	}
	if err := checkRoot(p.root, p.points); err != nil {
		p.report(sdk.Error, nil, nil, "%v", err)
	}
}

// fill injects, and puts what changed in the place of what it was.
func (p *parcel) fill() error {
	done, err := fill(p.points, p.opts.Injectors, FromObjects(p.context, p.opts.Namespace))
	if err != nil {
		return err
	}
	items := slices.Clone(p.in.Items)
	root := -1
	for i, o := range items {
		if o == p.root {
			root = i
		}
		if n := done.Changed[o]; n != nil {
			items[i] = n
		}
	}
	if root >= 0 {
		items[root] = p.record(done.Outcomes, items[root])
	}
	p.reportOutcomes(done.Outcomes)
	p.items = items
	return nil
}

// reportOutcomes tells of every point that nothing was injected into.
func (p *parcel) reportOutcomes(outcomes Outcomes) {
	for i, o := range outcomes {
		if o.Source != "" {
			continue
		}
		severity := sdk.Info
		if o.Required {
			severity = sdk.Warning
		}
		point, stays := p.points[i].object, ""
		if earlier := point.Annotation(SourceAnnotation); earlier != "" {
			stays = "; what was injected from " + earlier + " stays"
		}
		p.report(severity, point, annotationPath(PointAnnotation), "nothing is injected: %s%s", o.Condition().Message, stays)
	}
}

func (p *parcel) report(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	p.results = append(p.results, fn.NewResult(sev, o, at, format, args...))
}

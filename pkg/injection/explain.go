package injection

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Explain returns the context object that inject-config with the input in injects into o, and the field that it copies; nil
// if it injects nothing there.
func Explain(in *fn.Input, o *krm.Object) (source *krm.Object, field string) {
	opts, err := readOptions(in.Config)
	if err != nil || !o.HasAnnotation(PointAnnotation) {
		return nil, ""
	}
	r := &run{in: in, opts: opts}
	r.readContext()
	source, _ = newChooser(opts.Injectors, FromObjects(r.context, opts.Namespace)).find(o)
	return source, injectedField(o)
}

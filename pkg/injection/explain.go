package injection

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Explain returns the context object that inject-config, given in, injects into o, and the field that it copies; nil
// when it injects nothing there.
func Explain(in *fn.Input, o *krm.Object) (source *krm.Object, field string) {
	opts, err := readOptions(in.Config)
	if err != nil || !o.HasAnnotation(PointAnnotation) {
		return nil, ""
	}
	p := &parcel{in: in, opts: opts}
	p.readContext()
	source, _ = newChooser(opts.Injectors, FromObjects(p.context, opts.Namespace)).find(o)
	return source, injectedField(o)
}

package fleet

import (
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/fleet/objectdiff"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// side is one side of a pair, parsed; its object is nil when there is none.
type side struct {
	object *krm.Object
	text   []byte
}

type sides struct{ before, after side }

func (p *pair) parse() (s sides, err error) {
	if s.before, err = p.side(p.before); err == nil {
		s.after, err = p.side(p.after)
	}
	return s, err
}

func (p *pair) side(c *Content) (s side, err error) {
	if c == nil {
		return s, nil
	}
	s.text = c.YAML()
	if s.object, err = c.parse(s.text); err != nil {
		return s, p.fault(err)
	}
	if p.itself {
		manifestwork.KeyConfigs(s.object)
	}
	if other := objectdiff.AsReceived(s.object.Node()); p.itself || other {
		s.text, err = krm.WriteRaw(s.object)
	}
	return s, err
}

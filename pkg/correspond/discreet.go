package correspond

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// seesSecret reports whether a Secret is among what the outputs of a group are made of, as far as Run knows.
func (g *group) seesSecret() bool {
	is := func(o *krm.Object) bool { return o != nil && g.run.isSecret(o.ID()) }
	return is(g.Input) || is(g.OwnerObject) || slices.ContainsFunc(g.Outputs, is)
}

// named is an output for a message about g. The name of one that is not there may be the value of a secret.
func (r *run) named(g *group, ref Ref) string {
	if g.discreet && r.byRef[ref] == nil {
		return "(its name may be secret)"
	}
	return ref.String()
}

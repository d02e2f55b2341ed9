package binding

import (
	"path"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// refuseNested refuses a policy of a subpackage whose pipeline also runs this function, if it selects an object outside of the
// subpackage. That pipeline does not see the object: it removes it from the works, and the next one adds it again, without a
// hand-over.
func (r *resolver) refuseNested(items []*krm.Object) {
	for _, k := range items {
		if !k.Is("kpt.dev", "Kptfile") || !resolves(k) {
			continue
		}
		outside := func(e match.Pick) bool { return !below(k, e.Object) }
		for _, p := range r.policies {
			if !below(k, p.Object) {
				continue
			}
			if i := slices.IndexFunc(p.Picks, outside); i >= 0 {
				r.report(sdk.Error, p.Object, nil, "the policy is in subpackage %q and selects %s, which is outside: "+
					"the pipeline of %s/Kptfile also runs %s, and does not see that object; "+
					"remove %[4]s and the functions after it from that pipeline (the outer one runs them for all), or let the policy select less",
					fn.Folder(k), p.Picks[i].Object.Describe(), fn.Folder(k), Name)
			}
		}
	}
}

// below reports whether o is in the package of a Kptfile or in a subpackage of it.
func below(kptfile, o *krm.Object) bool {
	dir := fn.Folder(kptfile)
	return dir == "" || strings.HasPrefix(fn.Folder(o)+"/", dir+"/")
}

// resolves reports whether the pipeline of a Kptfile runs this function.
func resolves(kptfile *krm.Object) bool {
	mutators := krm.Deref(kptfile.Lookup("pipeline", "mutators"))
	return mutators != nil && slices.ContainsFunc(mutators.Content, func(step *yaml.Node) bool {
		return runs(krm.Lookup(step, "image")) || runs(krm.Lookup(step, "exec"))
	})
}

// runs reports whether n is the image of this function, with or without a tag and a digest, or its command.
func runs(n *yaml.Node) bool {
	if n == nil {
		return false
	}
	command, _, _ := strings.Cut(strings.TrimSpace(krm.Deref(n).Value), " ")
	image, _, _ := strings.Cut(command, "@")
	name, _, _ := strings.Cut(path.Base(image), ":")
	return name == Name
}

package explain

import (
	"context"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/sides"
	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// find finds clusters and, behind CLUSTER/, the objects that it receives or could receive. It renders nothing: objects are
// those of committed works and of the files of the package.
func (e *command) find(_ context.Context, args []string, word string) ([]cli.Proposal, error) {
	if len(args) > 0 {
		return nil, nil
	}
	tree, err := sides.ReadFolder(e.dir)
	if err != nil {
		return nil, err
	}
	cluster, _, objects := strings.Cut(word, "/")
	if !objects {
		names, err := sides.ClusterNames(tree)
		return cli.Texts(names...), err
	}
	ids, err := objectsFor(tree, cluster)
	return cli.WithPrefix(cluster+"/", titles(ids)), err
}

// objectsFor are the objects that a cluster receives, and those in the files of the package.
func objectsFor(tree pkgtree.Tree, cluster string) (ids map[krm.ID]bool, err error) {
	ids = map[krm.ID]bool{}
	delivered, err := fleet.Read(tree, nil)
	if err != nil {
		return nil, err
	}
	all, err := delivered.Delivered(cluster)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		if id, err := d.Content.ID(); err == nil && !d.Itself {
			ids[id] = true
		}
	}
	for o := range sides.SourceObjects(tree, "") {
		if workload.IsWorkload(o) && o.Group() != control.Group {
			ids[o.ID()] = true
		}
	}
	return ids, nil
}

// titles name objects as questions do: KIND/NAMESPACE/NAME, with the group where kinds of several groups have the name.
func titles(ids map[krm.ID]bool) (out []string) {
	groups := map[string]map[string]bool{}
	for id := range ids {
		if groups[id.Kind] == nil {
			groups[id.Kind] = map[string]bool{}
		}
		groups[id.Kind][id.Group] = true
	}
	for id := range ids {
		kind := strings.ToLower(id.Kind)
		if len(groups[id.Kind]) > 1 && id.Group != "" {
			kind += "." + id.Group
		}
		if id.Namespace == "" {
			out = append(out, fmt.Sprintf("%s/%s", kind, id.Name))
		} else {
			out = append(out, fmt.Sprintf("%s/%s/%s", kind, id.Namespace, id.Name))
		}
	}
	return out
}

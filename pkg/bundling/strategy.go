package bundling

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// StrategyAnnotation names the update strategy of one object. It stays in the package.
const StrategyAnnotation = fn.ReservedPrefix + "update-strategy"

// OCM's update strategies.
const serverSideApply, update, createOnly, readOnly = "ServerSideApply", "Update", "CreateOnly", "ReadOnly"

var updateStrategies = []string{serverSideApply, update, createOnly, readOnly}

// kindName is a kind without its version.
type kindName struct{ group, kind string }

// readStrategies reads option updateStrategies: Kind.group=Strategy, several parted by ";".
func readStrategies(text string, at *field.Path) (map[kindName]string, field.ErrorList) {
	out, errs := map[kindName]string{}, field.ErrorList{}
	for part := range strings.SplitSeq(text, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		of, strategy, found := strings.Cut(strings.TrimSpace(part), "=")
		kind, group, _ := strings.Cut(of, ".")
		_, twice := out[kindName{group, kind}]
		switch {
		case !found || kind == "" || !slices.Contains(updateStrategies, strategy):
			errs = append(errs, field.Invalid(at, part, "want Kind.group=Strategy, such as Job.batch=CreateOnly; the strategies are "+
				strings.Join(updateStrategies, ", ")))
		case twice:
			errs = append(errs, field.Duplicate(at, of))
		default:
			out[kindName{group, kind}] = strategy
		}
	}
	return out, errs
}

// strategyNode is a strategy in a work. Server-side apply takes fields that others have set, as Update does.
func strategyNode(strategy string) *yaml.Node {
	n := manifest.Map("type", strategy)
	if strategy == serverSideApply {
		force := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagBool, Value: "true"}
		krm.SetField(n, serverSideField, manifest.Map("force", force))
	}
	return n
}

const serverSideField = "serverSideApply"

func (k kindName) String() string { return strings.TrimSuffix(k.kind+"."+k.group, ".") }

func compareKinds(a, b kindName) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.group, b.group))
}

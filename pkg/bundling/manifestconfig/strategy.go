package manifestconfig

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// StrategyAnnotation names the update strategy of one object. It stays in the package.
const StrategyAnnotation = fn.ReservedPrefix + "update-strategy"

// OCM's update strategies.
const ServerSideApply, Update, CreateOnly, ReadOnly = "ServerSideApply", "Update", "CreateOnly", "ReadOnly"

var UpdateStrategies = []string{ServerSideApply, Update, CreateOnly, ReadOnly}

// ReadStrategies reads option updateStrategies: Kind.group=Strategy, several parted by ";".
func ReadStrategies(text string, at *field.Path) (map[schema.GroupKind]string, field.ErrorList) {
	out, errs := map[schema.GroupKind]string{}, field.ErrorList{}
	for part := range strings.SplitSeq(text, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		of, strategy, found := strings.Cut(strings.TrimSpace(part), "=")
		kind, group, _ := strings.Cut(of, ".")
		_, twice := out[schema.GroupKind{Group: group, Kind: kind}]
		switch {
		case !found || kind == "" || !slices.Contains(UpdateStrategies, strategy):
			errs = append(errs, field.Invalid(at, part, "want Kind.group=Strategy, such as Job.batch=CreateOnly; the strategies are "+
				strings.Join(UpdateStrategies, ", ")))
		case twice:
			errs = append(errs, field.Duplicate(at, of))
		default:
			out[schema.GroupKind{Group: group, Kind: kind}] = strategy
		}
	}
	return out, errs
}

// strategyNode is a strategy in a work. Server-side apply takes fields that others have set, as Update does.
func strategyNode(strategy string) *yaml.Node {
	n := manifest.Map("type", strategy)
	if strategy == ServerSideApply {
		force := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagBool, Value: "true"}
		krm.SetField(n, serverSideField, manifest.Map("force", force))
	}
	return n
}

const serverSideField = "serverSideApply"

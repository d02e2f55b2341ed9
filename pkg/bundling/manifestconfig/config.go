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
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Config is what a work tells agents about one of its objects, or about all objects of a resource. An agent may
// take only the first config that matches an object, so one config holds all settings of the object.
type Config struct {
	Node   *yaml.Node
	Text   string
	Length int // of its compact JSON

	Resource Resource
	Explicit bool // names the strategy even if it is OCM's default
	Settings
}

// Write makes the node and the text of c.
func (c *Config) Write() (err error) {
	c.Node = manifest.Map("resourceIdentifier", c.Resource.Identifier())
	if c.Explicit || c.Strategy != Update {
		krm.SetField(c.Node, "updateStrategy", strategyNode(c.Strategy))
	}
	if c.Rules != (rules{}) {
		krm.SetField(c.Node, "feedbackRules", c.Rules.feedback)
		krm.SetField(c.Node, "conditionRules", c.Rules.conditions)
	}
	if c.Length, err = manifest.JSONSize(c.Node); err != nil {
		return err
	}
	c.Text, err = manifest.ConfigText(c.Node)
	return err
}

// Settings say how agents treat an object.
type Settings struct {
	Strategy string
	Rules    rules
}

// StrategyAnnotation is the update strategy of one object. The annotation does not ship.
const StrategyAnnotation = fn.ReservedPrefix + "update-strategy"

// OCM's update strategies.
const (
	ServerSideApply = "ServerSideApply"
	Update          = "Update"
	CreateOnly      = "CreateOnly"
	ReadOnly        = "ReadOnly"
)

// UpdateStrategies are all of them.
var UpdateStrategies = []string{ServerSideApply, Update, CreateOnly, ReadOnly}

// ReadStrategies reads the option updateStrategies.
func ReadStrategies(text string, at *field.Path) (map[schema.GroupKind]string, field.ErrorList) {
	return readByKind(text, at, "Kind.group=Strategy, such as Job.batch=CreateOnly; the strategies are ", UpdateStrategies)
}

// ReadPolicies reads the option propagationPolicies.
func ReadPolicies(text string, at *field.Path) (map[schema.GroupKind]string, field.ErrorList) {
	return readByKind(text, at, "Kind.group=Policy, such as Certificate.cert-manager.io=Orphan; the policies are ",
		[]string{workload.Foreground, workload.Orphan})
}

// readByKind reads a list of Kind.group=Value with ";" between them.
func readByKind(text string, at *field.Path, want string, values []string) (map[schema.GroupKind]string, field.ErrorList) {
	out, errs := map[schema.GroupKind]string{}, field.ErrorList{}
	for part := range strings.SplitSeq(text, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		of, value, found := strings.Cut(strings.TrimSpace(part), "=")
		kind, group, _ := strings.Cut(of, ".")
		_, twice := out[schema.GroupKind{Group: group, Kind: kind}]
		switch {
		case !found || kind == "" || !slices.Contains(values, value):
			errs = append(errs, field.Invalid(at, part, "want "+want+strings.Join(values, ", ")))
		case twice:
			errs = append(errs, field.Duplicate(at, of))
		default:
			out[schema.GroupKind{Group: group, Kind: kind}] = value
		}
	}
	return out, errs
}

// strategyNode is a strategy in a work. Server-side apply takes over fields that others have set, as Update does.
func strategyNode(strategy string) *yaml.Node {
	n := manifest.Map("type", strategy)
	if strategy == ServerSideApply {
		force := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagBool, Value: "true"}
		krm.SetField(n, "serverSideApply", manifest.Map("force", force))
	}
	return n
}

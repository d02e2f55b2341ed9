package explain

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/template/expansion"
	"github.com/waybill-dev/waybill/pkg/transform"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// inputs are what a step took a value from, as far as that shows: the context object that it injected, or the entries of
// its config that a setter comment names or that only the new value contains.
func (l *lineage) inputs(was, is *stage, p Path) []waybill.ExplainedInput {
	if functionName(is.trace) == injection.Function.Name {
		return l.pack.injected(was, is, p)
	}
	config := is.trace.Config
	value := is.at(p)
	if config == nil || value == nil || value.Kind != yaml.ScalarNode || config.Is("", "Secret") {
		return nil
	}
	var before *yaml.Node
	if before = was.at(p); before == nil {
		before = &yaml.Node{Kind: yaml.ScalarNode}
	}
	var out []waybill.ExplainedInput
	setters := settersIn(was, p)
	for _, at := range leaves(config.Node(), nil) {
		entry := at.find(config.Node())
		if at[0].name == "metadata" || at[0].name == "kind" || at[0].name == "apiVersion" || entry.Kind != yaml.ScalarNode || entry.Value == "" {
			continue
		}
		named := slices.Contains(setters, at[len(at)-1].name)
		if named || len(setters) == 0 && shows(entry.Value, value.Value) && !strings.Contains(before.Value, entry.Value) {
			out = append(out, l.pack.entry(is.trace, config, at, entry))
		}
	}
	return out
}

// shows reports whether a value seems to contain an entry of a config: too many values contain a single letter.
func shows(entry, value string) bool {
	return entry == value || len(entry) > 1 && strings.Contains(value, entry)
}

func (p *renderedPackage) entry(t *render.Trace, config *krm.Object, at Path, value *yaml.Node) waybill.ExplainedInput {
	in := waybill.ExplainedInput{Of: "config", Name: at.String(), Value: textOf(value)}
	if t.Function.ConfigPath != "" {
		in.Place = p.place(config, p.stepsBefore(t), at)
	} else if k := p.kptfile(t.Folder); k != nil {
		in.Name = at[len(at)-1].name
		in.Place = p.read(k, inPipeline(t, "configMap", in.Name))
	}
	return in
}

var setterName = lazyregexp.New(`\$\{([^}]*)\}`)

// settersIn are the names of the setters in the comment beside a value: kpt-set: ${name}.
func settersIn(s *stage, p Path) (names []string) {
	n := s.at(p)
	if n == nil {
		return nil
	}
	_, pattern, _ := strings.Cut(n.LineComment, "kpt-set:")
	for _, m := range setterName.FindAllStringSubmatch(pattern, -1) {
		names = append(names, m[1])
	}
	return names
}

func (p *renderedPackage) injected(was, is *stage, at Path) []waybill.ExplainedInput {
	if was == nil {
		return nil
	}
	t := is.trace
	source, field := injection.Explain(&fn.Input{Items: t.Given, Config: t.Config}, was.object)
	if source == nil || len(at) == 0 || at[0].name != field {
		return nil
	}
	return []waybill.ExplainedInput{{Of: "context", Name: source.Title() + " " + at.String(), Place: p.place(source, p.stepsBefore(t), at)}}
}

func (l *lineage) remover(was, is *stage, p Path) []waybill.ExplainedInput {
	id := krm.FromNode(was.node).ID()
	by, entry := transform.Remover(is.trace.Given, id.Group, l.pack.kinds().Lookup(id.Group, id.Kind).Plural, fieldNames(p))
	if by == nil {
		return nil
	}
	at := itemOf(entry, "spec", "remove")
	return []waybill.ExplainedInput{{Of: "transform", Name: by.Title(), Value: textOf(at.find(by.Node())),
		Place: l.pack.place(by, l.pack.stepsBefore(is.trace), at)}}
}

// properties are the properties that a template names, as the cluster has them.
func (p *renderedPackage) properties(m *producer, t *render.Trace, template string) (out []waybill.ExplainedInput) {
	cluster := m.cluster
	for _, name := range expansion.Reads(template) {
		in := waybill.ExplainedInput{Of: "property", Name: name}
		if value, known := m.Properties[name]; known {
			in.Value, in.Place = textOf(krm.StringNode(value)), p.property(t, cluster, name)
		}
		out = append(out, in)
	}
	return out
}

// property is the place of a property of a cluster: the ConfigMap of its properties, else its annotations, else its labels.
// The last object that has it counts.
func (p *renderedPackage) property(t *render.Trace, cluster, name string) *waybill.ExplainedPlace {
	steps := p.stepsBefore(t)
	var found *waybill.ExplainedPlace
	rank := -1
	offer := func(r int, o *krm.Object, at Path) {
		if r > rank && at.find(o.Node()) != nil {
			rank, found = r, p.place(o, steps, at)
		}
	}
	for _, o := range t.Given {
		switch {
		case o.Is(workload.ManagedClusterKind.Group, workload.ManagedClusterKind.Kind) && o.Name() == cluster:
			offer(0, o, names("metadata", "labels", name))
			offer(1, o, names("metadata", "annotations", name))
		case o.Is(workload.InventoryKind.Group, workload.InventoryKind.Kind):
			at := entryOf(cluster)
			for r, part := range []string{"labels", "annotations", "properties"} {
				offer(r, o, append(slices.Clip(at), names(part, name)...))
			}
		case o.Is("", "ConfigMap") && o.Namespace() == workload.PropertyNamespace && o.Name() == cluster:
			offer(3, o, names("data", name))
			offer(4, o, names("binaryData", name))
		}
	}
	return found
}

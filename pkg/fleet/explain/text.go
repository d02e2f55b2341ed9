package explain

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/format"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/style"
)

type page struct {
	strings.Builder
	colors style.Palette
}

// Text writes x for a terminal, in the colours of out. It escapes names and values, so that they cannot act on the terminal.
func Text(out io.Writer, x *waybill.FleetExplanation) error {
	p := &page{colors: style.Of(out)}
	x = grouped(x)
	p.heading("%s", x.Says)
	switch {
	case x.Fields != nil:
		p.fields(x)
	case x.Question.Kind == "":
		p.cluster(x)
		p.handOvers(x)
	default:
		p.object(x)
	}
	_, err := io.WriteString(out, p.String())
	return err
}

// grouped adds the API group to a kind that several groups of the delivered objects have.
func grouped(x *waybill.FleetExplanation) *waybill.FleetExplanation {
	out := *x
	out.Deliveries = slices.Clone(x.Deliveries)
	var objects []*waybill.PreviewObject
	for i := range out.Deliveries {
		objects = append(objects, &out.Deliveries[i].Object)
	}
	format.AddGroups(objects)
	return &out
}

// line writes one line, indented. It escapes its arguments.
func (p *page) line(indent int, format string, args ...any) {
	p.WriteString(escaped(indent, format, args) + "\n")
}

// heading writes a line that stands out. Empty lines before it stay outside of its style.
func (p *page) heading(format string, args ...any) {
	words := strings.TrimLeft(format, "\n")
	p.WriteString(format[:len(format)-len(words)] + p.colors.Paint(style.Heading, escaped(0, words, args)) + "\n")
}

func escaped(indent int, format string, args []any) string {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = safetext.Visible(s)
		}
	}
	return strings.TrimRight(fmt.Sprintf(strings.Repeat("  ", indent)+format, args...), " ")
}

func behind(p *waybill.ExplainedPlace) string {
	if p == nil {
		return ""
	}
	return " (" + describePlace(p) + ")"
}

func labels(set map[string]string) string {
	if len(set) == 0 {
		return "none"
	}
	return joined(slices.Sorted(maps.Keys(set)), ", ", func(key string) string { return key + "=" + set[key] })
}

// joined is the texts of items in one line.
func joined[T any](items []T, separator string, text func(T) string) string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = text(item)
	}
	return strings.Join(out, separator)
}

// cluster prints what a cluster receives, by policy.
func (p *page) cluster(x *waybill.FleetExplanation) {
	p.clusterLine(x)
	by := map[string][]waybill.ExplainedDelivery{}
	var order []string
	for _, d := range x.Deliveries {
		key := describeDelivery(&d)
		if d.Policy == "" && d.Binding == "" && d.Work == "" {
			key = "in files of their own"
		}
		if by[key] == nil {
			order = append(order, key)
		}
		by[key] = append(by[key], d)
	}
	slices.Sort(order)
	for _, key := range order {
		p.group(x, key, by[key])
	}
	p.others(x, by)
}

func (p *page) clusterLine(x *waybill.FleetExplanation) {
	if !x.Cluster.Known {
		if len(x.Deliveries) > 0 {
			p.line(0, "\nNo inventory names it.")
		}
		return
	}
	p.line(0, "\nLabels: %s%s", labels(x.Cluster.Labels), behind(x.Cluster.Place))
}

// group prints what one policy sends, work by work.
func (p *page) group(x *waybill.FleetExplanation, key string, all []waybill.ExplainedDelivery) {
	p.heading("\n%s: %s", strings.ToUpper(key[:1])+key[1:], selection.Count(len(all), "object"))
	for _, policy := range x.Policies {
		if policy.Name == all[0].Policy {
			p.because(&policy)
		}
	}
	width := 0
	for _, d := range all {
		width = max(width, min(mostPadded, utf8.RuneCountInString(safetext.Visible(krm.ID(d.Object).Title()))))
	}
	for i, d := range all {
		if d.Work != "" && (i == 0 || all[i-1].File != d.File || all[i-1].Work != d.Work) {
			p.line(1, "work %s (%s)", d.Work, d.File)
		}
		name, from := safetext.Visible(krm.ID(d.Object).Title()), d.File
		if d.Source != nil {
			from = describePlace(d.Source)
		}
		p.line(2, "%-*s  %s", width, name, from)
	}
}

// mostPadded is the widest column; longer names do not move the next one.
const mostPadded = 60

func (p *page) because(policy *waybill.ExplainedPolicy) {
	for _, t := range policy.Cluster {
		if t.Holds {
			p.line(1, "selects the cluster by %s%s", conditions(t), behind(&t.Place))
		}
	}
}

// others prints the policies that send the cluster nothing.
func (p *page) others(x *waybill.FleetExplanation, by map[string][]waybill.ExplainedDelivery) {
	if !x.Cluster.Known { // no policy can select it
		return
	}
	headed := false
	for _, policy := range x.Policies {
		if by["by policy "+policy.Name] != nil {
			continue
		}
		if !headed {
			p.heading("\nPolicies that send nothing:")
			headed = true
		}
		why := policy.Why
		switch {
		case policy.Selects && policy.Objects == 0:
			why = "it selects the cluster, but no object"
		case policy.Selects:
			why = "it selects the cluster and " + selection.Count(policy.Objects, "object") + ", but no function of the pipeline bundles its Binding"
		}
		p.line(1, "%s: %s%s", policy.Name, why, behind(&policy.Place))
	}
}

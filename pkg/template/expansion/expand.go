package expansion

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template"
)

const (
	// maxExpanded bounds what all templates of one object may give together, in bytes.
	maxExpanded = 16 << 20
	// maxSaid bounds the text of all errors of one object: ten thousand short templates can each
	// have a long one.
	maxSaid = 1 << 20
)

// Expand is the object for one cluster, as if that were all of the run: Build of what Fill gives.
func (t *Template) Expand(cluster string, props map[string]string) (*krm.Object, []error) {
	values, errs := t.Fill(NewAllowance(), cluster, props)
	if len(errs) > 0 {
		return nil, errs
	}
	return t.Build(values), nil
}

// Build is the object with values, as Fill gives them, in place of its templates. It shares what no
// template touches with every other one from t: do not edit it.
func (t *Template) Build(values []string) *krm.Object {
	o := krm.FromNode(t.root.build(values))
	o.Source = t.source
	return o
}

// Fill is what each template gives for one cluster, in the order of Places. props is what
// Properties gave; it is only read. When any template fails there are no values, and one error per
// template in the order of their paths, as many as fit into maxSaid. What it took is drawn from a.
func (t *Template) Fill(a *Allowance, cluster string, props map[string]string) ([]string, []error) {
	m := t.machines.Get().(*machine)
	defer t.machines.Put(m)
	f := t.fill(m, cluster, props)
	work := m.budget.work
	if len(f.errs) > 0 {
		work *= 2 // what failed was done again for the text of its error
	}
	if err := a.draw(work, f.total+f.said); err != nil {
		f.errs = append(f.errs, oneLine(fmt.Sprintf("template: %s/%s: %v", cluster, t.ref, err)))
	}
	if len(f.errs) > 0 {
		return nil, f.errs
	}
	return f.values, nil
}

// filling is what one object's templates gave for one cluster.
type filling struct {
	values      []string
	errs        []error
	total, said int // bytes of all values, of all errors
}

func (t *Template) fill(m *machine, cluster string, props map[string]string) filling {
	m.budget.reset()
	f := filling{values: make([]string, len(t.leaves))}
	for i, l := range t.leaves {
		value, err := m.run(l, i, props)
		if f.total += len(value); err == nil && f.total > maxExpanded {
			err = template.Refuse("the templates of this object give more than %d bytes together", maxExpanded)
		}
		if err != nil {
			err = l.explain(cluster, props, err)
			f.said += len(err.Error())
			f.errs = append(f.errs, err)
		}
		if m.budget.spent() || f.total > maxExpanded {
			break // what follows was not tried, and would fail for the same reason
		}
		if f.said > maxSaid {
			f.errs = append(f.errs, fmt.Errorf("template: %s/%s: more errors than can be listed; what follows was not tried", cluster, t.ref))
			break
		}
		f.values[i] = value
	}
	return f
}

// explain turns a failure into the error users know. A template runs without the cluster in its
// name, so that it is parsed once for all; the text that names the cluster comes from doing it
// again under the full name, which fails in the same way.
func (l *leaf) explain(cluster string, props map[string]string, err error) error {
	name := cluster + "/" + l.name
	say := func(text, name string) error {
		if l.secret {
			text = silenced(text, name)
		}
		return oneLine(text)
	}
	p, again := parseChecked(name, l.text)
	r, refused := template.Refused(err)
	switch {
	case again != nil: // it does not parse or is refused for its shape
		return say(again.Error(), name)
	case refused:
		return oneLine(fmt.Sprintf("template: %s: %s", name, r.Reason))
	case l.program == nil: // broken only under its short name: it calls itself by that
		return say(err.Error(), l.name)
	}
	b := &budget{}
	if err := link(name, p, b.functions()).Execute(&output{budget: b}, props); err != nil {
		return say(unescaped(err.Error(), name), name)
	}
	return say(unescaped(err.Error(), l.name), l.name)
}

// maxErrorText bounds an error; templates can quote whole values.
const maxErrorText = 2000

// oneLine makes an error of text that stays one line and readable whatever it quotes.
func oneLine(text string) error {
	text = strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) > maxErrorText {
		cut := maxErrorText
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return errors.New(text)
}

package fntest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// CheckLaws checks f on one input. Every golden case, fuzz target and benchmark passes it. lost
// lists comments that this input may lose.
func CheckLaws(t testing.TB, f *fn.Function, in *fn.Input, lost []string) {
	t.Helper()
	for _, b := range laws(f, in, lost) {
		t.Errorf("law broken: %s%s", b.law, b.how)
	}
}

// CheckLawsOfOneRun is CheckLaws for an input on which f is not idempotent, because its config changes more each time: it
// reports whether a second run differs, and does not fail on that.
func CheckLawsOfOneRun(t testing.TB, f *fn.Function, in *fn.Input, lost []string) (differs bool) {
	t.Helper()
	for _, b := range laws(f, in, lost) {
		if strings.HasPrefix(b.law, secondRun) {
			differs = true
			continue
		}
		t.Errorf("law broken: %s%s", b.law, b.how)
	}
	return differs
}

// secondRun begins the names of the laws about running f on its own output.
const secondRun = "a second run "

// reporters are the functions that report, as the catalogue's do, what this run changed: there is less to report in a second
// run. A third run must say the same as the second.
var reporters = []string{"set-image", "delete-annotations", "remove-local-config-resources"}

// violation is one law that a function broke on one input, and how.
type violation struct{ law, how string }

// trial collects the violations of one function.
type trial struct {
	f      *fn.Function
	in     *fn.Input
	broken []violation
}

// laws returns every law that f breaks on in, in a fixed order.
func laws(f *fn.Function, in *fn.Input, lost []string) []violation {
	c := &trial{f: f, in: in}
	items, before, config := slices.Clone(in.Items), dump(in.Items), dump(of(in.Config))
	out := c.apply(in.Items)
	c.law("input untouched", before, dump(in.Items))
	c.law("config untouched", config, dump(of(in.Config)))
	if !slices.Equal(items, in.Items) {
		c.violation("input untouched", ": the list itself was changed")
		in.Items = items
	}
	c.repeat(out)
	c.reorder(out)
	c.protocol(out)
	if out.Failed() {
		c.law("after an error the items are the input's", before, dump(out.Items))
		return c.broken
	}
	c.comments(out.Items, lost)
	second := c.apply(out.Items)
	c.law(secondRun+"changes nothing", dump(out.Items), dump(second.Items))
	if slices.Contains(reporters, f.Name) {
		out, second = second, c.apply(second.Items)
	}
	c.law(secondRun+"says the same", results(out), results(second))
	return c.broken
}

func of(o *krm.Object) []*krm.Object {
	if o == nil {
		return nil
	}
	return []*krm.Object{o}
}

func (c *trial) apply(items []*krm.Object) *fn.Output {
	return c.f.Apply(context.Background(), &fn.Input{Items: items, Config: c.in.Config, Files: c.in.Files})
}

func (c *trial) law(name, want, got string) {
	if d := gocmp.Diff(want, got); d != "" {
		c.violation(name, " (-want +got):\n"+d)
	}
}

func (c *trial) violation(name, how string) { c.broken = append(c.broken, violation{name, how}) }

func (c *trial) repeat(out *fn.Output) {
	again := c.apply(c.in.Items)
	c.law("same input, same output", dump(out.Items), dump(again.Items))
	c.law("same input, same results", everything(out), everything(again))
}

func (c *trial) reorder(out *fn.Output) {
	reversed := slices.Clone(c.in.Items)
	slices.Reverse(reversed)
	half := len(c.in.Items) / 2
	rotated := slices.Concat(c.in.Items[half:], c.in.Items[:half])
	for _, o := range []struct {
		name  string
		items []*krm.Object
	}{{"reversed", reversed}, {"rotated", rotated}} {
		p := c.apply(o.items)
		c.law("items "+o.name+": same output", dump(sorted(out.Items)), dump(sorted(p.Items)))
		c.law("items "+o.name+": same results", everything(out), everything(p))
	}
}

// protocol runs f as a program would and compares with the call in-process.
func (c *trial) protocol(out *fn.Output) {
	items, err := c.in.HandOver()
	if err != nil {
		c.violation("files can be sent", ": "+err.Error())
		return
	}
	stdin, err := (&fn.List{Items: items, Config: c.in.Config}).Write()
	if err != nil {
		c.violation("input can be sent", ": "+err.Error())
		return
	}
	var stdout, stderr strings.Builder
	code := c.f.Serve(context.Background(), nil, strings.NewReader(string(stdin)), &stdout, &stderr)
	if want := map[bool]int{false: fn.ExitOK, true: fn.ExitFailed}[out.Failed()]; code != want {
		c.violation("exit status reports errors", fmt.Sprintf(": it is %d, want %d; stderr: %s", code, want, stderr.String()))
	}
	l, err := fn.ParseList([]byte(stdout.String()))
	if err != nil {
		c.violation("stdout is a ResourceList", ": "+err.Error())
		return
	}
	c.law("the same items through the protocol", outdented(dump(out.Items)), outdented(dump(l.Items)))
	c.law("new items are indented the same through the protocol", styles(out.Items, c.in.Items), styles(l.Items, c.in.Items))
	c.law("the same results through the protocol", everything(out), everything(&fn.Output{Results: l.Results}))
}

// styles are how lists in the items that were not there before are indented. Those that were there have an annotation in a render.
func styles(items, before []*krm.Object) string {
	var lines []string
	for _, o := range items {
		if !slices.ContainsFunc(before, func(was *krm.Object) bool { return was.ID() == o.ID() }) {
			lines = append(lines, o.Describe()+": "+cmp.Or(o.Annotation(krm.SeqIndentAnnotation), o.SequenceStyle()))
		}
	}
	return strings.Join(lines, "\n")
}

var commentIndent = regexp.MustCompile(`(?m)^ +#`)

// outdented is text without the indentation of comments: go-yaml reads a comment below a field without a value as a comment
// of the line above, and moves it there. A render keeps the original.
func outdented(text string) string { return commentIndent.ReplaceAllString(text, "#") }

// comments checks that the output has every comment line of an object that stays.
func (c *trial) comments(out []*krm.Object, lost []string) {
	after := map[krm.ID][]string{}
	for _, o := range out {
		after[o.ID()] = append(after[o.ID()], o.Comments()...)
	}
	for _, o := range c.in.Items {
		kept, stays := after[o.ID()]
		for _, line := range o.Comments() {
			i := slices.Index(kept, line)
			switch {
			case i >= 0:
				kept = slices.Delete(kept, i, i+1) // a line that occurs twice must occur twice in the output
			case stays && !slices.Contains(lost, line):
				c.violation("comments are kept", fmt.Sprintf(": %s lost %q", o.Describe(), line))
			}
		}
	}
}

// dump is items as text, without the comment below an object and a blank line: it belongs to the file.
func dump(items []*krm.Object) string {
	var b strings.Builder
	for _, o := range items {
		data, err := krm.WriteRaw(krm.FromNode(o.Node()))
		if err != nil {
			data = fmt.Appendf(nil, "cannot be written: %v\n", err)
		}
		b.WriteString("---\n")
		b.Write(data)
	}
	return b.String()
}

// everything is results with all their fields; FormatResult omits some.
func everything(out *fn.Output) string {
	if len(out.Results) == 0 {
		return ""
	}
	data, err := json.MarshalIndent(out.Results, "", " ")
	if err != nil {
		return fmt.Sprintf("cannot be written: %v", err)
	}
	return string(data)
}

// sorted orders items by file, index and identity.
func sorted(items []*krm.Object) []*krm.Object {
	return slices.SortedStableFunc(slices.Values(items), func(a, b *krm.Object) int {
		return cmp.Or(cmp.Compare(a.File(), b.File()), cmp.Compare(a.Index(), b.Index()),
			cmp.Compare(a.ID().String(), b.ID().String()))
	})
}

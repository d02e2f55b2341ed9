package setters

import (
	"cmp"
	"context"
	_ "embed" // for the README
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

//go:embed create-setters.md
var createReadme string

const createName, createKind = "create-setters", "CreateSetters"

// Create is create-setters: it marks the fields that contain the value of a setter with the comment that apply-setters reads.
var Create = &fn.Function{Name: createName, Kind: createKind, Doc: fn.MustDoc(createReadme, createName), Run: runCreate}

// creating is one run over all items.
type creating struct {
	lists    []namedList       // by name
	texts    *strings.Replacer // values by ${name}; nil without any
	contain  func(string) bool // whether a text contains a value
	growth   int               // how many bytes of comment a byte of text may become
	out      *fn.Output
	budget   edit.Budget
	comments int
}

// namedList is a setter of lists, with its items in order.
type namedList struct {
	name  string
	items []string
}

func runCreate(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	c, err := readSetters(in.Config)
	if err != nil {
		return nil, err
	}
	c.out, c.budget = fn.NewOutput(in), edit.NewBudget()
	for i, o := range in.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m := &marking{creating: c, object: edit.Copy(o)}
		if err := m.visit(nil, m.object.Node(), nil); err != nil {
			c.out.Report(sdk.Error, o, m.at, "%v", err)
			continue
		}
		if m.changed {
			c.out.Items[i] = m.object
		}
	}
	if c.comments == 0 && !c.out.Failed() {
		c.out.Report(sdk.Error, in.Config, edit.EntriesAt(in.Config, "setters"), "no matches for the input list of setters")
	}
	return c.out, nil
}

// readSetters separates the setters of lists from the others.
func readSetters(config *krm.Object) (*creating, error) {
	var opts Options
	err := edit.Decode(config, createKind, &opts, func(entries []edit.Entry) field.ErrorList {
		opts.Setters = edit.Texts(entries)
		return nil
	})
	if err != nil {
		return nil, err
	}
	at := edit.EntriesAt(config, "setters")
	if len(opts.Setters) == 0 {
		return nil, field.Required(at, "name at least one setter and its value")
	}
	c, names := &creating{contain: func(string) bool { return false }}, []string{}
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(opts.Setters)) {
		value := opts.Setters[name]
		switch list, err := readList(value); {
		case !isSetterName(name):
			errs = append(errs, field.Invalid(at.Key(name), field.OmitValueType{}, "want a name of one line, without braces"))
		case value == "":
			errs = append(errs, field.Required(at.Key(name), "give the value to look for; every field contains the empty text"))
		case err == nil:
			c.lists = append(c.lists, namedList{name, sortedItems(list)})
		default:
			names = append(names, name)
		}
	}
	c.replaceTexts(names, opts.Setters)
	return c, errs.ToAggregate()
}

// replaceTexts prepares the replacement of values by the names of their setters, longer values first.
func (c *creating) replaceTexts(names []string, values map[string]string) {
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(values[b]), len(values[a])) })
	var pairs []string
	for _, name := range names {
		pairs = append(pairs, values[name], "${"+name+"}")
		c.growth = max(c.growth, len(name)+3)
	}
	if len(pairs) > 0 {
		c.texts = strings.NewReplacer(pairs...)
		c.contain = func(text string) bool {
			return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, values[name]) })
		}
	}
}

func isSetterName(name string) bool {
	return name != "" && edit.IsOneLine(name) && !strings.ContainsAny(name, "{}")
}

// sortedItems are the texts of the items of a list, in order: the order of items does not count.
func sortedItems(list *yaml.Node) []string { return slices.Sorted(slices.Values(itemsOf(list))) }

func itemsOf(list *yaml.Node) []string {
	items := make([]string, len(list.Content))
	for i, n := range list.Content {
		items[i] = krm.Deref(n).Value
	}
	return items
}

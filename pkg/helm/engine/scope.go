package engine

import (
	"maps"
	"strings"
	"sync"
	gotemplate "text/template"
	"text/template/parse"

	"github.com/waybill-dev/waybill/pkg/template"
)

// rootName is what Helm calls the template that holds all others. Errors within a text for tpl have it in place of a file.
const rootName = "gotpl"

// scope is the set of templates that include and tpl see. A text for tpl that defines templates has a scope of its own.
type scope struct {
	linked *gotemplate.Template
	bound  map[string]bool // functions
}

func (r *run) newScope(trees map[string]*parse.Tree, uses []string) *scope {
	functions, bound := r.guards(), map[string]bool{}
	for _, name := range uses {
		functions[name], bound[name] = r.bind(functionsByName()[name]), true
	}
	return &scope{template.Link(rootName, trees, functions, "missingkey=zero"), bound}
}

// bind adds functions that are not there yet.
func (s *scope) bind(r *run, uses []string) {
	for _, name := range uses {
		if !s.bound[name] {
			s.bound[name] = true
			s.linked.Funcs(map[string]any{name: r.bind(functionsByName()[name])})
		}
	}
}

// includeAnew is the text of another template.
func (r *run) includeAnew(name string, data any) (string, error) {
	t := r.scope.linked.Lookup(name)
	if t == nil {
		return "", template.Refuse("no template %q", cut(name))
	}
	return r.execute(t, data)
}

func (r *run) execute(t *gotemplate.Template, data any) (string, error) {
	out := output{b: &r.budget, text: r.buffer()}
	err := t.Execute(&out, data)
	if err == nil {
		err = r.cause
	}
	made := string(out.text)
	r.spare = append(r.spare, out.text)
	return made, err
}

// buffer is an empty buffer, if possible one that was used before.
func (r *run) buffer() []byte {
	last := len(r.spare) - 1
	if last < 0 {
		return make([]byte, 0, 4<<10)
	}
	b := r.spare[last]
	r.spare = r.spare[:last]
	return b[:0]
}

// parsedText is a text for tpl.
type parsedText struct {
	main    *parse.Tree
	defines map[string]definition
	uses    []string
}

// definition is a template that a text defines. An empty one does not replace another.
type definition struct {
	tree  *parse.Tree
	empty bool
}

// tpl is a text as a template.
func (r *run) tpl(text string, data any) (string, error) {
	if !strings.Contains(text, "{{") {
		return withoutNoValue(text), nil
	}
	if err := r.Draw(2*len(text) + 10*callSteps); err != nil {
		return "", err
	}
	p, err := r.t.texts.get(text)
	if err != nil {
		return "", err
	}
	if len(p.defines) > 0 {
		outer := r.scope
		defer func() { r.scope = outer }()
		if err := r.Draw(callSteps * len(outer.linked.Templates())); err != nil {
			return "", err
		}
		r.scope = outer.with(p.defines)
	}
	r.scope.bind(r, p.uses)
	t := r.scope.linked.New(rootName) // is not added: it has no name for others
	t.Tree = p.main
	made, err := r.execute(t, data)
	return withoutNoValue(made), err
}

// with is a scope with more templates.
func (s *scope) with(defined map[string]definition) *scope {
	linked := gotemplate.Must(s.linked.Clone()) // fails for HTML alone
	linked.Option("missingkey=zero")            // is not cloned
	for name, d := range defined {
		if !d.empty || linked.Lookup(name) == nil {
			gotemplate.Must(linked.AddParseTree(name, d.tree))
		}
	}
	return &scope{linked, maps.Clone(s.bound)}
}

// textCache keeps parsed texts. When it is full it starts again.
type textCache struct {
	mu    sync.Mutex
	texts map[string]*parsedText
	bytes int
}

// maxCached is how many bytes of texts are kept.
const maxCached = 4 << 20

func (c *textCache) get(text string) (*parsedText, error) {
	c.mu.Lock()
	p := c.texts[text]
	c.mu.Unlock()
	if p != nil {
		return p, nil
	}
	p, err := parseText(text)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes += 512 + len(text); c.texts == nil || c.bytes > maxCached {
		c.texts, c.bytes = map[string]*parsedText{}, 512+len(text)
	}
	c.texts[text] = p
	return p, nil
}

func parseText(text string) (*parsedText, error) {
	trees, err := parsed(rootName, text)
	if err != nil {
		e := explainParse("", err)
		return nil, template.Refuse("the text is no template: line %d: %s", e.Line, e.Message)
	}
	used := map[string]bool{}
	p := &parsedText{main: trees[rootName], defines: map[string]definition{}}
	for name, tree := range trees {
		if name != rootName {
			p.defines[name] = definition{tree, parse.IsEmptyTree(tree.Root)}
		}
		guarded(tree, func(name string) { used[name] = true })
	}
	p.uses = functionsAmong(used)
	return p, nil
}

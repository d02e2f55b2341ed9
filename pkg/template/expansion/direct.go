package expansion

import (
	"strings"
	"text/template/parse"
)

// direct is a template that only puts properties into text, as nearly all templates do:
// "{{.registry}}/web:{{.tag}}". It is filled in without text/template.
type direct []piece

// piece is some text, or the property of that name.
type piece struct {
	text     string
	property string // "" for a piece of text
}

// asDirect returns nil for other templates. It reads trees without guards.
func asDirect(name string, trees map[string]*parse.Tree) direct {
	if len(trees) != 1 || trees[name] == nil {
		return nil
	}
	d := direct{}
	for _, n := range trees[name].Root.Nodes {
		switch n := n.(type) {
		case *parse.TextNode:
			d = append(d, piece{text: string(n.Text)})
		case *parse.ActionNode:
			property := soleProperty(n.Pipe)
			if property == "" {
				return nil
			}
			d = append(d, piece{property: property})
		default:
			return nil
		}
	}
	return d
}

// soleProperty is the property of a pipe that is nothing else, "" for other pipes.
func soleProperty(p *parse.PipeNode) string {
	if len(p.Decl) > 0 || len(p.Cmds) != 1 || len(p.Cmds[0].Args) != 1 {
		return ""
	}
	if f, ok := p.Cmds[0].Args[0].(*parse.FieldNode); ok && len(f.Ident) == 1 {
		return f.Ident[0]
	}
	return ""
}

// fill reports false when a property is missing or the result too long: running the template then gives
// the error.
func (d direct) fill(props map[string]string) (string, bool) {
	if len(d) == 1 && d[0].property != "" {
		value, known := props[d[0].property]
		return value, known && len(value) <= maxOutput
	}
	size := 0
	for _, p := range d {
		value, known := p.value(props)
		if size += len(value); !known || size > maxOutput {
			return "", false
		}
	}
	var out strings.Builder
	out.Grow(size)
	for _, p := range d {
		value, _ := p.value(props)
		out.WriteString(value)
	}
	return out.String(), true
}

func (p piece) value(props map[string]string) (string, bool) {
	if p.property == "" {
		return p.text, true
	}
	value, known := props[p.property]
	return value, known
}

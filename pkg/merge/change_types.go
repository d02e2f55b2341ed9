package merge

import (
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/schema"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// twoTypes is what is known of the type of one place on either side.
type twoTypes struct{ from, to *schema.Type }

func (t twoTypes) field(name string) twoTypes {
	return twoTypes{t.from.Field(name), t.to.Field(name)}
}

func (t twoTypes) items() twoTypes { return twoTypes{t.from.Items(), t.to.Items()} }

type kinds map[schema.Kind]*schema.Type

// definitions are the kinds that two trees define: in files that are the same, and in those of either.
type definitions struct{ both, from, to kinds }

func definitionsOf(from, to pkgtree.Tree) definitions {
	d := definitions{kinds{}, kinds{}, kinds{}}
	for p, b := range from.All() {
		if same(b, to.Blob(p)) {
			addDefined(d.both, p, b)
		} else {
			addDefined(d.from, p, b)
		}
	}
	for p, b := range to.All() {
		if !same(b, from.Blob(p)) {
			addDefined(d.to, p, b)
		}
	}
	return d
}

// typesOf is what each tree knows of the type of an object.
func (c *comparison) typesOf(from, to *krm.Object) twoTypes {
	return twoTypes{
		c.typeOf(from, func(d definitions) kinds { return d.from }),
		c.typeOf(to, func(d definitions) kinds { return d.to }),
	}
}

func (c *comparison) typeOf(o *krm.Object, own func(definitions) kinds) *schema.Type {
	if t := schema.Builtin(o.APIVersion(), o.Kind()); t != nil {
		return t
	}
	defined, kind := c.defined(), schema.Kind{APIVersion: o.APIVersion(), Kind: o.Kind()}
	if t := own(defined)[kind]; t != nil {
		return t
	}
	return defined.both[kind]
}

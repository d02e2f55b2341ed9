package diff

import (
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/merge/schema"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// typePair is the type of one place on either side.
type typePair struct{ from, to *schema.Type }

func (t typePair) field(name string) typePair {
	return typePair{t.from.Field(name), t.to.Field(name)}
}

func (t typePair) items() typePair { return typePair{t.from.Items(), t.to.Items()} }

type kinds map[schema.Kind]*schema.Type

// definitions are the kinds that the two trees define: in files that are equal in both, and in those of one.
type definitions struct{ both, from, to kinds }

func definitionsOf(from, to pkgtree.Tree) definitions {
	d := definitions{kinds{}, kinds{}, kinds{}}
	for p, b := range from.All() {
		if b.Equal(to.Blob(p)) {
			document.AddDefined(d.both, p, b)
		} else {
			document.AddDefined(d.from, p, b)
		}
	}
	for p, b := range to.All() {
		if !b.Equal(from.Blob(p)) {
			document.AddDefined(d.to, p, b)
		}
	}
	return d
}

// typesOf is the type of an object in either tree.
func (c *comparison) typesOf(from, to *krm.Object) typePair {
	return typePair{
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

package runner

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/parallel"
)

// pairs are the annotations of one meaning: path and index, each in its internal and its legacy spelling.
var pairs = [2][2]string{
	{krm.PathAnnotation, krm.LegacyPathAnnotation},
	{krm.IndexAnnotation, krm.LegacyIndexAnnotation},
}

// AlignPairs keeps the pairs of all items equal that a function returned without a process in between, as Exchange does for
// those of a process. It leaves the objects of in unchanged.
func AlignPairs(in, out []*krm.Object) error {
	var received map[krm.Origin]*krm.Object
	copies, agree := copiesOf{in: in}, make([]bool, len(out))
	parallel.For(len(out), func(i int) { agree[i] = PairsAgree(out[i]) })
	for i, o := range out {
		if agree[i] {
			continue
		}
		if received == nil {
			received = make(map[krm.Origin]*krm.Object, len(in))
			for _, old := range in {
				received[old.Origin()] = old
			}
		}
		if old := received[o.Origin()]; old != o {
			if err := copies.align(old, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// PairsAgree reports whether o has both annotations of each pair, with the same value, or none of them.
func PairsAgree(o *krm.Object) bool {
	for _, p := range pairs {
		now, legacy := o.Annotation(p[0]), o.Annotation(p[1])
		if now != legacy || now == "" && o.HasAnnotation(p[0]) != o.HasAnnotation(p[1]) {
			return false
		}
	}
	return true
}

// copiesOf finds the received item that a new item is a copy of.
type copiesOf struct {
	in []*krm.Object
	at map[filePlace]*krm.Object
}

type filePlace struct{ owner, path, index string }

// align keeps the two annotations of a pair of o equal: a missing one gets the value of the other, and if the function
// changed one, the other follows. old is what the function received for o; nil when that is not known.
func (c *copiesOf) align(old, o *krm.Object) error {
	if old == nil && !PairsAgree(o) {
		old = c.find(o)
	}
	for _, p := range pairs {
		now, legacy := o.Annotation(p[0]), o.Annotation(p[1])
		hasNow, hasLegacy := o.HasAnnotation(p[0]), o.HasAnnotation(p[1])
		switch {
		case hasNow == hasLegacy && now == legacy:
		case !hasNow:
			restoreAnnotation(old, o, p[0], legacy)
		case !hasLegacy:
			restoreAnnotation(old, o, p[1], now)
		case old != nil && now == old.Annotation(p[0]):
			o.SetAnnotation(p[0], legacy)
		case old != nil && legacy == old.Annotation(p[0]):
			o.SetAnnotation(p[1], now)
		default:
			return fmt.Errorf("%s: the function set %s to %q and %s to %q; they must agree", o.Describe(), p[0], now, p[1], legacy)
		}
	}
	return nil
}

// find is the only item that was in one of the places that the annotations of o name; nil when there are several.
func (c *copiesOf) find(o *krm.Object) (found *krm.Object) {
	if c.at == nil {
		c.at = make(map[filePlace]*krm.Object, len(c.in))
		for _, old := range c.in {
			c.at[placeOf(old, krm.PathAnnotation, krm.IndexAnnotation)] = old
		}
	}
	for _, path := range pairs[0] {
		for _, index := range pairs[1] {
			old := c.at[placeOf(o, path, index)]
			if old != nil && found != nil && old != found {
				return nil
			}
			if old != nil {
				found = old
			}
		}
	}
	return found
}

func placeOf(o *krm.Object, path, index string) filePlace {
	return filePlace{o.Annotation(krm.PackagePathAnnotation), o.Annotation(path), o.Annotation(index)}
}

// restoreAnnotation sets an annotation that o does not have, in the place that it has in old.
func restoreAnnotation(old, o *krm.Object, key, value string) {
	o.SetAnnotation(key, value)
	if old != nil && old.HasAnnotation(key) {
		syncFields(old.Lookup("metadata", "annotations"), o.Lookup("metadata", "annotations"))
	}
}

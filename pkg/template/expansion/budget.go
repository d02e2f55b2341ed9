package expansion

import (
	"reflect"

	"github.com/waybill-dev/waybill/pkg/template"
)

const (
	// maxWork bounds the work of all templates of one object for one cluster. A unit is about
	// what evaluating one field takes; the bound is far above what a manifest needs and is used
	// up within seconds.
	maxWork = 20_000_000
	// maxRounds bounds the product of the sizes of nested loops.
	maxRounds = 1_000_000

	bytesPerUnit        = 4   // of text that is formatted or escaped
	comparedPerUnit     = 256 // of text that is only compared or hashed
	rangeOverNumber     = "range over a number; only the properties can be ranged over"
	workOfOtherThanText = 64 // what formatting a number or a flag is worth, in bytes
)

// budget is what one run of an object's templates may still use.
type budget struct {
	work  int   // used so far
	loops []int // product of the sizes of the open loops, outermost first
}

func (b *budget) reset() { b.work, b.loops = 0, b.loops[:0] }

func (b *budget) spent() bool { return b.work > maxWork }

func (b *budget) spend(work int) error {
	if b.work += work; b.spent() {
		return template.Refuse("the templates of this object take too much work; use fewer or smaller loops")
	}
	return nil
}

// guards are the functions that nodes of ours call; see guard.go.
func (b *budget) guards() map[string]any {
	return map[string]any{
		guardRange: b.enter,
		guardDone:  func() string { b.loops = b.loops[:len(b.loops)-1]; return "" },
		guardSize:  b.look,
	}
}

// enter lets a loop over v begin, when v is of a kind and size that may be looped over.
func (b *budget) enter(v reflect.Value) (reflect.Value, error) {
	size := 1
	switch {
	case v.CanInt() || v.CanUint():
		return v, template.Refuse(rangeOverNumber)
	case v.Kind() == reflect.Map:
		size = max(1, v.Len())
	case v.Kind() == reflect.String: // fails on its own, and the error quotes all of it
		return v, b.spend(v.Len() / bytesPerUnit)
	}
	product := size
	if n := len(b.loops); n > 0 {
		product *= b.loops[n-1] // both below maxRounds, or refused before
	}
	if product >= maxRounds {
		return v, template.Refuse("nested loops of %d rounds together, the bound is %d", product, maxRounds)
	}
	b.loops = append(b.loops, product)
	return v, b.spend(3 * size) // its keys are sorted first
}

// look counts that v is compared or used as a key.
func (b *budget) look(v reflect.Value) (reflect.Value, error) {
	if v.Kind() != reflect.String {
		return v, nil
	}
	return v, b.spend(1 + v.Len()/comparedPerUnit)
}

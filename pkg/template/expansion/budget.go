package expansion

import (
	"cmp"
	"fmt"
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
		guardRange: b.enterLoop,
		guardDone:  func() string { b.loops = b.loops[:len(b.loops)-1]; return "" },
		guardSize:  b.measure,
	}
}

// enterLoop lets a loop over v begin, when v is of a kind and size that may be looped over.
func (b *budget) enterLoop(v reflect.Value) (reflect.Value, error) {
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

// measure counts that v is compared or used as a key.
func (b *budget) measure(v reflect.Value) (reflect.Value, error) {
	if v.Kind() != reflect.String {
		return v, nil
	}
	return v, b.spend(1 + v.Len()/comparedPerUnit)
}

// functions replace those built-in functions that make new text by ones that do the same within
// bounds.
func (b *budget) functions() map[string]any {
	functions := map[string]any{"printf": b.printf}
	for name, f := range template.Printers() {
		functions[name] = b.bounded(f)
	}
	return functions
}

// bounded looks at what goes in before f runs, and at what comes out.
func (b *budget) bounded(f func(...any) string) func(...any) (string, error) {
	return func(args ...any) (string, error) {
		size := sizeOf(args)
		if err := b.spend(size / bytesPerUnit); err != nil {
			return "", err
		}
		if size > maxOutput {
			return "", template.Refuse("a function is given more than %d bytes", maxOutput)
		}
		return b.result(f(args...))
	}
}

func (b *budget) printf(format string, args ...any) (string, error) {
	if err := b.spend((len(format) + sizeOf(args)) / bytesPerUnit); err != nil {
		return "", err
	}
	f := template.ScanFormat(format, ".")
	if reason := cmp.Or(paddingFault(f), growthFault(f, len(format), args)); reason != "" {
		return "", template.Refuse("%s", reason)
	}
	return b.result(fmt.Sprintf(format, args...))
}

// paddingFault says why a format alone is out of bounds, "" when it is not.
func paddingFault(f template.Format) string {
	if f.Padding > template.MaxPadding {
		return fmt.Sprintf("printf with a width or precision above %d", template.MaxPadding)
	}
	return ""
}

// maxTransient bounds what printf may build before its result is measured.
const maxTransient = 16 << 20

// growthFault says why a format of so many bytes is out of bounds with args, "" when it is not. Where an
// argument gives a width, no whole number among the arguments may be too large for one.
func growthFault(f template.Format, bytes int, args []any) string {
	if f.Star && template.Widest(args) > template.MaxPadding {
		return fmt.Sprintf("printf with \"*\" and a number above %d", template.MaxPadding)
	}
	grown := template.MaxGrowth * sizeOf(args)
	for i := range args {
		if f.Indexed {
			grown = max(grown, template.MaxGrowth*sizeOf(args[i:i+1])*f.Verbs)
		}
	}
	if bytes+grown+f.Padded*2*template.MaxPadding > maxTransient {
		return fmt.Sprintf("printf that could give more than %d bytes", maxTransient)
	}
	return ""
}

// result counts text whether it is too long or not: another string may try the same.
func (b *budget) result(text string) (string, error) {
	if err := b.spend(len(text) / bytesPerUnit); err != nil {
		return "", err
	}
	if len(text) > maxOutput {
		return "", template.Refuse("a function gives more than %d bytes", maxOutput)
	}
	return text, nil
}

// sizeOf is about how many bytes args take as text.
func sizeOf(args []any) (total int) {
	for _, a := range args {
		switch v := reflect.ValueOf(a); v.Kind() {
		case reflect.String:
			total += 1 + v.Len()
		case reflect.Map:
			for iter := v.MapRange(); iter.Next(); {
				total += workOfOtherThanText + iter.Key().Len() + iter.Value().Len()
			}
		default:
			total += workOfOtherThanText
		}
	}
	return total
}

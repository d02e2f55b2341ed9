package expansion

import (
	"cmp"
	"fmt"
	"reflect"

	"github.com/waybill-dev/waybill/pkg/template"
)

const (
	// maxWork limits the work of all templates of one object for one cluster. A unit is about the
	// time of evaluating one field; the limit is far above the work of real manifests, and reached
	// within seconds.
	maxWork = 20_000_000
	// maxRounds limits the product of the sizes of nested loops.
	maxRounds = 1_000_000

	bytesPerUnit        = 4   // of text that is formatted or escaped
	comparedPerUnit     = 256 // of text that is only compared or hashed
	rangeOverNumber     = "range over a number; only the properties can be ranged over"
	workOfOtherThanText = 64 // for formatting a number or a flag, in bytes
)

// budget is the used part of the budget for one run of an object's templates.
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

// guards are the functions for the calls of guard.go.
func (b *budget) guards() map[string]any {
	return map[string]any{
		guardRange: b.enterLoop,
		guardDone:  func() string { b.loops = b.loops[:len(b.loops)-1]; return "" },
		guardSize:  b.measure,
	}
}

// enterLoop begins a loop over v, when its kind and size are allowed.
func (b *budget) enterLoop(v reflect.Value) (reflect.Value, error) {
	size := 1
	switch {
	case v.CanInt() || v.CanUint():
		return v, template.Refuse(rangeOverNumber)
	case v.Kind() == reflect.Map:
		size = max(1, v.Len())
	case v.Kind() == reflect.String: // the loop fails with an error that quotes the whole text
		return v, b.spend(v.Len() / bytesPerUnit)
	}
	product := size
	if n := len(b.loops); n > 0 {
		product *= b.loops[n-1] // both below maxRounds, or refused before
	}
	if product >= maxRounds {
		return v, template.Refuse("nested loops of %d rounds together, the limit is %d", product, maxRounds)
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

// functions replace the built-in functions that make text by ones with a limit.
func (b *budget) functions() map[string]any {
	functions := map[string]any{"printf": b.printf}
	for name, f := range template.Printers() {
		functions[name] = b.bounded(f)
	}
	return functions
}

// bounded checks the arguments before f runs, and its result.
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

// paddingFault is the fault of a format beyond a limit, "" for none.
func paddingFault(f template.Format) string {
	if f.Padding > template.MaxPadding {
		return fmt.Sprintf("printf with a width or precision above %d", template.MaxPadding)
	}
	return ""
}

// maxTransient limits the text that printf may build before its result is measured.
const maxTransient = 16 << 20

// growthFault is the fault of a format of so many bytes that is beyond a limit with args, "" for none. If an
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

// result counts text even if it is too long: another string may try the same.
func (b *budget) result(text string) (string, error) {
	if err := b.spend(len(text) / bytesPerUnit); err != nil {
		return "", err
	}
	if len(text) > maxOutput {
		return "", template.Refuse("a function gives more than %d bytes", maxOutput)
	}
	return text, nil
}

// sizeOf is the estimated size of args as text.
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

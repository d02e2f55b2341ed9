package text

import (
	"fmt"

	"github.com/Masterminds/semver/v3"

	"github.com/waybill-dev/waybill/pkg/template"
)

// printing are the functions that make text of anything.
func printing() map[string]*function {
	all := map[string]*function{"printf": {make: func(b *budget) any { return b.printf }}}
	for name, f := range template.Printers() {
		all[name] = is(f)
	}
	return all
}

// printf is fmt.Sprintf within bounds.
func (b *budget) printf(format string, args ...any) (string, error) {
	e, err := b.weigh(args...)
	if err != nil {
		return "", err
	}
	f := template.ScanFormat(format, "#0+- .")
	switch {
	case f.Address:
		return "", template.Refuse("printf writes no addresses: do not use %%p")
	case f.Padding > template.MaxPadding, f.Star && template.Widest(args) > template.MaxPadding:
		return "", template.Refuse("printf with a width or precision above %d", template.MaxPadding)
	}
	times := 1
	if f.Indexed { // an argument may be used many times
		times = max(f.Verbs, 1)
	}
	padding := f.Verbs * template.MaxPadding * min(f.Padded, 1)
	if len(format)+padding+times*template.MaxGrowth*(e.bytes+e.parts*24) > maxTransient {
		return "", errTooLong
	}
	for i, a := range args {
		if version, is := a.(*semver.Version); is { // else some verbs write its address
			args[i] = version.String()
		}
	}
	return fmt.Sprintf(format, args...), nil
}

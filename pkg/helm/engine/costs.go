package engine

import (
	"fmt"
	"reflect"

	"github.com/Masterminds/semver/v3"

	"github.com/waybill-dev/waybill/pkg/template"
)

// moreCosts are the costs of functions beside those of template.Costs.
var moreCosts = map[string]func(r *run, args []any) error{
	"dict": keyed,
	"set":  changes, "unset": changes, "sortAlpha": changes, // sorts a list of texts where it is
	"slice":  func(r *run, args []any) error { return r.read(false, args[min(1, len(args)):]...) }, // an error quotes indexes
	"toJson": encodes(0), "toRawJson": encodes(0),
	"toPrettyJson": encodes(4), "toYamlPretty": encodes(4), "toToml": encodes(4),
	"merge":           merges,
	"mergeOverwrite":  merges,
	"derivePassword":  func(r *run, _ []any) error { return r.Draw(4_000_000) }, // scrypt
	"buildCustomCert": func(r *run, _ []any) error { return r.Draw(50_000) },
	"deepCopy":        func(r *run, args []any) error { return r.Draw(8 * r.Weigh(args[0])) },
	"semverCompare":   func(r *run, _ []any) error { return r.Draw(constraintSteps) },
	"has":             func(r *run, args []any) error { return r.Draw(r.Weigh(args[0])) },
}

// encodes draws the cost of a text that is written for a value, and refuses one that would be too long: a level of nesting puts
// spaces before each part.
func encodes(spaces int) func(r *run, args []any) error {
	return func(r *run, args []any) error {
		m := meter{steps: r.steps}
		if err := m.add(args[0], 1); err != nil {
			return err
		}
		if spaces*m.parts+m.bytes > maxText {
			return errText
		}
		return r.Draw(encodingSteps/2 + 8*m.parts + m.bytes/bytesPerCode)
	}
}

// keyed draws the cost of the keys of a dict, of which text is made, and of its size.
func keyed(r *run, args []any) error {
	for i := 0; i < len(args); i += 2 {
		if err := r.read(true, args[i]); err != nil {
			return err
		}
	}
	return r.Draw(len(args))
}

func changes(r *run, _ []any) error {
	r.changed()
	return nil
}

// merges draws the cost of a merge: it descends only where both dicts have a dict.
func merges(r *run, args []any) error {
	r.changed()
	for _, from := range args[min(1, len(args)):] {
		if err := r.merging(args[0], from, 1); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) merging(into, from any, level int) error {
	if level > maxDepth {
		return errDeep
	}
	to, isDict := into.(map[string]any)
	dict, both := from.(map[string]any)
	if !isDict || !both {
		return r.Draw(template.PartsOf(from))
	}
	for name, part := range dict {
		if err := r.Draw(4); err != nil {
			return err
		}
		if old, has := to[name]; has {
			if err := r.merging(old, part, level+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// sprintf writes no addresses: some verbs write that of a version.
func sprintf(format string, args []any) string {
	for i, a := range args {
		if version, is := a.(*semver.Version); is {
			args[i] = version.String()
		}
		if v := reflect.ValueOf(a); v.Kind() == reflect.Pointer && !hasText(v) && !v.IsNil() {
			args[i] = v.Elem().Interface()
		}
	}
	return fmt.Sprintf(format, args...)
}

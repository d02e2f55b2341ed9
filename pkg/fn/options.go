package fn

import (
	"errors"
	"reflect"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// decodeConfigMap reads options that are all text.
func decodeConfigMap(data *yaml.Node, opts any) (errs field.ErrorList) {
	at := field.NewPath("data")
	if data == nil || krm.IsNull(data) {
		return nil
	}
	if !krm.IsMap(data) {
		return field.ErrorList{field.TypeInvalid(at, field.OmitValueType{}, "want a map of text to text")}
	}
	options, names := optionsOf(reflect.ValueOf(opts).Elem())
	for key, value := range krm.Fields(data) {
		at, text, f := at.Child(key.Value), krm.Deref(value), options[key.Value]
		switch {
		case !f.IsValid():
			errs = append(errs, field.Forbidden(at, "unknown option; known are "+strings.Join(names, ", ")))
		case text.Kind != yaml.ScalarNode || krm.IsNull(text):
			errs = append(errs, field.TypeInvalid(at, field.OmitValueType{}, "want text"))
		default:
			if err := setOption(f, text.Value); err != nil {
				errs = append(errs, field.Invalid(at, text.Value, err.Error()))
			}
		}
	}
	return errs
}

// optionsOf are the fields of opts that are options, by the names that users give, and these names in order.
func optionsOf(opts reflect.Value) (byName map[string]reflect.Value, names []string) {
	byName = map[string]reflect.Value{}
	for f, value := range opts.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" && f.IsExported() {
			byName[name], names = value, append(names, name)
		}
	}
	return byName, names
}

// setOption reads text as the type of f. Numbers and booleans may be surrounded by blanks.
func setOption(f reflect.Value, text string) error {
	if f.Kind() == reflect.Pointer {
		f.Set(reflect.New(f.Type().Elem()))
		f = f.Elem()
	}
	word := strings.TrimSpace(text)
	switch k := f.Kind(); {
	case k == reflect.String:
		f.SetString(text)
	case k == reflect.Bool:
		if word != "true" && word != "false" {
			return errors.New("want true or false")
		}
		f.SetBool(word == "true")
	case k >= reflect.Int && k <= reflect.Int64:
		n, err := strconv.ParseInt(word, 10, f.Type().Bits())
		if err != nil {
			return errors.New("want a whole number")
		}
		f.SetInt(n)
	case k == reflect.Slice && f.Type().Elem().Kind() == reflect.String:
		setList(f, text)
	default:
		return errors.New("cannot be given in a ConfigMap; use the function's own kind")
	}
	return nil
}

// setList replaces the list f, defaults included, by the parts of text.
func setList(f reflect.Value, text string) {
	f.SetZero()
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		if part = strings.TrimSpace(part); part != "" {
			f.Set(reflect.Append(f, reflect.ValueOf(part).Convert(f.Type().Elem())))
		}
	}
}

package fn

import (
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"github.com/spf13/pflag"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

// selectorFlags are the flags that select resources.
type selectorFlags struct {
	selector            kptfilev1.Selector
	labels, annotations []string
	prefix              string
}

func (s *selectorFlags) add(flags *pflag.FlagSet, prefix, does string) {
	s.prefix = prefix
	flags.StringVar(&s.selector.APIVersion, prefix+"-api-version", "", does+" apiVersion")
	flags.StringVar(&s.selector.Kind, prefix+"-kind", "", does+" kind")
	flags.StringVar(&s.selector.Name, prefix+"-name", "", does+" name")
	flags.StringVar(&s.selector.Namespace, prefix+"-namespace", "", does+" namespace")
	flags.StringArrayVar(&s.labels, prefix+"-labels", nil, does+" label, as KEY=VALUE; may be repeated")
	flags.StringArrayVar(&s.annotations, prefix+"-annotations", nil, does+" annotation, as KEY=VALUE; may be repeated")
}

// selectors returns the selector of the flags, or none if the user set no flag.
func (s *selectorFlags) selectors() ([]kptfilev1.Selector, error) {
	out := s.selector
	var err error
	if out.Labels, err = pairs("--"+s.prefix+"-labels", s.labels); err != nil {
		return nil, err
	}
	if out.Annotations, err = pairs("--"+s.prefix+"-annotations", s.annotations); err != nil {
		return nil, err
	}
	if out.IsEmpty() && len(out.Labels) == 0 && len(out.Annotations) == 0 {
		return nil, nil
	}
	return []kptfilev1.Selector{out}, nil
}

// pairs parses the values of a flag; of two with the same key the last one counts.
func pairs(flag string, values []string) (map[string]string, error) {
	var out map[string]string
	for _, v := range values {
		key, value, found := strings.Cut(v, "=")
		if !found || key == "" {
			return nil, cli.Usagef("%s %q: want KEY=VALUE", flag, v)
		}
		if out == nil {
			out = map[string]string{}
		}
		out[key] = value
	}
	return out, nil
}

package kustomize

import (
	"cmp"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// options are those of the config, under spec; in a ConfigMap, under data.
type options struct {
	// Path is the folder of the kustomization, from the folder of the package.
	Path string `json:"path"`
	// Output is the folder for what is built. Defaults to kustomized/<name>.
	Output string `json:"output"`
	// LoadRestrictor is LoadRestrictionsRootOnly (default) or LoadRestrictionsNone, as for "kustomize build --load-restrictor".
	LoadRestrictor string `json:"loadRestrictor"`
	// Name distinguishes several steps in one package. Defaults to the name of a Kustomize config; for a ConfigMap, to
	// kustomize.
	Name string `json:"name"`
}

var restrictors = []string{types.LoadRestrictionsRootOnly.String(), types.LoadRestrictionsNone.String()}

func readOptions(config *krm.Object) (o options, err error) {
	at := field.NewPath("spec")
	if config != nil && fn.IsConfigMap(config) {
		at, o.Name = field.NewPath("data"), functionName
	} else if config != nil {
		o.Name = config.Name()
	}
	if err := fn.DecodeConfig(config, configKind, &o); err != nil {
		return o, err
	}
	if o.Output == "" {
		o.Output = path.Join("kustomized", o.Name)
	}
	var errs field.ErrorList
	if o.Path == "" {
		errs = append(errs, field.Required(at.Child("path"), "name the folder of the kustomization, such as overlays/prod"))
	} else if o.Path = path.Clean(o.Path); !fn.IsFilePath(o.Path) {
		errs = append(errs, field.Invalid(at.Child("path"), o.Path, "want a folder inside of the package"))
	}
	if o.Output = path.Clean(o.Output); !fn.IsFilePath(o.Output) || o.Output == "." {
		errs = append(errs, field.Invalid(at.Child("output"), o.Output, "want a folder inside of the package"))
	}
	if o.Name == "" || strings.ContainsAny(o.Name, "/@") {
		errs = append(errs, field.Invalid(at.Child("name"), o.Name, "want a name without / and @"))
	}
	switch o.LoadRestrictor {
	case "", restrictors[0], restrictors[1]:
	default:
		errs = append(errs, field.NotSupported(at.Child("loadRestrictor"), o.LoadRestrictor, restrictors))
	}
	return o, errs.ToAggregate()
}

func (o options) restrictions() types.LoadRestrictions {
	if o.LoadRestrictor == types.LoadRestrictionsNone.String() {
		return types.LoadRestrictionsNone
	}
	return types.LoadRestrictionsRootOnly
}

// checkSteps refuses a second step of the same name in the package, as far as the items show it.
func checkSteps(items []*krm.Object, config *krm.Object, name string) error {
	for _, o := range items {
		if o.Is(fn.ConfigGroup, configKind) && cmp.Or(o.String("spec", "name"), o.Name()) == name && isOther(o, config) {
			return errTwice
		}
		mutators := o.Lookup("pipeline", "mutators")
		if !o.Is("kpt.dev", "Kptfile") || mutators == nil {
			continue
		}
		var steps []struct {
			Image     string            `json:"image"`
			Exec      string            `json:"exec"`
			ConfigMap map[string]string `json:"configMap"`
		}
		if krm.DecodeLoose(mutators, field.NewPath("pipeline", "mutators"), &steps) != nil {
			continue
		}
		same := 0
		for _, s := range steps {
			image, _, _ := strings.Cut(path.Base(s.Image), ":")
			named := s.ConfigMap["name"] == name || s.ConfigMap["name"] == "" && name == functionName
			if s.ConfigMap != nil && named && (image == functionName || path.Base(s.Exec) == functionName) {
				same++
			}
		}
		if same > 1 {
			return errTwice
		}
	}
	return nil
}

// isOther reports whether o, a config of the package of config, is in another file.
func isOther(o, config *krm.Object) bool {
	return o.Annotation(krm.PackagePathAnnotation) == config.Annotation(krm.PackagePathAnnotation) && fn.FilePath(config) != "" &&
		fn.FilePath(o) != fn.FilePath(config)
}

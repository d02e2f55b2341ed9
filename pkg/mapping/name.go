package mapping

import (
	"errors"
	"fmt"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// keyOf is the canonical key of a parent or an input; "" when it can have none, which is told once.
func (p *reconciler) keyOf(o *krm.Object) string {
	id := idOf(p.c.types, o)
	key := correspond.KeyIn("", id)
	cluster, back, err := correspond.ParseKey(key)
	switch at := field.NewPath("metadata", "name"); {
	case err == nil && cluster == "" && back == id:
		return key
	case p.reportedKeyless[o]:
		return ""
	case id.Name != "":
		p.reportObject(sdk.Error, o, at, "%q cannot be told from other keys; rename it, or its namespace", key)
	case o.String("metadata", "generateName") != "":
		p.reportObject(sdk.Warning, o, field.NewPath("metadata", "generateName"), "it has no name yet, and so no outputs")
	default:
		p.reportObject(sdk.Error, o, at, "it has no name, and so no outputs")
	}
	p.reportedKeyless[o] = true
	return ""
}

// reportObject adds a result about an object that has no key.
func (p *reconciler) reportObject(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	r := fn.NewResult(sev, o, at, "%s", "map: "+oneLine(fmt.Sprintf(format, args...)))
	p.results = append(p.results, r)
}

// maxFolder is how long the name of a folder may be, in bytes.
const maxFolder = 255

// checkFolder says why a parent's name cannot be that of the folder its outputs are in.
func checkFolder(name string) error {
	switch {
	case len(content.IsPathSegmentName(name)) > 0, strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }):
		return errors.New(`its name cannot be that of a folder, which its outputs are in: ` +
			`it is "." or "..", or has a "/", "%", "\" or control character`)
	case len(name) > maxFolder:
		return fmt.Errorf("its name cannot be that of a folder, which its outputs are in: it is longer than %d bytes", maxFolder)
	}
	return nil
}

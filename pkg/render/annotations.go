package render

import (
	"fmt"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
)

// asks reports whether the Kptfile of p turns on a way of rendering. Only the root is asked.
func (p *pkg) asks(annotation string) bool {
	return strings.EqualFold(p.kptfile.Spec.Annotations[annotation], "true")
}

// refuseTopDown refuses a package that wants its pipelines run from the root downwards: run the
// other way round they would make something else of it, and nobody would be told.
func (p *pkg) refuseTopDown() error {
	if !p.asks(kptfilev1.BFSRenderAnnotation) {
		return nil
	}
	return &Error{Package: p.name, Err: fmt.Errorf("the Kptfile is annotated %s, which is not available in this version; remove it to render subpackages first",
		kptfilev1.BFSRenderAnnotation)}
}

// nothingSaved adds to the error of a render that, although the package asks to keep what a failed
// render had done by then, the package is as it was.
func (p *pkg) nothingSaved(err error) error {
	if !p.asks(kptfilev1.SaveOnRenderFailureAnnotation) {
		return err
	}
	return fmt.Errorf("%w; the package is as it was: %s is not available in this version",
		err, kptfilev1.SaveOnRenderFailureAnnotation)
}

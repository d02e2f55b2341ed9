package choose

import (
	"context"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/runner/container"
)

// Document returns the documentation of the function of an image: that of the linked
// function that runs in its place, or else the output of the image with --help.
func (o Options) Document(ctx context.Context, image string) (string, error) {
	made, err := o.Factory()
	if err != nil {
		return "", err
	}
	f := made.(factory)
	full, err := f.image(ctx, &kptfilev1.Function{Image: image})
	if err != nil {
		return "", err
	}
	if linked := f.linked(full); linked != nil {
		return linked.Doc.README, nil
	}
	engine, err := f.engine(full)
	if err != nil {
		return "", err
	}
	text, err := container.Help(ctx, full, f.container(engine, full))
	return string(text), err
}

package draft

import (
	"context"
	"errors"
	"slices"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/render/report"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// maxFailure bounds the message in a Kptfile, in bytes.
const maxFailure = 4096

// Render renders the package of a draft. One whose Kptfile has the annotation porch.PushOnRenderFailure is kept if that fails: as it
// was before or, with kpt's annotation for that, as the function that failed found it. The condition Rendered in its Kptfile then
// says why. A later render that succeeds removes the condition.
func Render(ctx context.Context, tree pkgtree.Tree, opts render.Options) (pkgtree.Tree, error) {
	res, err := render.Render(ctx, tree, opts)
	switch {
	case err == nil && RenderFailure(res.Tree) != "":
		return withoutFailure(res.Tree)
	case err == nil:
		return res.Tree, nil
	case ctx.Err() != nil || !isKept(tree):
		return pkgtree.Tree{}, err
	case res.Partial:
		tree = res.Tree
	}
	return report.WithStatus(tree, nil, errors.New(safetext.SingleLine(err.Error(), maxFailure)))
}

// RenderFailure is why the package of a draft, which is kept nevertheless, does not render; "" for others.
func RenderFailure(tree pkgtree.Tree) string {
	f, err := variant.RootKptfile(tree)
	if err != nil || !keeps(f) {
		return ""
	}
	for _, c := range f.Conditions() {
		if c.Type == kptfilev1.ConditionTypeRendered && c.Status == kptfilev1.ConditionFalse {
			return c.Message
		}
	}
	return ""
}

// isKept reports whether a package is kept when it does not render.
func isKept(tree pkgtree.Tree) bool {
	f, err := variant.RootKptfile(tree)
	return err == nil && keeps(f)
}

func keeps(f *kptfile.File) bool { return f.Spec.Annotations[porch.PushOnRenderFailure] == "true" }

func withoutFailure(tree pkgtree.Tree) (pkgtree.Tree, error) {
	return variant.EditKptfile(tree, func(f *kptfile.File) {
		f.SetConditions(slices.DeleteFunc(slices.Clone(f.Conditions()), func(c kptfilev1.Condition) bool {
			return c.Type == kptfilev1.ConditionTypeRendered
		}))
	})
}

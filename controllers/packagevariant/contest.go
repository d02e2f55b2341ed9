package packagevariant

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// contestedError says who else works a PackageVariant.
type contestedError struct{ manager string }

func (e *contestedError) Error() string {
	return fmt.Sprintf("another controller works this PackageVariant: the field manager %q writes its status as well; "+
		"nothing is drafted until one of the two stops", e.manager)
}

// withoutContested reports on the PackageVariants that another controller works as well, and returns the others. One that is
// being deleted is never among them.
func (c *Controller) withoutContested(ctx context.Context, tasks []*task) (rest []*task, retry []key) {
	var contested []*task
	for _, t := range tasks {
		var other *contestedError
		switch {
		case !t.pv.DeletionTimestamp.IsZero():
			rest = append(rest, t)
		case c.contests.paused(t.key()):
			retry = append(retry, t.key())
		case errors.As(c.contests.check(ctx, t.pv), &other):
			c.options.Log.Info("another controller works a variant", "namespace", t.pv.Namespace, "variant", t.pv.Name, "manager", other.manager)
			t.report = contestedReport(t.pv, other)
			contested = append(contested, t)
		default:
			rest = append(rest, t)
		}
	}
	return rest, append(retry, c.report(ctx, contested)...)
}

// contestedReport is the report on a PackageVariant that another controller works as well.
func contestedReport(pv *porchconfig.PackageVariant, err *contestedError) reconciler.Report {
	rep := failed(pv, err)
	rep.Conditions = append(rep.Conditions, metav1.Condition{Type: porchconfig.ConditionContested, Status: metav1.ConditionTrue,
		Reason: porchconfig.ReasonOtherController, Message: err.Error()})
	return rep
}

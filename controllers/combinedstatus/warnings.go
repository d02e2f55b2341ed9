package combinedstatus

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/status"
)

// warningLog logs each warning once, and at most maxWarnings of them.
type warningLog struct {
	log            logr.Logger
	logged         map[string]bool
	combined       sets.Set[types.NamespacedName]    // CombinedStatuses with a warning
	leftOut        map[types.NamespacedName][]string // collectors whose results do not fit, as logged
	reportsChecked time.Time
	checkScheduled bool // of the reports
}

const maxWarnings = 1000

func newWarningLog(log logr.Logger) *warningLog {
	return &warningLog{log: log, logged: map[string]bool{}, combined: sets.New[types.NamespacedName](),
		leftOut: map[types.NamespacedName][]string{}}
}

// once logs a message unless it has logged one with this key before.
func (l *warningLog) once(key, message string, about ...any) {
	switch {
	case l.logged[key]:
		return
	case len(l.logged) < maxWarnings:
		l.log.Info(message, about...)
	case len(l.logged) == maxWarnings:
		l.log.Info("there are more warnings, which are not logged", "logged", maxWarnings)
	default:
		return
	}
	l.logged[key] = true
}

// logCombinedWarnings logs warnings about a CombinedStatus: those of each collector once, with the first object.
func (r *reconciler) logCombinedWarnings(name types.NamespacedName) {
	l := r.warnings
	desired, is := r.state.plan.Engine.Desired(name)
	if l.combined.Insert(name); len(desired.Warnings)+len(desired.LeftOut)+len(desired.Conflicts) == 0 {
		l.combined.Delete(name)
	}
	if !is {
		delete(l.leftOut, name)
		return
	}
	labels := desired.Object.Labels
	object := fmt.Sprintf("%s %s/%s", labels[status.LabelResource], labels[status.LabelNamespace], labels[status.LabelName])
	about := []any{"combinedStatus", name.String(), "object", object}
	for _, w := range desired.Warnings { // a collector has two kinds: about a cluster, and about all
		l.once(fmt.Sprintf("collector %s %t", w.Collector, w.Cluster == ""), w.String(), about...)
	}
	for _, other := range desired.Conflicts {
		l.once("rival "+other, fmt.Sprintf(
			"Bindings %q and %q belong to one policy and request results about one object; only the first Binding counts",
			labels[status.LabelPolicy], other), about...)
	}
	l.logLeftOut(name, desired.LeftOut, about)
}

// logLeftOut logs once which results do not fit into a CombinedStatus.
func (l *warningLog) logLeftOut(name types.NamespacedName, leftOut []status.Warning, about []any) {
	var now []string
	for _, w := range leftOut {
		if !slices.Contains(l.leftOut[name], w.Collector) {
			l.log.Info(w.String(), about...)
		}
		now = append(now, w.Collector)
	}
	if l.leftOut[name] = now; now == nil {
		delete(l.leftOut, name)
	}
}

// logReportWarnings logs warnings about reports, and counts all warnings. It looks at all reports, so it does that once in
// LastRetry.
func (r *reconciler) logReportWarnings(now time.Time) {
	s, l := r.state, r.warnings
	warningCount.WithLabelValues("result").Set(float64(l.combined.Len()))
	if !s.reportsChanged {
		return
	}
	if wait := l.reportsChecked.Add(r.options.LastRetry).Sub(now); wait > 0 {
		if !l.checkScheduled {
			l.checkScheduled = true
			time.AfterFunc(wait, s.wakeUp)
		}
		return
	}
	s.reportsChanged, l.checkScheduled, l.reportsChecked = false, false, now
	warnings, foreign := s.plan.Engine.Warnings(), s.plan.Engine.ForeignReports()
	warningCount.WithLabelValues("report").Set(float64(len(warnings)))
	warningCount.WithLabelValues("elsewhere").Set(float64(foreign))
	for _, w := range warnings {
		l.once(fmt.Sprintf("report %s %s", w.Source, w.Text), "a report has a warning: "+w.Text, "report", w.Source.String())
	}
	if foreign > 0 {
		l.once("elsewhere", "reports about other workload spaces do not count", "reports", foreign, "workloadSpace", r.options.Engine.WDS)
	}
}

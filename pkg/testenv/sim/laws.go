package main

import "fmt"

// What must hold at every step.
const (
	lawExit     = "a command ends with the exit code that is documented"
	lawReceive  = "clusters receive what the model says, and nothing else"
	lawAgain    = "a second run changes nothing"
	lawPreview  = "a preview names exactly what changes, cluster by cluster and object by object"
	lawKeep     = "a command that is refused or killed deletes nothing"
	lawRepeat   = "repeating a command after a fault gives the bytes that it gives without the fault"
	lawMerge    = "an update is refused if, and only if, both sides changed a field"
	lawApproved = "approved revisions do not change"
	lawOthers   = "commits of other clients stay"
	lawStatus   = "status counts what clusters report"
)

// brokenLaw ends a simulation.
type brokenLaw struct{ law, detail string }

func (b *brokenLaw) Error() string {
	return fmt.Sprintf("the law %q does not hold: %s", b.law, b.detail)
}

// law counts a check of a law, and is an error if it does not hold.
func (s *simulation) law(name string, holds bool, format string, args ...any) error {
	s.report.Laws[name]++
	if holds {
		return nil
	}
	return &brokenLaw{name, fmt.Sprintf(format, args...)}
}

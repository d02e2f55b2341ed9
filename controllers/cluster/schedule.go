package cluster

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// nextLook is when to look at a repository after a look at now: by its schedule, or after interval
// and a part of a tenth of it that is its own. The error is what is wrong with the schedule; then
// the interval holds.
func nextLook(obj *porchconfig.Repository, now time.Time, interval time.Duration) (time.Time, error) {
	next := now.Add(interval + spread(obj.Namespace+"/"+obj.Name, interval/10))
	sync := obj.Spec.Sync
	if sync == nil {
		return next, nil
	}
	var err error
	if sync.Schedule != "" {
		var scheduled time.Time
		if scheduled, err = nextTime(sync.Schedule, now); err == nil {
			next = scheduled
		}
	}
	if once := sync.RunOnceAt; once != nil && once.After(now) && once.Time.Before(next) {
		next = once.Time
	}
	return next, err
}

// nextTime is when a cron expression's next turn is.
func nextTime(expression string, now time.Time) (time.Time, error) {
	plan, err := parseCron(expression)
	if err != nil {
		return time.Time{}, fmt.Errorf("spec.sync.schedule %q: %w", expression, err)
	}
	next := plan.Next(now)
	if next.IsZero() {
		return time.Time{}, fmt.Errorf("spec.sync.schedule %q: that day never comes", expression)
	}
	return next, nil
}

// parseCron is cron's, which expects a time zone to be followed by something.
func parseCron(expression string) (cron.Schedule, error) {
	if len(strings.Fields(expression)) < 5 && !strings.HasPrefix(expression, "@") {
		return nil, errors.New("want five fields, such as \"*/10 * * * *\"")
	}
	return cron.ParseStandard(expression)
}

// spread is a time below limit that is always the same for the same name.
func spread(name string, limit time.Duration) time.Duration {
	if limit <= 0 {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // a hash takes everything
	return time.Duration(h.Sum64() % uint64(limit))
}

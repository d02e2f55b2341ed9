package repository

import (
	"errors"
	"fmt"
	"hash/fnv"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant/registry"
)

// nextPoll is when to poll a repository after a poll at now: by its schedule, or after interval and up to a tenth of it.
// The error is what is wrong with the schedule; then the interval holds.
func nextPoll(obj *porchconfig.Repository, now time.Time, interval time.Duration) (time.Time, error) {
	next := now.Add(interval + jitter(obj.Namespace+"/"+obj.Name, interval/10))
	sync := obj.Spec.Sync
	if sync == nil {
		return next, nil
	}
	var err error
	if sync.Schedule != "" {
		var scheduled time.Time
		if scheduled, err = nextScheduled(sync.Schedule, now); err == nil {
			next = scheduled
		}
	}
	if once := sync.RunOnceAt; once != nil && once.After(now) && once.Time.Before(next) {
		next = once.Time
	}
	return next, err
}

// nextScheduled is the next time that a cron expression names. cron itself expects more fields after a time zone.
func nextScheduled(expression string, now time.Time) (next time.Time, err error) {
	if len(strings.Fields(expression)) < 5 && !strings.HasPrefix(expression, "@") {
		err = errors.New("want five fields, such as \"*/10 * * * *\"")
	} else if schedule, parseErr := cron.ParseStandard(expression); parseErr != nil {
		err = parseErr
	} else if next = schedule.Next(now); next.IsZero() {
		err = errors.New("there is no such day")
	}
	if err != nil {
		err = fmt.Errorf("spec.sync.schedule %q: %w", expression, err)
	}
	return next, err
}

// jitter is a time below limit that is always the same for the same name.
func jitter(name string, limit time.Duration) time.Duration {
	if limit <= 0 {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // a hash takes everything
	return time.Duration(h.Sum64() % uint64(limit))
}

// pollSlots bound how many Repositories are polled at a time: of one Git server, of one namespace, and in all. A poll
// mostly waits for a server, so there are many more slots than Workers, and neither slow servers nor one namespace can
// take all of them. A Repository without a slot is queued again, and holds no worker meanwhile.
type pollSlots struct {
	server, namespace, all int

	mu    sync.Mutex
	taken map[string]int // by server and by namespace
}

// slotRetry is the pause of a Repository that got no slot.
const slotRetry = time.Second

func newPollSlots(workers int) *pollSlots {
	return &pollSlots{server: workers, namespace: 8 * workers, all: 16 * workers, taken: map[string]int{}}
}

// acquire takes a slot for a Repository until release is called, or reports that there is none.
func (s *pollSlots) acquire(obj *porchconfig.Repository) (release func(), ok bool) {
	namespace, server := "namespace "+obj.Namespace, "server "+serverOf(obj)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[namespace] >= s.namespace || s.taken[server] >= s.server {
		return nil, false
	}
	s.add(1, namespace, server)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.add(-1, namespace, server)
	}, true
}

func (s *pollSlots) add(n int, names ...string) {
	for _, name := range names {
		if s.taken[name] += n; s.taken[name] == 0 {
			delete(s.taken, name)
		}
	}
}

// serverOf is the host and port of a Repository's server, "" where it has none.
func serverOf(obj *porchconfig.Repository) string {
	if obj.Spec.OCI != nil && obj.Spec.Type == porchconfig.RepositoryTypeOCI {
		at, err := registry.Address(obj)
		if err != nil {
			return ""
		}
		return strings.ToLower(at.Registry)
	}
	if obj.Spec.Git == nil {
		return ""
	}
	at, err := url.Parse(obj.Spec.Git.Repo)
	if err != nil {
		return ""
	}
	return strings.ToLower(at.Host)
}

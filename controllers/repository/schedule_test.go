package repository

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

var then = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestNextPoll(t *testing.T) {
	at := func(after time.Duration) *metav1.Time { return new(metav1.NewTime(then.Add(after))) }
	for name, tc := range map[string]struct {
		reason string
		sync   *porchconfig.RepositorySync
		want   time.Duration // 0 for the interval
		fault  string
	}{
		"interval":  {reason: "without a schedule the interval holds"},
		"schedule":  {reason: "a schedule takes its place", sync: &porchconfig.RepositorySync{Schedule: "*/10 * * * *"}, want: 10 * time.Minute},
		"once":      {"a moment to come is one more", &porchconfig.RepositorySync{Schedule: "0 3 * * *", RunOnceAt: at(time.Second)}, time.Second, ""},
		"past":      {"a moment that has been is none", &porchconfig.RepositorySync{Schedule: "0 3 * * *", RunOnceAt: at(0)}, 3 * time.Hour, ""},
		"nonsense":  {"a schedule that is none is said to be", &porchconfig.RepositorySync{Schedule: "often"}, 0, `spec.sync.schedule "often": want five fields, such as "*/10 * * * *"`},
		"zone":      {"a zone alone is none", &porchconfig.RepositorySync{Schedule: "TZ=0"}, 0, `spec.sync.schedule "TZ=0": want five fields, such as "*/10 * * * *"`},
		"never":     {"a day that does not exist is no schedule", &porchconfig.RepositorySync{Schedule: "0 0 30 2 *"}, 0, `spec.sync.schedule "0 0 30 2 *": there is no such day`},
		"every":     {"cron's own words are known", &porchconfig.RepositorySync{Schedule: "@hourly"}, time.Hour, ""},
		"too large": {"numbers are held to the clock", &porchconfig.RepositorySync{Schedule: "61 * * * *"}, 0, `spec.sync.schedule "61 * * * *": end of range (61) above maximum (59): 61`},
	} {
		t.Run(name, func(t *testing.T) {
			obj := &porchconfig.Repository{ObjectMeta: metav1.ObjectMeta{Namespace: "fleet", Name: "blueprints"}}
			obj.Spec.Sync = tc.sync
			next, err := nextPoll(obj, then, time.Minute)
			got := next.Sub(then)
			if tc.want == 0 {
				if got < time.Minute || got > time.Minute+6*time.Second {
					t.Errorf("%s: want the interval and up to a tenth of it, got %v", tc.reason, got)
				}
			} else if got != tc.want {
				t.Errorf("%s: want %v, got %v", tc.reason, tc.want, got)
			}
			said := ""
			if err != nil {
				said = err.Error()
			}
			if diff := cmp.Diff(tc.fault, said); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func FuzzNextPoll(f *testing.F) {
	for _, s := range []string{"", "* * * * *", "@daily", "TZ=UTC 0 3 * * *", "TZ=0 * * * *", "@every 1s", "0 0 30 2 *", "1-2/3 * ? * MON"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, schedule string) {
		obj := &porchconfig.Repository{}
		obj.Spec.Sync = &porchconfig.RepositorySync{Schedule: schedule}
		if next, err := nextPoll(obj, then, time.Minute); !next.After(then) {
			t.Errorf("%q: the next look is to come, got %v (%v)", schedule, next, err)
		}
	})
}

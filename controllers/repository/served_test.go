package repository

import (
	"errors"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/porchstore"
)

// TestOutdatedAfterFailure: what a Porch did not let this process read is read again when the pause after the failure is over, and not
// every few seconds.
func TestOutdatedAfterFailure(t *testing.T) {
	served := &porchstore.Store{}
	served.Expire()
	for name, tc := range map[string]struct {
		err     error
		retryAt time.Time
		want    int
	}{
		"no failure":           {nil, time.Now().Add(time.Hour), 1},
		"waits":                {errors.New("Porch is down"), time.Now().Add(time.Hour), 0},
		"has waited":           {errors.New("Porch is down"), time.Now().Add(-time.Second), 1},
		"nothing was read yet": {nil, time.Time{}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := &Cache{entries: map[key]*entry{{Name: "fleet"}: {served: served, err: tc.err, retryAt: tc.retryAt}}}
			if got := c.outdated(); len(got) != tc.want {
				t.Errorf("want %d Repositories to be read, got %v", tc.want, got)
			}
		})
	}
}

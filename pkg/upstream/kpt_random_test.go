package upstream_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestMadeUpSameAsKpt makes random packages, gets them with kpt and with waybill, changes them upstream and here, and
// updates both: they are equal after each step, or both refuse, except for the differences that
// the page lists. WAYBILL_SEED=n repeats one, WAYBILL_CASES=n runs more of them.
func TestMadeUpSameAsKpt(t *testing.T) {
	testenv.Need(t, testenv.Kpt, testenv.Git)
	tally := &rowTally{}
	t.Run("seeds", func(t *testing.T) {
		for _, seed := range kptSeeds(t, 40) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				tr := newTriple(t, seed)
				said, rows := tr.run(t)
				if tally.add(rows); said == "" {
					return
				}
				t.Errorf("WAYBILL_SEED=%d: %s", seed, said)
				least, said := tr.least(t, said)
				t.Logf("the least that shows it:\n%s\n%s", least, said)
			})
		}
	})
	t.Log(tally)
}

// rowTally counts how often each row of the page showed.
type rowTally struct {
	mu   sync.Mutex
	rows map[string]int
}

func (c *rowTally) add(rows []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rows == nil {
		c.rows = map[string]int{}
	}
	for _, row := range slices.Compact(slices.Sorted(slices.Values(rows))) {
		c.rows[row]++
	}
	c.rows["seeds"]++
}

func (c *rowTally) String() string { return fmt.Sprint("rows of the page: ", c.rows) }

// kptSeeds are those of the made-up packages.
func kptSeeds(t testing.TB, otherwise uint64) (out []uint64) {
	t.Helper()
	for i, name := range []string{"WAYBILL_SEED", "WAYBILL_CASES"} {
		text := os.Getenv(name)
		if text == "" {
			continue
		}
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil || n == 0 {
			t.Fatalf("%s=%q: want a number from 1", name, text)
		}
		if i == 0 {
			return []uint64{n}
		}
		otherwise = n
	}
	for seed := range otherwise {
		out = append(out, seed+1)
	}
	return out
}

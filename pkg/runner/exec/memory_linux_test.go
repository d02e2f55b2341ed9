package exec

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
)

func TestMemory(t *testing.T) {
	limits := Limits{Memory: 64 << 20}
	if _, _, err := run(t, "cat", limits); err != nil {
		t.Errorf("a program within its limit: %v", err)
	}
	_, _, err := run(t, "ulimit -d >&2; exit 1", limits)
	if err == nil || !strings.Contains(err.Error(), "65536;") {
		t.Errorf("err = %v, want the limit in KiB", err)
	}
	_, _, err = run(t, `v=$(head -c 200000000 /dev/zero | tr '\0' x); echo "$v"`, limits)
	if err == nil || strings.Contains(err.Error(), "holds more than") {
		t.Errorf("err = %v, want that of a shell without memory", err)
	}
	if _, err := New("cat", Limits{Memory: 1}); err == nil {
		t.Error("a limit that nothing can keep was accepted")
	}
	r, err := New("/no/such/program", limits)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run(context.Background(), &fn.Input{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("err = %v, want one that says the program does not exist", err)
	}
}

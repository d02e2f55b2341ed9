package usage

import (
	"bytes"
	"os/exec"
	"testing"
)

// TestPeak starts a small program from a process that held much memory before: that memory is none of the program's.
func TestPeak(t *testing.T) {
	const large = 256 << 20
	used := bytes.Repeat([]byte("x"), large)
	if used[large-1] != 'x' {
		t.Fatal("the memory was not used")
	}
	used = nil
	_ = used
	taken, err := Run(exec.Command("true"))
	if err != nil {
		t.Fatal(err)
	}
	if taken.Peak <= 0 || taken.Peak > large/2 {
		t.Errorf("true held %d MB", taken.Peak>>20)
	}
}

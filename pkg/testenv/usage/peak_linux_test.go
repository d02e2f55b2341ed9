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
	Prepare()
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if peak := Peak(cmd.ProcessState); peak <= 0 || peak > large/2 {
		t.Errorf("true held %d MB", peak>>20)
	}
}

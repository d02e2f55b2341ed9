package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// terminal is a pseudo-terminal that collects what is printed on it.
type terminal struct {
	*os.File
	master  *os.File
	printed chan string
}

// openTerminal opens a terminal with this many columns, which changes no line end.
func openTerminal(t *testing.T, columns uint16) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err == nil {
		_, err = term.MakeRaw(int(slave.Fd()))
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns})
	}
	if err != nil {
		t.Fatal(err)
	}
	tm := &terminal{slave, master, make(chan string, 1)}
	go func() {
		text, _ := io.ReadAll(master) // it ends with an error, as the other side is closed
		tm.printed <- string(text)
	}()
	return tm
}

// close returns what was printed.
func (tm *terminal) close() string {
	tm.File.Close()
	text := <-tm.printed
	tm.master.Close()
	return text
}

// runOnTerminals runs one command line in this process; stdout, stderr or both are a terminal of its own.
func runOnTerminals(t *testing.T, columns uint16, onStdout, onStderr bool, args ...string) cliRun {
	t.Helper()
	open := func(real bool) (io.Writer, func() string) {
		if real {
			tm := openTerminal(t, columns)
			return tm.File, tm.close
		}
		b := &strings.Builder{}
		return b, b.String
	}
	stdout, data := open(onStdout)
	stderr, messages := open(onStderr)
	code := execute(t.Context(), args, strings.NewReader(""), stdout, stderr)
	return cliRun{code, data(), messages()}
}

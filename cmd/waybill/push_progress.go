package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/waybill-dev/waybill/pkg/backend/apply"
)

// pushProgress shows on a terminal what becomes of each operation, in one line; elsewhere nothing.
func pushProgress(talk io.Writer, total int) (observe func(apply.Outcome), end func()) {
	f, ok := talk.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) { // #nosec G115 -- a file descriptor
		return nil, func() {}
	}
	return showProgress(f, total), func() { fmt.Fprint(f, "\r\x1b[K") }
}

// showProgress writes each line over the one before.
func showProgress(w io.Writer, total int) func(apply.Outcome) {
	done := 0
	return func(o apply.Outcome) {
		line := fmt.Sprintf("%s %s %s", o.Operation.Op, o.Operation.Kind, o.Operation.ID)
		if o.Failure == nil {
			done++
		} else {
			line += ": " + o.Failure.Message
		}
		fmt.Fprintf(w, "\r\x1b[K[%d/%d] %s", done, total, short(inert(line)))
	}
}

// short is what surely fits one line beside the counts; a line that wraps cannot be written over.
func short(text string) string {
	const most = 60
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return text
}

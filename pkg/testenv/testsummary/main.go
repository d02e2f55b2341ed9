package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	note := flag.String("note", "", "something else that was not checked, shown beside the skipped tests")
	flag.Parse()
	ok, err := summarise(os.Stdin, os.Stdout, *note, required(os.Getenv("WAYBILL_REQUIRE")))
	if err != nil {
		fmt.Fprintf(os.Stderr, "testsummary: %v\n", err)
	}
	if !ok {
		os.Exit(1)
	}
}

// required splits the value of WAYBILL_REQUIRE; what is left empty requires nothing.
func required(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// summarise copies from in to out what people want to see at once, ends with the summary, and reports whether all is well.
func summarise(in io.Reader, out io.Writer, note string, required []string) (ok bool, err error) {
	s := newSummary()
	if err := s.follow(in, out); err != nil {
		return false, err
	}
	return s.close(out, note, required), nil
}

// follow reads events until the end of in. A line that is no event, such as a message of the go
// command itself, is passed on as it stands. What it writes ends with the end of a line.
func (s *summary) follow(in io.Reader, out io.Writer) error {
	midLine := false
	for r := bufio.NewReader(in); ; {
		line, err := r.ReadBytes('\n')
		if text := s.see(line); text != "" {
			fmt.Fprint(out, text)
			midLine = !strings.HasSuffix(text, "\n")
		}
		switch {
		case errors.Is(err, io.EOF) && midLine:
			fmt.Fprintln(out)
			return nil
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read the output of go test: %w", err)
		}
	}
}

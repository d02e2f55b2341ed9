package main

import (
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// starts measures commands that both programs have and that only print: what takes time is the start of a program.
func (b *bench) starts(out io.Writer) error {
	fmt.Fprintf(out, "| command | kpt | waybill | ratio | kpt peak | waybill peak | ratio |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, command := range []string{"version", "--help", "fn render --help", "__complete fn re"} {
		args := strings.Fields(command)
		start := func(program string) trial {
			return func(int) (s sample, none pkgtree.Tree, err error) {
				s, err = timed(exec.Command(program, args...)) // #nosec G204 -- that is what it is for
				return s, none, err
			}
		}
		_, m, err := b.compare(start(b.kpt), start(b.waybill), nil)
		if err != nil {
			return err
		}
		kpt, ours := m.kpt, m.ours
		fmt.Fprintf(out, "| `%s` | %.1f ms | %.1f ms | %.1f× | %d MB | %d MB | %.1f× |\n", command,
			1000*kpt.took.Seconds(), 1000*ours.took.Seconds(), kpt.took.Seconds()/ours.took.Seconds(),
			kpt.peak>>20, ours.peak>>20, float64(kpt.peak)/float64(ours.peak))
	}
	return nil
}

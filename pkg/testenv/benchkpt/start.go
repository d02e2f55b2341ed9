package main

import (
	"os/exec"
	"strings"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// starts measures commands that both programs have and that only print: what takes time is the start of a program.
func (b *bench) starts(t *table) error {
	t.head("command")
	for _, command := range []string{"version", "--help", "fn render --help", "__complete fn re"} {
		args := strings.Fields(command)
		start := func(program string) trial {
			return func(int) (s sample, none pkgtree.Tree, err error) {
				s, err = b.timed(exec.Command(program, args...)) // #nosec G204 -- that is what it is for
				return s, none, err
			}
		}
		_, m, err := b.compare(start(b.kpt), start(b.waybill), nil)
		if err != nil {
			return err
		}
		t.add(m, "`"+command+"`")
	}
	return nil
}

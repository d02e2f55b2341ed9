package status

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

// chooseSpace finds the workload space whose reports count, if the flag does not name one. The option wdsName of
// bundle-manifestwork is in the labels of the works that a package sends; the reports have these labels, too.
// Items of the package come before those of the hub, where works of other packages may be.
func (s *command) chooseSpace(cmd *cobra.Command, inPackage, all []*krm.Object) error {
	if cmd.Flags().Changed("wds-name") {
		return nil
	}
	spaces := combine.SentSpaces(inPackage)
	if len(spaces) == 0 {
		spaces = combine.ReportedSpaces(all)
	}
	switch len(spaces) {
	case 0: // the default
	case 1:
		s.opts.WDSName = spaces[0]
	default:
		return fmt.Errorf("there are works of the workload spaces %s; choose one with --wds-name, or all with --wds-name \"\"",
			strings.Join(quoted(spaces), ", "))
	}
	return nil
}

// mostSpaces limits how many spaces a message names.
const mostSpaces = 5

// alternatives names some of the spaces.
func alternatives(spaces []string) string {
	names := quoted(spaces[:min(len(spaces), mostSpaces)])
	if more := len(spaces) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, " or ")
}

func quoted(names []string) (out []string) {
	for _, name := range names {
		out = append(out, strconv.Quote(name))
	}
	return out
}

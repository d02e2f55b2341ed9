// Command set-enforcement-action sets the action of constraints; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/enforcement"
)

func main() { fn.Main(enforcement.Function) }

// Command set-namespace moves objects to a namespace; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/setnamespace"
)

func main() { fn.Main(setnamespace.Function) }

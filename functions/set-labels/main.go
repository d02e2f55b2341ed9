// Command set-labels sets labels; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/setlabels"
)

func main() { fn.Main(setlabels.Function) }

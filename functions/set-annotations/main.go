// Command set-annotations sets annotations; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/setannotations"
)

func main() { fn.Main(setannotations.Function) }

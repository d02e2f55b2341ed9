// Command combine-status is the KRM function of that name: see its README.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

func main() { fn.Main(combine.Function) }

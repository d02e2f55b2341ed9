// Command search-replace finds and replaces values; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/searchreplace"
)

func main() { fn.Main(searchreplace.Function) }

// Command list-setters lists setters; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/setters"
)

func main() { fn.Main(setters.List) }

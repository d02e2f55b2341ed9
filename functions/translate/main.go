// Command translate is the KRM function of that name: see its README.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/translation"
)

func main() { fn.Main(translation.Function) }

// Command ensure-name-substring puts a text into names; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/namesubstring"
)

func main() { fn.Main(namesubstring.Function) }

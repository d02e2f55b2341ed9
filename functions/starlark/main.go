// Command starlark runs a script; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/starlark"
)

func main() { fn.Main(starlark.Function) }

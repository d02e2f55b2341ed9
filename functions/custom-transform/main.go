// Command custom-transform removes what CustomTransforms name; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/transform"
)

func main() { fn.Main(transform.Function) }

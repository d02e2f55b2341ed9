// Command upsert-resource puts objects into a package; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/upsert"
)

func main() { fn.Main(upsert.Function) }

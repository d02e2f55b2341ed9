// Command delete-annotations deletes annotations; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/deleteannotations"
)

func main() { fn.Main(deleteannotations.Function) }

// Command generate-folders generates Folders; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/folders"
)

func main() { fn.Main(folders.Function) }

// Command generate writes the table of lists that merge to a file.
package main

import (
	"fmt"
	"os"

	"github.com/waybill-dev/waybill/pkg/merge/schema/openapitable"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], []byte(openapitable.Table()), 0o644); err != nil { // #nosec G306 -- a source file
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Command apiserver builds the API server that checks talk to: etcd, kube-apiserver and kubectl, from
// the sources that the Go module proxy has, at the versions that servers/go.mod and go.sum pin.
//
// Shape: a module in, programs in testenv.APIServerDir out, and nothing else touched. Programs that
// are there stay as they are, so a second call does nothing. They appear one by one, each whole; of
// two calls at once, one builds and the other waits for it. Cost: about five minutes on two cores
// and 2 GiB in Go's build cache, once for each version; then milliseconds.
// Errors: exit status 1 and what went wrong.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

func main() {
	module := flag.String("module", "pkg/testenv/apiserver/servers", "folder of the module that holds the programs")
	flag.Parse()
	dir, ours, err := testenv.APIServerDir()
	if err == nil {
		err = cache{dir: dir, ours: ours, module: *module}.fill()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "apiserver:", err)
		os.Exit(1)
	}
	fmt.Println(dir)
}

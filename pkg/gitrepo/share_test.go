package gitrepo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

// TestViewsShareMemory opens repositories each of which is within its bounds: together they take no more than the memory
// that there is for all, and what nothing uses any more makes room.
func TestViewsShareMemory(t *testing.T) {
	const megabyte = 1_000_000
	bare := func(n int) string {
		dir, files := gittest.NewBare(t), map[string]string{}
		for i := range 3 { // what can be compressed takes less memory
			noise := make([]byte, megabyte)
			_, _ = rand.NewChaCha8([32]byte{byte(n), byte(i)}).Read(noise)
			files[fmt.Sprint("file", i)] = string(noise)
		}
		gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(files)})
		return dir
	}
	first, err := Open(t.Context(), bare(1), Options{Bounds: Bounds{Total: 4 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	second, options := bare(2), Options{Bounds: Bounds{Total: 4 << 20, Views: pack.TotalMemory() + 2*megabyte}}
	var over *BoundsError
	if _, err = Open(t.Context(), second, options); !errors.As(err, &over) || !over.Shared {
		t.Errorf("a second one for which there is no room: %v", err)
	}
	runtime.KeepAlive(first)
	for range 100 { // a cleanup comes some time after the collection
		if _, err = Open(t.Context(), second, options); err == nil {
			return
		}
	}
	t.Errorf("when the first is not used any more: %v", err)
}

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/runner/memo"
)

// Variables that say where the function cache is, and that there is none.
const (
	cacheDirVariable = "WAYBILL_CACHE_DIR"
	noCacheVariable  = "WAYBILL_NO_CACHE"
)

// cacheFlags say whether what functions gave is remembered.
type cacheFlags struct {
	off     bool
	trouble error // why something is not remembered
}

// addCache adds the flags of a command whose functions may be answered from the cache. What there is
// to say about the cache is said at the end.
func (f *functionFlags) addCache(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.cache.off, "no-cache", false, "run functions again on what they were given before; so does setting "+noCacheVariable)
	cmd.PostRun = func(cmd *cobra.Command, _ []string) {
		if hits, _ := f.Cache.Counts(); hits > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "%d function run(s) answered from the cache.\n", hits)
		}
		if f.cache.trouble != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", oneLine(f.cache.trouble))
		}
	}
}

// openCache sets the cache that the flags and the environment ask for. Where there is no place for
// one, none is used.
func (f *functionFlags) openCache() {
	if f.cache.off || os.Getenv(noCacheVariable) != "" || f.Cache != nil {
		return
	}
	dir := os.Getenv(cacheDirVariable)
	if dir == "" {
		users, err := os.UserCacheDir()
		if err != nil {
			return
		}
		dir = filepath.Join(users, "waybill")
	}
	// The Cache reports once, before the run that it reports about ends.
	f.Cache = memo.New(filepath.Join(dir, "functions"), 0, func(err error) { f.cache.trouble = err })
}

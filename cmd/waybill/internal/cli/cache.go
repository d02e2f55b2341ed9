package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/diskcache"
	"github.com/waybill-dev/waybill/pkg/runner/memo"
)

// Names of environment variables: the folder of the caches, and whether to use no cache.
const (
	CacheDirVariable = "WAYBILL_CACHE_DIR"
	NoCacheVariable  = "WAYBILL_NO_CACHE"
)

// CacheFlags say whether the command caches results of functions and contents of repositories.
type CacheFlags struct {
	off bool
	err error // why something was not cached
}

// Add adds --no-cache; does is the help of what the command repeats without a cache.
func (c *CacheFlags) Add(cmd *cobra.Command, does string) {
	cmd.Flags().BoolVar(&c.off, "no-cache", false, does+", as with the variable "+NoCacheVariable)
}

// Folder returns the folder of the named cache, or "" if the user wants none or has no cache folder.
func (c *CacheFlags) Folder(name string) string {
	if c.off || os.Getenv(NoCacheVariable) != "" {
		return ""
	}
	dir := os.Getenv(CacheDirVariable)
	if dir == "" {
		users, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(users, "waybill")
	}
	return filepath.Join(dir, name)
}

// Registries returns the cache of what was pulled from registries, of at most limit bytes (0 is the default); nil if there is none.
func (c *CacheFlags) Registries(limit int64) *diskcache.Folder {
	dir := c.Folder("artifacts")
	if dir == "" {
		return nil
	}
	return diskcache.New(dir, limit, func(err error) { c.Note(fmt.Errorf("artifact cache %q: %w", dir, err)) })
}

// Note records an error of a cache. A cache calls it once, before the command ends.
func (c *CacheFlags) Note(err error) { c.err = errors.Join(c.err, err) }

// Warn prints why something was not cached.
func (c *CacheFlags) Warn(stderr io.Writer) {
	if c.err != nil {
		fmt.Fprintf(stderr, "warning: %s\n", OneLine(c.err))
	}
}

// AddCache adds the flags of a command that caches results of functions. After the command, it prints how many came from the
// cache.
func (f *FunctionFlags) AddCache(cmd *cobra.Command) {
	f.CacheFlags.Add(cmd, "run functions again on input that they had before")
	cmd.PostRun = func(cmd *cobra.Command, _ []string) {
		if hits, _ := f.Cache.Counts(); hits > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "%d function run(s) answered from the cache.\n", hits)
		}
		f.CacheFlags.Warn(cmd.ErrOrStderr())
	}
}

func (f *FunctionFlags) openCache() {
	if f.Cache != nil {
		return
	}
	if dir := f.CacheFlags.Folder("functions"); dir != "" {
		f.Cache = memo.New(dir, 0, f.CacheFlags.Note)
	}
}

package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/runner/memo"
)

// Variables that say where the caches are, and that there are none.
const (
	CacheDirVariable = "WAYBILL_CACHE_DIR"
	NoCacheVariable  = "WAYBILL_NO_CACHE"
)

// CacheFlags say whether what functions gave, and what repositories had, is remembered.
type CacheFlags struct {
	off     bool
	trouble error // why something is not remembered
}

// Add adds --no-cache, which has done again what does says.
func (c *CacheFlags) Add(cmd *cobra.Command, does string) {
	cmd.Flags().BoolVar(&c.off, "no-cache", false, does+"; so does setting "+NoCacheVariable)
}

// Folder is where the cache of that name is: "" if the flags or the environment want none, or there is no
// place for one.
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

// Note is for what a cache reports: it does so once, before the work that it reports about ends.
func (c *CacheFlags) Note(err error) { c.trouble = errors.Join(c.trouble, err) }

// Warn says what was not remembered, and why.
func (c *CacheFlags) Warn(stderr io.Writer) {
	if c.trouble != nil {
		fmt.Fprintf(stderr, "warning: %s\n", OneLine(c.trouble))
	}
}

// AddCache adds the flags of a command whose functions may be answered from the cache. What there is
// to say about the cache is said at the end.
func (f *FunctionFlags) AddCache(cmd *cobra.Command) {
	f.CacheFlags.Add(cmd, "run functions again on what they were given before")
	cmd.PostRun = func(cmd *cobra.Command, _ []string) {
		if hits, _ := f.Cache.Counts(); hits > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "%d function run(s) answered from the cache.\n", hits)
		}
		f.CacheFlags.Warn(cmd.ErrOrStderr())
	}
}

// openCache sets the cache that the flags and the environment ask for. Where there is no place for
// one, none is used.
func (f *FunctionFlags) openCache() {
	if f.Cache != nil {
		return
	}
	if dir := f.CacheFlags.Folder("functions"); dir != "" {
		f.Cache = memo.New(dir, 0, f.CacheFlags.Note)
	}
}

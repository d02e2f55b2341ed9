package main

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
	cacheDirVariable = "WAYBILL_CACHE_DIR"
	noCacheVariable  = "WAYBILL_NO_CACHE"
)

// cacheFlags say whether what functions gave, and what repositories had, is remembered.
type cacheFlags struct {
	off     bool
	trouble error // why something is not remembered
}

// add adds --no-cache, which has done again what does says.
func (c *cacheFlags) add(cmd *cobra.Command, does string) {
	cmd.Flags().BoolVar(&c.off, "no-cache", false, does+"; so does setting "+noCacheVariable)
}

// folder is where the cache of that name is: "" if the flags or the environment want none, or there is no
// place for one.
func (c *cacheFlags) folder(name string) string {
	if c.off || os.Getenv(noCacheVariable) != "" {
		return ""
	}
	dir := os.Getenv(cacheDirVariable)
	if dir == "" {
		users, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(users, "waybill")
	}
	return filepath.Join(dir, name)
}

// note is for what a cache reports: it does so once, before the work that it reports about ends.
func (c *cacheFlags) note(err error) { c.trouble = errors.Join(c.trouble, err) }

// warn says what was not remembered, and why.
func (c *cacheFlags) warn(talk io.Writer) {
	if c.trouble != nil {
		fmt.Fprintf(talk, "warning: %s\n", oneLine(c.trouble))
	}
}

// addCache adds the flags of a command whose functions may be answered from the cache. What there is
// to say about the cache is said at the end.
func (f *functionFlags) addCache(cmd *cobra.Command) {
	f.cache.add(cmd, "run functions again on what they were given before")
	cmd.PostRun = func(cmd *cobra.Command, _ []string) {
		if hits, _ := f.Cache.Counts(); hits > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "%d function run(s) answered from the cache.\n", hits)
		}
		f.cache.warn(cmd.ErrOrStderr())
	}
}

// openCache sets the cache that the flags and the environment ask for. Where there is no place for
// one, none is used.
func (f *functionFlags) openCache() {
	if f.Cache != nil {
		return
	}
	if dir := f.cache.folder("functions"); dir != "" {
		f.Cache = memo.New(dir, 0, f.cache.note)
	}
}

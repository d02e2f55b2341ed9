package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/diskcache"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner/memo"
)

// Names of environment variables: the folder of the caches, and whether to use no cache.
const (
	CacheDirVariable = "WAYBILL_CACHE_DIR"
	NoCacheVariable  = "WAYBILL_NO_CACHE"
)

var _ render.Prefetcher = (*memo.Cache)(nil)

// CacheFlags say whether the command caches results of functions and contents of repositories.
type CacheFlags struct {
	off    bool
	shared *sharedCache // nil for commands without it
	notes  *cacheNotes
}

// cacheNotes say why something was not cached. Copies of CacheFlags share them.
type cacheNotes struct {
	mu      sync.Mutex
	err     error
	invalid sync.Once
	log     func(error) // nil while the command can wait for Warn
}

// Add adds --no-cache; does is the help of what the command repeats without a cache.
func (c *CacheFlags) Add(cmd *cobra.Command, does string) {
	c.notes = &cacheNotes{}
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

// Note records an error of a cache. A cache calls it once for each sort of error, before the command ends.
func (c *CacheFlags) Note(err error) {
	if c.notes != nil {
		c.notes.mu.Lock()
		defer c.notes.mu.Unlock()
		c.notes.err = errors.Join(c.notes.err, err)
		if c.notes.log != nil {
			c.notes.log(err)
		}
	}
}

// Log has a command that runs for long tell at once why something is not cached.
func (c *CacheFlags) Log(log func(error)) { c.notes.log = log }

// Warn prints why something was not cached, once, after it waited for what is still to be written to the shared cache.
func (c *CacheFlags) Warn(stderr io.Writer) {
	c.shared.close()
	c.notes.mu.Lock()
	defer c.notes.mu.Unlock()
	if c.notes.err != nil {
		fmt.Fprintf(stderr, "warning: %s\n", OneLine(c.notes.err))
	}
	c.notes.err = nil
}

// AddCache adds the flags of a command that caches results of functions. After the command, it prints how many came from the
// cache, and its warnings, which also say what a command that failed has not stored. The command must have its RunE.
func (f *FunctionFlags) AddCache(cmd *cobra.Command) {
	f.CacheFlags.Add(cmd, "run functions again on input that they had before")
	f.CacheFlags.shared = addSharedCache(cmd)
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		defer f.tellOfCache(cmd.ErrOrStderr())
		return run(cmd, args)
	}
}

func (f *FunctionFlags) tellOfCache(stderr io.Writer) {
	if hits, _ := f.Cache.Counts(); hits > 0 {
		fmt.Fprintf(stderr, "%d function run(s) answered from the cache.\n", hits)
	}
	f.CacheFlags.Warn(stderr)
}

// valid reports whether a result of a render, which another machine shared, passes the checks of one on this machine.
func (c *CacheFlags) valid(data []byte) bool {
	err := render.CheckCached(data)
	if err != nil {
		c.notes.invalid.Do(func() { c.Note(fmt.Errorf("shared cache: a result is not used: %w", err)) })
	}
	return err == nil
}

func (f *FunctionFlags) openCache() error {
	if f.Cache != nil {
		return nil
	}
	dir := f.CacheFlags.Folder("functions")
	if dir == "" {
		return nil
	}
	cache := memo.New(dir, 0, f.CacheFlags.Note)
	shared, err := f.CacheFlags.shared.start(f.CacheFlags.Note)
	if err == nil && shared != nil {
		cache.Share(shared, f.CacheFlags.valid)
	}
	f.Cache = cache
	return err
}

package cli

import (
	"cmp"
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/sharedcache"
)

// Names of environment variables of the cache that machines share.
const (
	CacheVariable      = "WAYBILL_CACHE"
	CacheWriteVariable = "WAYBILL_CACHE_WRITE"
	CacheKeyVariable   = "WAYBILL_CACHE_KEY"
)

// sharedCache is the cache that machines share, behind the folder of this one. A nil one is not used.
type sharedCache struct {
	url     string
	write   bool
	key     string
	context func() context.Context // of the command
	opened  *sharedcache.Cache     // nil while none is used
}

// addSharedCache adds the flags, and has cmd close the cache when it ends, even if it failed: what it rendered is right.
func addSharedCache(cmd *cobra.Command) *sharedCache {
	s, flags := &sharedCache{context: cmd.Context}, cmd.Flags()
	flags.StringVar(&s.url, "cache", "", "`URL` of a cache that machines share: https://HOST/PATH, s3://BUCKET/PREFIX or "+
		"oci://HOST/REPOSITORY (default: the variable "+CacheVariable+")")
	flags.BoolVar(&s.write, "cache-write", false, "also write to the cache of --cache, as with the variable "+CacheWriteVariable)
	flags.StringVar(&s.key, "cache-key", "", "`FILE` with an Ed25519 key in PEM form: use only what its private key signed, and sign if "+
		"it is that (default: the variable "+CacheKeyVariable+")")
	run := cmd.RunE
	if run == nil {
		panic("the flags of the cache come after RunE")
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		defer s.close()
		return run(cmd, args)
	}
	return s
}

// start opens the cache, if one is named; nil if not. It asks the server nothing.
func (s *sharedCache) start(report func(error)) (*sharedcache.Cache, error) {
	if s == nil || s.opened != nil {
		return s.open(), nil
	}
	url := cmp.Or(s.url, os.Getenv(CacheVariable))
	switch {
	case url == "" && (s.write || s.key != ""):
		return nil, Usagef("--cache-write and --cache-key are for --cache, which names no cache")
	case url == "":
		return nil, nil
	}
	cache, err := sharedcache.Open(s.context(), url, sharedcache.Options{
		Write: s.write || os.Getenv(CacheWriteVariable) != "", KeyFile: cmp.Or(s.key, os.Getenv(CacheKeyVariable)),
		Report: report, Getenv: os.Getenv,
	})
	if err != nil {
		return nil, Usagef("--cache: %w", err)
	}
	s.opened = cache
	return cache, nil
}

func (s *sharedCache) open() *sharedcache.Cache {
	if s == nil {
		return nil
	}
	return s.opened
}

// close waits until everything is written that may be.
func (s *sharedCache) close() {
	if cache := s.open(); cache != nil {
		cache.Close()
	}
}

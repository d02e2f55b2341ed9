package image

import (
	"cmp"
	"maps"
	"strings"
)

// labels describes the image to people and registries. They stand in the config, where
// `podman inspect` shows them, and as annotations on manifests and index, where registries look.
func (s Spec) labels() map[string]string {
	return withoutEmpty(map[string]string{
		"org.opencontainers.image.title":         s.Name,
		"org.opencontainers.image.description":   s.Description,
		"org.opencontainers.image.version":       s.Version,
		"org.opencontainers.image.source":        Source,
		"org.opencontainers.image.documentation": s.documentation(),
		"org.opencontainers.image.licenses":      License,
	})
}

// annotations adds to the labels what Porch reads from a manifest when it lists the functions of
// a registry.
func (s Spec) annotations() map[string]string {
	if s.Controller { // no function, and not to be listed as one
		return s.labels()
	}
	all := withoutEmpty(map[string]string{
		"dev.kpt.fn.meta.types":            strings.Join(s.Types, ","),
		"dev.kpt.fn.meta.description":      s.Description,
		"dev.kpt.fn.meta.documentationurl": s.documentation(),
	})
	maps.Copy(all, s.labels())
	return all
}

func (s Spec) documentation() string {
	return cmp.Or(s.Documentation, Source+"/tree/main/functions/"+s.Name)
}

func withoutEmpty(m map[string]string) map[string]string {
	maps.DeleteFunc(m, func(_, v string) bool { return v == "" })
	return m
}

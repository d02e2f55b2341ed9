package spdx

import (
	"net/url"
	"path"
	"runtime/debug"
	"strings"
)

// modules are those that a program is made of beside its own, with Go's own packages first, in the order that the go command gives.
func modules(info *debug.BuildInfo) []debug.Module {
	out := []debug.Module{{Path: "stdlib", Version: info.GoVersion}}
	for _, m := range info.Deps {
		for m.Replace != nil {
			m = m.Replace
		}
		out = append(out, *m)
	}
	return out
}

// modulePURL is the package URL of a module: for packages of Go the version has no prefix.
func modulePURL(name, version string) string {
	if name == "stdlib" {
		version = strings.TrimPrefix(version, "go")
	}
	return "pkg:golang/" + strings.ToLower(name) + "@" + url.QueryEscape(version)
}

// programPURL names the folder of a program in its module.
func programPURL(info *debug.BuildInfo, version string) string {
	purl := modulePURL(info.Main.Path, version)
	if folder, ok := strings.CutPrefix(info.Path, info.Main.Path+"/"); ok {
		purl += "#" + folder
	}
	return purl
}

func (i Image) purl() string {
	purl := "pkg:oci/" + path.Base(i.Repository) + "@" + url.QueryEscape(i.Digest) + "?"
	if i.Arch != "" {
		purl += "arch=" + i.Arch + "&"
	}
	return purl + "repository_url=" + i.Repository + "&tag=" + i.Tag
}

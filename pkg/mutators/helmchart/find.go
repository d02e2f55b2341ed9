package helmchart

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/helm/chart"
)

// found is a chart of the package: an archive, or the files of a folder.
type found struct {
	path    string
	archive []byte
	names   []string // of files, from path on
	digest  string
}

// find finds a chart of the config and checks it by the lock.
func (r *release) find(a *chartArgs) (*found, error) {
	entry := r.lock.find(a)
	if entry == nil {
		if a.Repo != "" {
			return nil, fmt.Errorf("chart %q from %s is not locked: rendering fetches nothing; %s", a.Name, redacted(a.Repo), r.toLock())
		}
		return r.findLocal(a)
	}
	at := r.path(entry.Path)
	f := findAt(r.files, at)
	switch {
	case f == nil:
		return nil, fmt.Errorf("chart %q: %s is locked, but is not in the package; run waybill helm lock", a.Name, at)
	case f.digest != entry.Digest:
		return nil, fmt.Errorf("chart %q: %s has digest %s, and the lock says %s; find out who changed it, then run waybill helm lock",
			a.Name, at, f.digest, entry.Digest)
	}
	return f, nil
}

// toLock says how to lock a chart of the config.
func (r *release) toLock() string {
	if r.flat {
		return "name it in a " + configKind + " in place of a ConfigMap, and run waybill helm lock, which reads no ConfigMaps"
	}
	return "run waybill helm lock"
}

// findLocal finds a chart that no lock names: a folder NAME, or an archive NAME-VERSION.tgz or NAME.tgz.
func (r *release) findLocal(a *chartArgs) (*found, error) {
	folder := r.path(path.Join(r.home(), a.Name))
	candidates := []string{folder}
	if a.Version != "" {
		candidates = append(candidates, folder+"-"+a.Version+".tgz")
	}
	candidates = append(candidates, folder+".tgz")
	for _, at := range candidates {
		if f := findAt(r.files, at); f != nil {
			return f, nil
		}
	}
	return nil, fmt.Errorf("chart %q: there is no %s in the package; put the chart there (helm pull), or set chartArgs.repo "+
		"and run waybill helm lock",
		a.Name, strings.Join(candidates, ", and no "))
}

// findAt finds a chart at a path; nil if there is none.
func findAt(files fn.Files, at string) *found {
	if data, ok := files[at]; ok {
		return &found{path: at, archive: data, digest: chart.Digest(data)}
	}
	if _, ok := files[path.Join(at, "Chart.yaml")]; !ok {
		return nil
	}
	f := &found{path: at}
	for name := range maps.Keys(files) {
		if inner, is := strings.CutPrefix(name, at+"/"); is {
			f.names = append(f.names, inner)
		}
	}
	slices.Sort(f.names)
	f.digest = chart.FolderDigest(f.names, func(name string) []byte { return files[at+"/"+name] })
	return f
}

// load reads and parses a chart.
func (f *found) load(files fn.Files) (c *chart.Chart, size int, err error) {
	var all []chart.File
	if f.archive != nil {
		all, err = chart.Archive(f.archive)
	} else {
		for _, name := range f.names {
			all = append(all, chart.File{Name: name, Data: files[f.path+"/"+name]})
		}
		all, err = chart.Folder(all)
	}
	for _, file := range all {
		size += len(file.Data)
	}
	if err == nil {
		c, err = chart.Load(all)
	}
	return c, size, err
}

// redacted is a URL without a password.
func redacted(url string) string {
	if scheme, rest, ok := strings.Cut(url, "://"); ok {
		if i := strings.LastIndexByte(rest, '@'); i >= 0 {
			return scheme + "://" + rest[i+1:]
		}
	}
	return url
}

package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Index holds reports. Several goroutines may read it while none changes it.
type Index struct {
	wds     string
	objects map[Identity]map[string][]entry // by cluster; the entry that counts is first
	sources map[Source]record
	version int
}

// entry is a report and its source.
type entry struct {
	source Source
	report Report
}

// record is what the index keeps about a source.
type record struct {
	objects []Identity // each once
	remarks []string
}

// New returns an empty Index for a workload space: what is labelled with another one is ignored. With "" nothing is.
func New(wds string) *Index {
	return &Index{wds: wds, objects: map[Identity]map[string][]entry{}, sources: map[Source]record{}}
}

// Put adds a WorkStatus or a ManifestWork, or replaces one with the same kind, namespace and name. It returns the places
// whose report changed, in order. A place without a resource is that of the object in any resource.
func (x *Index) Put(obj map[string]any) ([]Place, error) {
	source, err := SourceOf(obj)
	if err != nil {
		return nil, err
	}
	if !Concerns(obj, x.wds) {
		return x.Delete(source), nil
	}
	seen, remarks, err := readers[source.Kind].read(obj)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	return x.replace(source, seen, remarks), nil
}

// Delete removes what a source reported, and returns the places whose report changed, in order. The source need not exist.
func (x *Index) Delete(source Source) []Place { return x.replace(source, nil, nil) }

func (x *Index) replace(source Source, seen []sighting, remarks []string) (changed []Place) {
	before := map[Place]Report{}
	for _, id := range x.sources[source].objects {
		before[Place{id, source.Namespace}] = x.Of(id).In(source.Namespace)
		x.remove(id, source)
	}
	rec := record{remarks: remarks}
	odd := !slices.Equal(x.sources[source].remarks, remarks)
	for _, s := range seen {
		at := Place{s.object, source.Namespace}
		if _, noted := before[at]; !noted {
			before[at] = x.Of(s.object).In(source.Namespace)
		}
		x.add(s.object, entry{source, s.report})
		rec.objects = append(rec.objects, s.object)
	}
	if delete(x.sources, source); len(seen) > 0 || len(remarks) > 0 {
		x.sources[source] = rec
	}
	for at, was := range before {
		if !was.same(x.Of(at.Object).In(at.Cluster)) {
			changed = append(changed, at)
		}
	}
	slices.SortFunc(changed, Place.Compare)
	if len(changed) > 0 || odd {
		x.version++
	}
	return changed
}

// Version changes whenever a report or a Warning does.
func (x *Index) Version() int { return x.version }

func (x *Index) add(id Identity, e entry) {
	clusters := x.objects[id]
	if clusters == nil {
		clusters = map[string][]entry{}
		x.objects[id] = clusters
	}
	entries := clusters[e.source.Namespace]
	at, _ := slices.BinarySearchFunc(entries, e, compareEntries)
	clusters[e.source.Namespace] = slices.Insert(entries, at, e)
}

func (x *Index) remove(id Identity, source Source) {
	clusters := x.objects[id]
	entries := clusters[source.Namespace]
	if entries = slices.DeleteFunc(entries, func(e entry) bool { return e.source == source }); len(entries) > 0 {
		clusters[source.Namespace] = entries
		return
	}
	if delete(clusters, source.Namespace); len(clusters) == 0 {
		delete(x.objects, id)
	}
}

// compareEntries orders entries of one kind with a report before those without.
func compareEntries(a, b entry) int {
	if kinds := a.source.compareKinds(b.source); kinds != 0 || a.report.Known == b.report.Known {
		return cmp.Or(kinds, a.source.Compare(b.source))
	}
	if a.report.Known {
		return -1
	}
	return 1
}

// Objects returns the objects with reports, in order.
func (x *Index) Objects() []Identity {
	return slices.SortedFunc(maps.Keys(x.objects), Identity.Compare)
}

// Of returns the reports about one object. They are valid until the next Put or Delete.
func (x *Index) Of(id Identity) Object {
	if id.Resource == "" {
		return Object{clusters: x.objects[id]}
	}
	return Object{x.objects[id], x.objects[id.Unmapped()]}
}

// Object has the reports about one object. Agents that do not know its kind name no resource.
type Object struct{ clusters, unmapped map[string][]entry }

// In returns the report of one cluster.
func (o Object) In(cluster string) Report {
	r, entries := unknown, o.clusters[cluster]
	if n := alike(entries); n > 0 {
		r = entries[0].report
		r.Sources, r.Manifest = n, Manifest{}
	}
	for _, some := range [...][]entry{entries, o.unmapped[cluster]} {
		for i := range some {
			r.Manifest = r.Manifest.joined(some[i].report.Manifest)
		}
	}
	return r
}

// Clusters returns the clusters with reports about the object, in order.
func (o Object) Clusters() []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(o.clusters)), maps.Keys(o.unmapped))
	slices.Sort(names)
	return slices.Compact(names)
}

// alike counts the entries with a report of the first entry's kind; these come before others.
func alike(entries []entry) (n int) {
	for n < len(entries) && entries[n].report.Known && entries[n].source.Kind == entries[0].source.Kind {
		n++
	}
	return n
}

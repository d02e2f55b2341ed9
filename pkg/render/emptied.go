package render

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// emptied are files that hold no object and no comment, as a redirection or a program that was stopped leaves them, and what
// there is that may be made of what they held. Of a package without such files nothing is looked into.
type emptied struct {
	files []string
	had   generated
}

func (p *pkg) emptied(read []*krm.Object) (e emptied) {
	if e.files = p.emptyFiles(); len(e.files) > 0 {
		e.had = generatedIn(read)
	}
	return e
}

// check refuses a render after which something that was generated is gone.
func (e emptied) check(items []*krm.Object) error {
	if len(e.had) == 0 {
		return nil
	}
	now := generatedIn(items)
	maps.DeleteFunc(e.had, func(o generatedObject, _ bool) bool { return now[o] })
	if len(e.had) == 0 {
		return nil
	}
	first := slices.MinFunc(slices.Collect(maps.Keys(e.had)), func(a, b generatedObject) int { return cmp.Compare(a.String(), b.String()) })
	return fmt.Errorf("no object and no comment is in %s, and %s would be deleted (%d generated objects in all): "+
		"put back what the file held, or remove it, or say in a comment in it that it holds nothing",
		strings.Join(e.files[:min(len(e.files), 3)], ", "), first, len(e.had))
}

// emptyFiles are those of p and below.
func (p *pkg) emptyFiles() []string {
	files := slices.Clone(p.empty)
	for _, s := range p.subs {
		files = append(files, s.emptyFiles()...)
	}
	return files
}

// noteEmpty remembers a file that says nothing. A comment says that it is meant to hold no object.
func (p *pkg) noteEmpty(file resourceFile, data []byte, objs []*krm.Object) {
	if len(objs) == 0 && !bytes.ContainsRune(data, '#') {
		p.empty = append(p.empty, file.name)
	}
}

// generated is what functions generated: objects of the package, and those that its works hold for a cluster.
type generated map[generatedObject]bool

type generatedObject struct {
	cluster string // "" in the package itself
	id      krm.ID
}

func (o generatedObject) String() string {
	title := o.id.Kind + " " + path.Join(o.id.Namespace, o.id.Name)
	if o.cluster == "" {
		return title
	}
	return title + " of cluster " + o.cluster
}

func generatedIn(items []*krm.Object) generated {
	all := generated{}
	for _, o := range items {
		switch {
		case fn.IsGeneratedWork(o):
			all.addManifests(o)
		case fn.IsGenerated(o):
			all[generatedObject{"", o.ID()}] = true
		}
	}
	return all
}

// addManifests adds what a work holds, without its hand-over entries: other works hold those.
func (g generated) addManifests(work *krm.Object) {
	manifests := krm.Deref(work.Lookup("spec", "workload", "manifests"))
	if manifests == nil {
		return
	}
	entries, _ := strconv.Atoi(work.Annotation(fn.HandOver))
	for _, n := range manifests.Content[:max(0, len(manifests.Content)-max(0, entries))] {
		if n = krm.Deref(n); n.Kind == yaml.MappingNode {
			g[generatedObject{work.Namespace(), krm.FromNode(n).ID()}] = true
		}
	}
}

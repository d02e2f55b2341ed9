package main

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
)

// generated is a made-up package.
type generated struct {
	*rand.Rand
	files      map[string]string
	normal     bool // kpt formats it first: then both give the same bytes
	idempotent bool // a second render has nothing to do
	restyled   bool // functions print all in another style, and we keep the one that was
	names      int  // how many objects it has so far
}

// generate makes up the package of that seed: the same seed, the same package.
func generate(seed uint64) *generated {
	g := &generated{Rand: rand.New(rand.NewPCG(seed, 1)), files: map[string]string{}, idempotent: true}
	g.normal = !g.chance(20)
	g.pkg(".")
	for _, dir := range []string{"sub", "sub/plain/below", "other"} {
		if g.chance(35) {
			g.pkg(dir)
		}
	}
	if g.chance(8) {
		g.breakKptfile()
	}
	return g
}

// chance is true in so many of a hundred cases.
func (g *generated) chance(percent int) bool { return g.IntN(100) < percent }

func (g *generated) one(of ...string) string { return of[g.IntN(len(of))] }

// pkg makes up one package without its subpackages.
func (g *generated) pkg(dir string) {
	for range 1 + g.IntN(4) {
		g.resourceFile(dir)
	}
	if g.chance(30) {
		g.oddFile(dir)
	}
	g.files[path.Join(dir, "Kptfile")] = g.kptfile(dir)
}

func (g *generated) resourceFile(dir string) {
	file := path.Join(dir, g.one("", "", "conf", "deep/er"), g.one("a", "b", "web", "x_y", "0")+g.one(".yaml", ".yaml", ".yml"))
	if g.chance(10) {
		g.files[strings.TrimSuffix(file, path.Ext(file))+".json"] = g.jsonFile()
		return
	}
	g.files[file] = g.document()
	for g.chance(35) {
		g.files[file] += g.one("---\n", "---\n", "---\n", "--- # next\n", "---\n# between\n---\n", "---\n\n---\n") + g.document()
	}
	g.files[file] = g.wrap(g.files[file])
}

// wrap changes what is around the documents of a file.
func (g *generated) wrap(text string) string {
	switch g.IntN(24) {
	case 0:
		return "---\n" + text
	case 1:
		return "# header\n\n" + text
	case 2:
		return "# header\n---\n" + text
	case 4:
		return text + "---\n"
	case 5:
		return text + "...\n"
	case 6:
		return strings.TrimSuffix(text, "\n")
	case 7:
		return strings.ReplaceAll(text, "\n", "\r\n")
	case 8:
		return text + "\n\n\n"
	case 9:
		return "\n\n" + text
	case 10:
		return strings.ReplaceAll(text, "\nmetadata", "   \nmetadata")
	}
	return text
}

func (g *generated) jsonFile() string {
	name := g.name()
	return g.one(
		fmt.Sprintf(`{"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": %q}, "data": {"b": "1", "a": "<&>"}}`, name),
		fmt.Sprintf("{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"Gadget\",\n  \"metadata\": {\"name\": %q},\n"+
			"  \"spec\": {\"n\": 1.50, \"big\": 12345678901, \"e\": [], \"o\": {}, \"z\": null, \"t\": true, \"u\": \"\\u00e9\"}\n}\n", name))
}

// oddFile adds a file without objects, or with hidden ones.
func (g *generated) oddFile(dir string) {
	hidden := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: hidden}\n"
	add := func(file, text string) { g.files[path.Join(dir, file)] = text }
	switch g.IntN(13) {
	case 0:
		add(".krmignore", g.one("hidden.yaml\n", "# all of it\nhid*\n", "/hidden.yaml\n", "*.yaml\n!a.yaml\n", "conf/\n", "conf\n", "**/a.yaml\n"))
		add("hidden.yaml", g.one(hidden, "a: [\n", "not: krm\n"))
	case 1:
		add(".hidden/x.yaml", strings.Replace(hidden, "hidden", "dot", 1))
	case 2:
		add("kustomization.yaml", g.one("resources:\n- a.yaml\n", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n"))
	case 3:
		add("README.md", "# Read\n\nme\n")
	case 4:
		add("empty.yaml", g.one("", "\n", "# nothing\n", "---\n", "---\n---\n", "{}\n", "null\n"))
	case 5:
		add("values.yaml", g.one("a: b\n", "- a\n- b\n", "text\n", "a: [\n", "a:\n\tb: c\n", "7\n", "apiVersion: v1\nkind: X\n", "apiVersion: v1\nkind: X\nmetadata: {}\n"))
	case 6:
		add("script.sh", "#!/bin/sh\necho hello\n")
	case 7:
		add("data.json", g.one("{}\n", "[]\n", "{\"a\": 1}\n", ""))
	case 8:
		add("nested/Kustomization", "resources: []\n")
	case 9:
		add("list.yaml", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: in-list}\n")
	case 10:
		add("nested/kustomization.yml", "# mine\nnamePrefix: a-\n")
	case 11:
		add("UPPER.YAML", hidden)
	case 12:
		add("resourcelist.yaml", "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: in-resource-list}\n")
	}
}

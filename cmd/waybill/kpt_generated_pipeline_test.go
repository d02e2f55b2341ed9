package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// kptfile makes up the Kptfile of the package in dir, and the configs that it names.
func (g *generated) kptfile(dir string) string {
	name := path.Base(dir)
	if dir == "." {
		name = "app"
	}
	text := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: " + name + g.one("", "", " # the package") + "\n"
	if dir != "." && g.chance(40) {
		text += "upstream:\n  type: git\n  git:\n    repo: https://git.example.com/a\n    directory: /b\n    ref: v1\n  updateStrategy: resource-merge\n"
	}
	if g.chance(20) {
		text += g.one("info:\n  description: a package\n  keywords:\n  - a\n  - b\n", "info:\n  keywords: [a]\n", "info:\n  description: >-\n    folded\n    text\n")
	}
	pipeline := g.functions("mutators", dir, 0, 3) + g.functions("validators", dir, 0, 1)
	if pipeline != "" {
		text += g.one("", "# what to do\n") + "pipeline:\n" + pipeline
	}
	return text
}

func (g *generated) functions(field, dir string, least, more int) string {
	n := least + g.IntN(more+1)
	if n == 0 {
		return ""
	}
	text := "  " + field + ":\n"
	by := g.one("  ", "    ")
	for range n {
		lines := strings.Split(strings.TrimSuffix(g.function(dir), "\n"), "\n")
		text += by + "- " + strings.Join(lines, "\n"+by+"  ") + "\n"
	}
	return text
}

// function is one entry of a pipeline, at its own margin.
func (g *generated) function(dir string) string {
	if g.chance(10) {
		return "exec: " + g.one("set-labels\nconfigMap:\n  color: red\n", "set-labels\nconfigMap:\n  app: x\n  b: 'y' # why\n", "set-namespace\nconfigMap: {namespace: moved}\n")
	}
	text := "exec: " + g.verb() + "\n"
	if g.chance(15) {
		text = "name: step\n" + text
	}
	return text + g.config(dir) + g.selection()
}

// verb is what the function does. Those that do more when they run again are kept apart.
func (g *generated) verb() string {
	if g.chance(25) {
		g.idempotent = false
		return "kptfn " + g.oddVerb()
	}
	if g.chance(4) {
		g.restyled = true
		return "kptfn json"
	}
	return "kptfn " + g.one(
		"same", "reverse", "config", "config", "config",
		"label "+g.target()+" color red", "label "+g.target()+" app b", "label "+g.target()+" num 1",
		"annotate "+g.target()+" note z", "annotate "+g.target()+` note "true"`,
		"set "+g.target()+" data "+g.one("more", "yes", "7", `"a: b"`), "set "+g.target()+" spec x",
		"unset "+g.target()+" "+g.one("data", "spec", "status"),
		"list "+g.target()+" front",
		"results "+g.one("info", "warning", "error")+" 0 "+g.one("", "values"),
	)
}

func (g *generated) oddVerb() string {
	switch g.IntN(9) {
	case 0:
		return "results " + g.one("info", "warning", "error") + " " + g.one("1", "3") + " " + g.one("", "values")
	case 1:
		return g.one("text", "half", "no-items", "items-map", "items-text", "items-null", "sequence", "number", "tab", "nonsense")
	case 2:
		return "drop " + g.target()
	case 3:
		return "index " + g.target() + " " + g.one("0", "1", "5", "-1")
	case 4:
		return "unfile " + g.target()
	case 5:
		return "rename " + g.target() + " called"
	case 6, 7:
		return "move " + g.target() + " " + g.one("new.yaml", "conf/new.yml", "a.yaml", "../up.yaml", "/abs.yaml", "c/../d.yaml", "./e.yaml", "new.json",
			"new.txt", "sub/in.yaml", "Kptfile") + " " + g.one("", "internal", "internal")
	}
	return "add " + g.one("fresh", "made") + " " + g.one("-", "- - shop", "made.yaml", "a.yaml", "conf/a.yaml 9", "../up.yaml", "gen/x.json", "a.yaml 0", "b.yaml 1 shop")
}

func (g *generated) target() string {
	return g.one("all", "ConfigMap", "Deployment", "Gadget", "o1", "o2", "o3", "o4")
}

// config is how the function is configured, if at all.
func (g *generated) config(dir string) string {
	switch g.IntN(8) {
	case 0:
		return "configMap:\n  key: value\n"
	case 1:
		return "configMap: " + g.one("{a: \"1\", b: 'yes'}", "{}", "{k: \"a: b\"}") + "\n"
	case 2:
		return "configMap:\n  z: last # why\n  a: |\n    lines\n    more\n"
	case 3, 4:
		file := g.one("fn.yaml", "conf/fn.yaml", "fn.yml")
		name := "fn-" + strings.ReplaceAll(path.Join(dir, file), "/", "-")
		g.files[path.Join(dir, file)] = g.one("", "# config\n") + fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\ndata:\n  key: value # of it\n", name)
		return "configPath: " + g.one(file, file, "./"+file) + "\n"
	}
	return ""
}

// selection limits what the function sees. No two selectors match one object: kpt passes that
// twice, and refuses it then.
func (g *generated) selection() string {
	var text string
	for _, field := range []string{"selectors", "exclude"} {
		if !g.chance(20) {
			continue
		}
		text += field + ":\n"
		for _, s := range g.selectors() {
			text += "- " + strings.ReplaceAll(s, "\n", "\n  ") + "\n"
		}
	}
	return text
}

func (g *generated) selectors() []string {
	if g.chance(35) {
		names := []string{"name: o1", "name: o2", "name: o3\nkind: ConfigMap", "name: o4\nnamespace: shop"}
		g.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
		return slices.Clone(names[:2])
	}
	return []string{g.one("kind: ConfigMap", "kind: Deployment", "apiVersion: example.com/v1", "apiVersion: v1\nkind: ConfigMap", "name: o1",
		"namespace: shop", "labels:\n  app: a", "labels: {app: a, tier: \"1\"}", "annotations:\n  note: x", "{}", "kind: Kptfile",
		"kind: None", "annotations: {note: y}\nkind: ConfigMap", "name: o2\nlabels: {app: b}")}
}

// breakKptfile makes one of the Kptfiles invalid.
func (g *generated) breakKptfile() {
	file := "Kptfile"
	if g.files["sub/Kptfile"] != "" && g.chance(50) {
		file = "sub/Kptfile"
	}
	head, _, _ := strings.Cut(g.files[file], "pipeline:\n")
	entry := "pipeline:\n  mutators:\n  - exec: kptfn same\n"
	g.files[file] = head + g.one(
		"extra: field\n",
		entry+"    colour: red\n",
		entry+"    image: example.com/a:v1\n",
		entry+"    configPath: ../fn.yaml\n",
		entry+"    configPath: a..b.yaml\n",
		entry+"    configPath: /fn.yaml\n",
		entry+"    configPath: none.yaml\n",
		entry+"    configPath: README.md\n",
		entry+"    configPath: fn.yaml\n    configMap: {a: b}\n",
		entry+"    configMap: {a: 1, b: true}\n",
		entry+"    configMap: {a: [b]}\n",
		entry+"    configMap: {a: null}\n",
		entry+"    configPath: ''\n",
		"pipeline:\n  mutators:\n  - name: nothing\n",
		"pipeline:\n  mutators:\n  - exec: ''\n",
		"pipeline:\n  mutators:\n  - exec: no-such-program\n",
		"pipeline:\n  mutators:\n  - exec: \"kptfn 'same\"\n",
		"pipeline:\n  mutators:\n  - image: 'UPPER case'\n",
		"pipeline: {}\n", "pipeline:\n", "pipeline:\n  mutators: []\n", "pipeline:\n  mutators: {}\n", "pipeline: []\n",
		"upstream: {type: git}\n", "inventory: {namespace: a, name: b, inventoryID: c}\n", "status: {}\n",
	)
}

// Package library has the libraries that Starlark scripts load, under the names and with the functions that they have in
// kpt's catalogue.
//
// Shape: the name of a module in, its values out. Each function pays before it works (Host.Pay): at least the bytes that it
// reads and makes.
// Cost: none worth naming; modules are made when a script loads them.
// Errors: a module that is not here, with the reason; what a function refuses.
// Bounds: nothing reads a clock, the network or the environment. Functions of math that may differ between processors are
// left out.
// Source: the README of starlark in krm-functions-catalog for the modules; that of starlib for their functions.
package library

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	starmath "go.starlark.net/lib/math"
	star "go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Host is what the interpreter does for the libraries.
type Host struct {
	Pay      func(price int) error
	Size     func(star.Value) int // the cost of a walk over a value
	FromNode func(*yaml.Node) (star.Value, error)
	ToNode   func(star.Value) (*yaml.Node, error)
}

// The prices of new values, in bytes.
const (
	small = 64
	value = 512 // a value of a document, with the nodes on the way
	built = 3   // for every byte of a text
)

// function is one of a library, which pays for itself.
type function func(Host, *star.Builtin, star.Tuple, []star.Tuple) (star.Value, error)

// modules are the libraries: the module's file, its name, and its functions.
var modules = map[string]struct {
	name      string
	functions map[string]function
}{
	"krmfn.star":           {"krmfn", map[string]function{"match_gvk": matchGVK, "match_name": matchName, "match_namespace": matchNamespace}},
	"encoding/base64.star": {"base64", map[string]function{"encode": encode64, "decode": decode64}},
	"encoding/json.star":   {"json", map[string]function{"encode": encodeJSON, "decode": decodeJSON, "indent": indentJSON}},
	"encoding/yaml.star":   {"yaml", map[string]function{"loads": loadYAML, "dumps": dumpYAML}},
	"hash.star":            {"hash", hashes},
	"math.star":            {"math", mathFunctions()},
	"re.star": {"re", map[string]function{
		"findall": findAll, "match": matchAll, "search": search, "split": split, "sub": substitute,
	}},
}

// refused are the catalogue's libraries that are not here, and why.
var refused = map[string]string{
	"http.star": "a function has no network", "time.star": "the result must not depend on a clock or its zones",
	"bsoup.star": "", "encoding/csv.star": "", "geo.star": "", "html.star": "", "xlsx.star": "", "zipfile.star": "",
}

// Check returns an error for a module that Load does not have.
func Check(module string) error {
	if _, ok := modules[module]; ok {
		return nil
	}
	why, known := refused[module]
	text := "there is no library %q"
	switch {
	case why != "":
		text = "library %q is not supported: " + why
	case known:
		text = "library %q is not supported"
	}
	return fmt.Errorf(text+"; supported are %s", module, strings.Join(slices.Sorted(maps.Keys(modules)), ", "))
}

// Load makes the values of a module.
func (h Host) Load(module string) (star.StringDict, error) {
	if err := Check(module); err != nil {
		return nil, err
	}
	m := modules[module]
	members := star.StringDict{}
	for name, f := range m.functions {
		run := func(_ *star.Thread, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
			return f(h, b, args, kwargs)
		}
		members[name] = star.NewBuiltin(m.name+"."+name, run)
	}
	if m.name == "math" {
		members["e"], members["pi"] = star.Float(math.E), star.Float(math.Pi)
	}
	return star.StringDict{m.name: &starlarkstruct.Module{Name: m.name, Members: members}}, nil
}

// exact are the functions of math whose results are the same on all processors.
var exact = []string{"ceil", "copysign", "fabs", "floor", "mod", "remainder", "round", "sqrt"}

func mathFunctions() map[string]function {
	all := map[string]function{}
	for _, name := range exact {
		b := starmath.Module.Members[name].(*star.Builtin)
		all[name] = func(h Host, _ *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
			if err := h.Pay(small + h.Size(args)); err != nil {
				return nil, err
			}
			return b.CallInternal(nil, args, kwargs)
		}
	}
	return all
}

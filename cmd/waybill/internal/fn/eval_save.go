package fn

import (
	"fmt"
	"path/filepath"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// checkSave adds the config to the function as a Kptfile holds it. It refuses a function that a Kptfile cannot hold, and an
// unreadable Kptfile.
func (f *evalFunction) checkSave(job *evalJob, values []string) error {
	var err error
	if f.fnCfg != "" {
		if job.Function.ConfigPath, err = configPath(job.source.dir, f.fnCfg); err != nil {
			return err
		}
	}
	kind, data, err := parseValues(values)
	if err != nil {
		return err
	}
	if kind != configMap {
		return cli.Usagef("--save: a Kptfile holds arguments as a ConfigMap, not as kind %q; write them to a file for --fn-config", kind)
	}
	if len(data) > 0 {
		job.Function.ConfigMap = data
	}
	if text, ok := job.source.before.Get(kptfile.Name); ok {
		_, err = kptfile.Parse(kptfile.Name, text)
	}
	return err
}

// configPath returns the path of file relative to the package in dir, which must contain it.
func configPath(dir, file string) (string, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", cli.Usagef("--fn-config must be under %s if saving functions to Kptfile (--save=true)", dir)
	}
	return filepath.ToSlash(rel), nil
}

// saveTo adds the function to the Kptfile at the root of tree, and returns a message. Without a Kptfile it does nothing but
// return a message, as kpt does.
func (e *evalCommand) saveTo(tree pkgtree.Tree, job *evalJob) (after pkgtree.Tree, message string, err error) {
	text, ok := tree.Get(kptfile.Name)
	if !ok {
		return tree, "function not added: Kptfile not exists", nil
	}
	file, err := kptfile.Parse(kptfile.Name, text)
	if err != nil {
		return tree, "", err
	}
	list := map[string]kptfile.List{"mutator": kptfile.Mutators, "validator": kptfile.Validators}[e.list]
	verb := "Added"
	if file.SaveFunction(list, job.Function) {
		verb = "Updated"
	}
	if text, err = file.Bytes(); err != nil {
		return tree, "", err
	}
	after, err = tree.Apply(map[string][]byte{kptfile.Name: text})
	return after, fmt.Sprintf("%s %q as %s in the Kptfile.", verb, cli.FunctionName(&job.Function), e.list), err
}

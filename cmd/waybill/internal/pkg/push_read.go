package pkg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/gitrepo/worktree"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// content is what push sends.
type content struct {
	tree       pkgtree.Tree
	executable []string
}

// read reads the package, and warns of what push leaves out, and of Secrets.
func (p *pushCommand) read(ctx context.Context, out io.Writer, dir string) (*content, error) {
	if err := cli.FinishWrites(out, dir); err != nil {
		return nil, err
	}
	tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	if err != nil {
		return nil, err
	}
	if tree.Blob(kptfile.Name) == nil {
		return nil, errors.New("not a package: there is no Kptfile; 'waybill pkg init' writes one")
	}
	ignored, err := worktree.Ignored(ctx, dir)
	if err != nil {
		return nil, err
	}
	left := map[string][]byte{}
	for _, file := range tree.Paths() {
		if slices.ContainsFunc(ignored, func(p string) bool { return file == p || strings.HasPrefix(file, p+"/") }) {
			left[file] = nil
		}
	}
	if len(left) > 0 {
		fmt.Fprintf(out, "%d file(s) left out, which Git ignores.\n", len(left))
	}
	if tree, err = tree.Apply(left); err != nil {
		return nil, err
	}
	if secrets := secretsIn(tree); len(secrets) > 0 {
		fmt.Fprintf(out, "warning: %s\n", cli.SafeText(secretsMessage(secrets)))
	}
	executable, err := executables(dir, tree)
	return &content{tree, executable}, err
}

func secretsMessage(files []string) string {
	return "values of Secrets are in " + fileList(files) + ": everybody who may pull the package can read them"
}

// secretsIn are the files that hold a Secret with values.
func secretsIn(tree pkgtree.Tree) (files []string) {
	for p, b := range tree.All() {
		if !slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(p)) {
			continue
		}
		objects, _ := krm.Read(p, b.Data(), krm.Limits{})
		if slices.ContainsFunc(objects, hasSecret) {
			files = append(files, p)
		}
	}
	return files
}

func hasSecret(o *krm.Object) bool {
	return o.Is("", "Secret") && (o.Lookup("data") != nil || o.Lookup("stringData") != nil)
}

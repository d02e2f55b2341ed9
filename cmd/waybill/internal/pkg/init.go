package pkg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

type initCommand struct{ info kptfilev1.PackageInfo }

func newInitCommand() *cobra.Command {
	var i initCommand
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Make a folder a package",
		Long: `Init writes a Kptfile, a README.md and a package context, package-context.yaml, to the existing
folder DIR (default: the current directory). The package gets the name of the folder. Files that
exist stay as they are.

Exit codes: 0 done; 1 failed, and nothing was written; 2 wrong usage.`,
		Example: `  # the current directory
  waybill pkg init --description storefront --keywords web,shop`,
		Args:              cli.Args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: cli.CompleteFolders,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, name, err := folderOf(args)
			if err == nil {
				err = i.run(cmd, dir, name)
			}
			if err != nil {
				return fmt.Errorf("init: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&i.info.Description, "description", "sample description", "short description of the package")
	cmd.Flags().StringSliceVar(&i.info.Keywords, "keywords", nil, "keywords of the package")
	cmd.Flags().StringVar(&i.info.Site, "site", "", "`URL` of a page about the package")
	return cmd
}

func (i *initCommand) run(cmd *cobra.Command, dir, name string) error {
	files, err := i.files(name)
	if err != nil {
		return err
	}
	var missing []string
	for _, file := range []string{kptfile.Name, readmeFile, upstream.ContextFile} {
		switch _, err := os.Lstat(filepath.Join(dir, file)); {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, file)
		case err != nil:
			return err
		default:
			delete(files, file)
		}
	}
	tree, err := pkgtree.New(files)
	if err != nil || tree.Len() == 0 {
		return err
	}
	if err := pkgtree.WriteDir(dir, pkgtree.Tree{}, tree); err != nil {
		return err
	}
	for _, file := range missing {
		fmt.Fprintf(cmd.ErrOrStderr(), "writing %s\n", cli.SafeText(filepath.Join(dir, file)))
	}
	return nil
}

// files are those of a new package.
func (i *initCommand) files(name string) (map[string][]byte, error) {
	k := kptfilev1.KptFile{Info: &i.info}
	k.APIVersion, k.Kind, k.Name = kptfile.APIVersion, kptfile.Kind, name
	k.Annotations = map[string]string{krm.LocalConfigAnnotation: "true"}
	data, err := yaml.MarshalWithOptions(k, &yaml.EncoderOptions{SeqIndent: yaml.CompactSequenceStyle})
	if err != nil {
		return nil, err
	}
	if _, err := kptfile.Parse(kptfile.Name, data); err != nil {
		return nil, err
	}
	context, err := upstream.AddContext(pkgtree.Tree{}, "example", "")
	if err != nil {
		return nil, err
	}
	text, _ := context.Get(upstream.ContextFile)
	return map[string][]byte{
		kptfile.Name: data, upstream.ContextFile: text,
		readmeFile: fmt.Appendf(nil, readme, name, i.info.Description, name, name, name),
	}, nil
}

const (
	readmeFile = "README.md"
	readme     = `# %s

## Description
%s

## Usage

### Fetch the package
` + "`waybill pkg get REPO.git/DIR[@REF] %s`" + `

### View package content
` + "`waybill pkg tree %s`" + `

### Render the package
` + "`waybill fn render %s`" + `
`
)

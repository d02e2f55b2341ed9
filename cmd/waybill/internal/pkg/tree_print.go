package pkg

import (
	"fmt"
	"io"
	"strings"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

// print prints the tree as kpt does.
func (f *Folder) print(w io.Writer) error {
	if f.empty {
		return nil
	}
	_, err := fmt.Fprintln(w, oneLine(f.label()))
	return f.printBelow(w, "", err)
}

func (f *Folder) printBelow(w io.Writer, indent string, err error) error {
	left := len(f.Resources) + len(f.Folders)
	line := func(text string) (below string) {
		branch, next := "├── ", "│   "
		if left--; left == 0 {
			branch, next = "└── ", "    "
		}
		if err == nil {
			_, err = fmt.Fprintln(w, indent+branch+oneLine(text))
		}
		return indent + next
	}
	for _, r := range f.Resources {
		line(fmt.Sprintf("[%s]  %s %s", r.File, r.Kind, cli.Qualified(r.Namespace, r.Name)))
	}
	for _, sub := range f.Folders {
		err = sub.printBelow(w, line(sub.label()), err)
	}
	return err
}

func (f *Folder) label() string {
	if f.Package {
		return `Package "` + f.Name + `"`
	}
	return f.Name
}

// oneLine is text that stays on its line of a terminal.
func oneLine(text string) string { return strings.ReplaceAll(cli.SafeText(text), "\n", `\n`) }

package root

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/version"
	"github.com/waybill-dev/waybill/pkg/catalog"
)

// versions is what 'version' prints with -o json or yaml.
type versions struct {
	metav1.TypeMeta `json:",inline"`
	version.Info    `json:",inline"`
	Functions       []functionVersion `json:"functions"`
}

// functionVersion says for which images a linked function stands in.
type functionVersion struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// Replaces are the images of kpt's catalogue, without tag, and ReplacesVersions their versions.
	Replaces         []string `json:"replaces,omitempty"`
	ReplacesVersions []string `json:"replacesVersions,omitempty"`
}

func newVersionCommand() *cobra.Command {
	var out cli.Printer
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of waybill and of the functions linked into it",
		Long: `Version prints the release of waybill, or devel for a build from a checkout, with its commit if the
build recorded one; the version of Go; and the version of the linked functions, which is the tag of
their images. -o json and -o yaml list the functions, and the images of kpt's catalogue for which
they stand in.`,
		Example: "  waybill version\n  waybill version -o yaml",
		Args:    cli.Args(cli.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			data := versions{cli.TypeMeta("Version"), version.Get(), functionVersions()}
			return out.Print(cmd.OutOrStdout(), data, []string{"waybill", data.Version}, versionRows(data))
		},
	}
	out.Add(cmd)
	return cmd
}

func versionRows(v versions) [][]string {
	commit := cmp.Or(v.Commit, "not recorded")
	if v.Modified {
		commit += ", with changes"
	}
	replacing := 0
	for _, f := range v.Functions {
		replacing += min(1, len(f.Replaces))
	}
	functions := fmt.Sprintf("%s: %d, of which %d stand in for functions of kpt's catalogue", catalog.Version, len(v.Functions), replacing)
	return [][]string{{"commit", commit}, {"date", cmp.Or(v.Date, "not recorded")}, {"go", v.Go + " " + v.Platform},
		{"functions", functions}}
}

func functionVersions() (out []functionVersion) {
	for _, f := range catalog.Functions {
		images, replaced := catalog.StandsInFor(f.Name)
		out = append(out, functionVersion{f.Name, catalog.Version, images, replaced})
	}
	return out
}

package publish

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/fleet/publish"
	"github.com/waybill-dev/waybill/pkg/oci"
)

// Row is one artifact in the output.
type Row struct {
	Name     string   `json:"name"`
	Clusters []string `json:"clusters,omitempty"` // of a group
	Artifact string   `json:"artifact"`           // with the tag that moves
	Digest   string   `json:"digest,omitempty"`   // none for what would be pushed
	// State is pushed, unchanged or gone; planned for what would be pushed, or was not pushed because of an error.
	State string `json:"state"`
}

const planned = "planned"

// print prints all artifacts as data, and those that are not unchanged as a table.
func (p *command) print(cmd *cobra.Command, prefix oci.Reference, steps []publish.Step) error {
	rows, count := make([]Row, len(steps)), map[string]int{}
	for i, s := range steps {
		artifact := prefix.URL() + "/" + s.Name + ":" + p.channel
		rows[i] = Row{Name: s.Name, Clusters: s.Clusters, Artifact: artifact, Digest: s.Digest, State: string(s.State)}
		if s.State == publish.Changed {
			rows[i].State, rows[i].Digest = planned, ""
		}
		count[rows[i].State]++
	}
	var parts []string
	for _, state := range []string{string(publish.Pushed), planned, string(publish.Unchanged), string(publish.Gone)} {
		if count[state] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[state], state))
		}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "Artifacts: %s.\n", strings.Join(parts, ", "))
	shown := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.State == string(publish.Unchanged) })
	if p.out.Format == "table" && len(shown) == 0 {
		return nil
	}
	return p.out.Print(cmd.OutOrStdout(), cli.NewList("PublishedArtifactList", rows), []string{"ARTIFACT", "DIGEST", "STATE"},
		cli.Rows(shown, func(r Row) []string { return []string{r.Artifact, cli.OrDash(r.Digest), r.State} }))
}

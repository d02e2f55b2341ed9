package adopt

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/adopt"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// Adoption is what a take-over does, for scripts.
type Adoption struct {
	metav1.TypeMeta `json:",inline"`
	// WDSName is the workload space of the works.
	WDSName string `json:"wdsName"`
	// Items are by cluster and policy.
	Items []adopt.Count `json:"items"`
	// Lost are the objects that clusters would lose.
	Lost []adopt.Loss `json:"lost"`
	// Others is how many works other policies have, by policy.
	Others map[string]int `json:"others"`
	// Adopted is how many works of the hub are Waybill's already.
	Adopted int `json:"adopted"`
	// Preview compares the works of the hub with those of the rendered package, by object and field.
	Preview *waybillapi.FleetPreview `json:"preview"`
}

func newAdoption(p *adopt.Plan, counts []adopt.Count, losses []adopt.Loss, preview *waybillapi.FleetPreview) *Adoption {
	return &Adoption{TypeMeta: cli.TypeMeta("FleetAdoption"), WDSName: p.Space, Items: append([]adopt.Count{}, counts...),
		Lost: append([]adopt.Loss{}, losses...), Others: p.Others, Adopted: p.Ours, Preview: preview}
}

func (a *command) print(cmd *cobra.Command, plan *adopt.Plan, found *Adoption) error {
	stderr := cmd.ErrOrStderr()
	if a.out.Format != "table" {
		return cli.PrintSafe(cmd.OutOrStdout(), a.out.Format, found)
	}
	if len(found.Items) == 0 {
		fmt.Fprintf(stderr, "Nothing to take over: no work of KubeStellar belongs to a policy of the package (works of Waybill: %d).\n",
			plan.Ours)
	} else {
		rows := cli.Rows(found.Items, func(c adopt.Count) []string {
			return []string{cli.SafeText(c.Cluster), cli.SafeText(c.Policy), strconv.Itoa(c.Works), strconv.Itoa(c.Objects), strconv.Itoa(c.Kept),
				strconv.Itoa(c.HandedOver), strconv.Itoa(c.Lost)}
		})
		header := []string{"CLUSTER", "POLICY", "WORKS", "OBJECTS", "KEPT", "HANDED-OVER", "LOST"}
		if err := a.out.Print(cmd.OutOrStdout(), nil, header, rows); err != nil {
			return err
		}
	}
	for _, policy := range slices.Sorted(maps.Keys(plan.Others)) {
		fmt.Fprintf(stderr, "left alone: %s of policy %s, which the package does not have\n", selection.Count(plan.Others[policy], "work"),
			cli.SafeText(policy))
	}
	return nil
}

// mostLosses limits how many objects a refusal lists.
const mostLosses = 20

// refusal lists the objects that clusters would lose.
func refusal(stderr io.Writer, losses []adopt.Loss) error {
	for _, l := range losses[:min(len(losses), mostLosses)] {
		fmt.Fprintf(stderr, "cluster %s would lose %s %s of work %s\n", cli.SafeText(l.Cluster), cli.SafeText(l.Kind),
			cli.SafeText(cli.Qualified(l.Namespace, l.Name)), cli.SafeText(l.Work))
	}
	if more := len(losses) - mostLosses; more > 0 {
		fmt.Fprintf(stderr, "and %d more\n", more)
	}
	return &cli.ExitError{Code: cli.ExitRefused, Err: errors.New("refused: clusters would lose objects that the package does not send them; " +
		"add the objects, let their policy select them and their clusters, or set whenClusterLeaves: orphan; then repeat")}
}

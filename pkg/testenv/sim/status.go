package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const reportText = `---
apiVersion: control.kubestellar.io/v1alpha1
kind: WorkStatus
metadata:
  name: apps-v1-deployment-shop-%[1]s
  namespace: %[2]s
spec:
  sourceRef:
    group: apps
    version: v1
    resource: deployments
    kind: Deployment
    namespace: shop
    name: %[1]s
status:
  replicas: %[3]d
  readyReplicas: %[3]d
`

// statusReport is the part of what fleet status prints that the simulation compares.
type statusReport struct {
	Items []struct {
		Results []struct {
			Rows []struct {
				Columns []struct{ String, Float string }
			}
		}
	}
	Objects []struct {
		Kind, Name                 string
		Clusters, Reported, Silent []string
	}
}

// status has most clusters report about one object, and compares what waybill makes of that with what they report.
func (s *simulation) status() error {
	want, text := map[string]int{}, strings.Builder{}
	var silent []string
	replicas := int(number(s.model.local[watched].fields["replicas"]))
	for _, c := range s.model.clusters {
		switch s.random.IntN(10) {
		case 0:
			silent = append(silent, c.name)
			want["silent"]++
		case 1:
			fmt.Fprintf(&text, reportText, watched, c.name, replicas-1)
			want["not ready"]++
		default:
			fmt.Fprintf(&text, reportText, watched, c.name, replicas)
			want["ready"]++
		}
	}
	if err := writeFiles(s.dir, map[string]string{"reports.yaml": text.String()}); err != nil {
		return err
	}
	out, err := s.waybill("status", 0, "fleet", "status", "fleet/shop", "-f", "reports.yaml", "-o", "json")
	if err != nil {
		return err
	}
	var got statusReport
	if err := json.Unmarshal(out.stdout, &got); err != nil {
		return err
	}
	return s.checkStatus(got, want, silent)
}

func (s *simulation) checkStatus(got statusReport, want map[string]int, silent []string) error {
	counted := map[string]int{}
	for _, item := range got.Items {
		for _, result := range item.Results {
			for _, row := range result.Rows {
				counted[row.Columns[0].String] = int(number(row.Columns[1].Float))
			}
		}
	}
	if err := s.law(lawStatus, maps.Equal(counted, want), "the collector counts %v, want %v", counted, want); err != nil {
		return err
	}
	slices.Sort(silent)
	for _, o := range got.Objects {
		if o.Name == watched {
			return s.law(lawStatus, slices.Equal(o.Silent, silent) && len(o.Clusters) == len(s.model.clusters),
				"%d of %d clusters are silent, want %d of %d", len(o.Silent), len(o.Clusters), len(silent), len(s.model.clusters))
		}
	}
	return s.law(lawStatus, false, "nothing is said about %s", watched)
}

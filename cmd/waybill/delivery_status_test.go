package main

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// reports waits until all places say how many pods of the Deployment are ready, by cluster.
func (d *delivery) reports(step, want string) {
	d.Helper()
	for place, get := range map[string]func() string{"the hub": d.onHub, "the branch": d.onBranch, "the command": d.printed} {
		d.eventually(fmt.Sprintf("%s: %s to say %q", step, place, want), func() string {
			if got := get(); got != want {
				return fmt.Sprintf("%q", got)
			}
			return ""
		})
	}
}

// policy is the name of the policy as it is now.
func (d *delivery) policy() string {
	if strings.Contains(d.Texts["policy.yaml"], "NS-2 # policy") {
		return d.Namespace + "-2"
	}
	return d.Namespace
}

// onHub is what the CombinedStatuses on the hub say.
func (d *delivery) onHub() string {
	return d.results([]byte(d.kubectl("", "get", "combinedstatuses", "-n", d.Namespace, "-o", "json")))
}

// onBranch is what the branch of the repository says.
func (d *delivery) onBranch() string {
	file := path.Join("shop/status", d.policy(), d.Namespace, "deployment_web.yaml")
	branch := gittest.Git(d, d.deployments, "for-each-ref", "refs/heads/status")
	if branch == "" || gittest.Git(d, d.deployments, "ls-tree", "status", file) == "" {
		return ""
	}
	one := gittest.Git(d, d.deployments, "show", "status:"+file)
	return d.results([]byte("items:\n- " + strings.ReplaceAll(one, "\n", "\n  ")))
}

// printed is what waybill fleet status prints for the published package and the hub's reports.
func (d *delivery) printed() string {
	r := d.fleetStatus("-o", "json")
	if r.code != exitDone {
		return fmt.Sprintf("exit code %d: %s", r.code, r.stderr)
	}
	return d.results([]byte(r.stdout))
}

// prints wants a line in the table of waybill fleet status.
func (d *delivery) prints(line string) {
	d.Helper()
	d.eventually("fleet status to print "+line, func() string {
		if r := d.fleetStatus(); r.code != exitDone || !strings.Contains(r.stdout, line) {
			return r.stdout + r.stderr
		}
		return ""
	})
}

// fleetStatus runs the command in a copy of the published package.
func (d *delivery) fleetStatus(flags ...string) cliRun {
	d.Helper()
	folder := d.TempDir()
	for _, file := range strings.Fields(gittest.Git(d, d.deployments, "ls-tree", "-r", "--name-only", "main:shop")) {
		writeFile(d, filepath.Join(folder, filepath.FromSlash(file)), gittest.Git(d, d.deployments, "show", "main:shop/"+file)+"\n", 0o600)
	}
	return runCLI(d, append([]string{"fleet", "status", folder, "--kubeconfig", d.kubeconfig}, flags...)...)
}

// results are the rows of all CombinedStatuses of a List, as cluster=value, and their errors.
func (d *delivery) results(list []byte) string {
	d.Helper()
	var all struct{ Items []control.CombinedStatus }
	if err := yaml.Unmarshal(list, &all); err != nil {
		d.Fatalf("%v:\n%s", err, list)
	}
	var words []string
	for _, item := range all.Items {
		for _, r := range item.Results {
			for _, row := range r.Rows {
				words = append(words, *row.Columns[0].String+"="+*row.Columns[1].Number)
			}
			for _, e := range r.RowErrors {
				words = append(words, e.WEC.ClusterID+": "+e.Error)
			}
		}
	}
	return strings.Join(words, " ")
}

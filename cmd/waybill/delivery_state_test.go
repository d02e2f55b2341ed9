package main

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// deliveryState is what a step leaves, but for the number of its release.
type deliveryState struct {
	Step     string
	Files    map[string]string // of the main branch and of that with the results
	Branches []string
	Commits  int               // on the main branch, since the step before
	Works    map[string]string // of both clusters, as they are on the hub
}

// state is what there is after a step.
func (d *delivery) state(s deliveryStep) deliveryState {
	d.Helper()
	now := deliveryState{Step: s.name, Files: map[string]string{}, Works: map[string]string{}}
	for _, branch := range []string{"main", "status"} {
		for line := range strings.Lines(gittest.Git(d, d.deployments, "ls-tree", "-r", branch) + "\n") {
			blob, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
			now.Files[branch+":"+file] = blob
		}
	}
	now.Files["main:shop/Kptfile"] = unnumbered(gittest.Git(d, d.deployments, "show", "main:shop/Kptfile"))
	now.Branches = strings.Fields(gittest.Git(d, d.deployments, "for-each-ref", "--format=%(refname)", "refs/heads"))
	head := d.published()
	now.Commits = len(strings.Fields(gittest.Git(d, d.deployments, "rev-list", head, "^"+d.before)))
	d.before = head
	for _, w := range append(d.near.Works(d), d.far.Works(d)...) {
		text, err := json.Marshal([]any{w.GetLabels(), w.GetAnnotations(), w.Object["spec"]})
		if err != nil {
			d.Fatal(err)
		}
		now.Works[w.GetNamespace()+"/"+w.GetName()] = string(text)
	}
	return now
}

// releaseName is how a Kptfile names the release of its upstream.
var releaseName = regexp.MustCompile(`shop/v[0-9]+|[0-9a-f]{40}`)

// unnumbered is a Kptfile without the release of its upstream.
func unnumbered(kptfile string) string { return releaseName.ReplaceAllString(kptfile, "RELEASE") }

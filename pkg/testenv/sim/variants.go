package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

const repositoryText = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: %[1]s
  namespace: fleet
spec:
  type: git
  deployment: %[2]t
  git:
    repo: %[3]s%[1]s.git
    branch: main
`

const setText = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: agents
  namespace: fleet
spec:
  upstream:
    repo: upstream
    package: agents
    revision: %d
  targets:
`

const targetText = `  - repositories:
    - name: deployments
      packageNames: [%[1]s/agents]
    template:
      packageContext:
        data:
          region: %[1]s
      injectors:
      - kind: Inventory
        name: %[1]s
`

// variantFiles are what reconcile reads: repositories, a set with a variant for each region, and the clusters of each region.
func (s *simulation) variantFiles() map[string]string {
	files := map[string]string{"repositories.yaml": fmt.Sprintf(repositoryText, "upstream", false, host) + "---\n" +
		fmt.Sprintf(repositoryText, "deployments", true, host)}
	set := fmt.Sprintf(setText, s.versions[1])
	for _, region := range s.model.regions {
		set += fmt.Sprintf(targetText, region)
		files["clusters-"+region+".yaml"] = inventory(region, "  namespace: fleet\n", s.sitesIn(region))
	}
	files["set.yaml"] = set
	return files
}

func (s *simulation) sitesIn(region string) []cluster {
	return slices.DeleteFunc(slices.Clone(s.sites), func(c cluster) bool { return c.region != region })
}

func (s *simulation) deployments() string { return filepath.Join(s.dir, "deployments.git") }

// beginVariants makes the first commit of the deployments, and the first revision of each variant.
func (s *simulation) beginVariants() error {
	if err := s.checkout("deployments", "deployments.git"); err != nil {
		return err
	}
	if err := s.publish("deployments", "the fleet begins"); err != nil {
		return err
	}
	return s.variants(s.reconcile, s.approve)
}

func (s *simulation) upgradeVariants() error {
	if err := s.releaseAgents(); err != nil {
		return err
	}
	return s.variants(s.reconcile, s.approve)
}

// releaseAgents publishes the next revision of the variants' package.
func (s *simulation) releaseAgents() error {
	next := s.model.agents.clone()
	name := s.pick(next.names(deployment))
	next[name].fields["image"] = s.newImage(name)
	err := s.release(1, "agents", s.model.agents, next)
	s.model.agents = next
	return err
}

// variants does with the files of variants what a team does: preview, reconcile, propose, approve.
func (s *simulation) variants(reconcile, approve func() error) error {
	if err := writeFiles(filepath.Join(s.dir, "variants"), s.variantFiles()); err != nil {
		return err
	}
	named, err := s.preview("-f", "variants")
	if err != nil {
		return err
	}
	before, err := s.git(s.deployments(), "rev-parse", "main")
	if err != nil {
		return err
	}
	if err := reconcile(); err != nil {
		return err
	}
	if err := s.reconcileAgain(); err != nil {
		return err
	}
	if _, err := s.waybill("propose", 0, "rpkg", "propose", "-f", "variants", "--lifecycle", "Draft", "--yes"); err != nil {
		return err
	}
	if err := approve(); err != nil {
		return err
	}
	happened, err := s.diffWorks(s.deployments(), strings.TrimSpace(before), "main")
	if err != nil {
		return err
	}
	if err := s.checkPreview(named, happened); err != nil {
		return err
	}
	return s.checkVariants()
}

func (s *simulation) reconcile() error {
	return s.growing("reconcile", func() error {
		_, err := s.waybill("reconcile", 0, "reconcile", "-f", "variants")
		return err
	})
}

// reconcileAgain wants exit code 0: nothing changed.
func (s *simulation) reconcileAgain() error {
	before, err := s.refs("refs")
	if err != nil {
		return err
	}
	if _, err := s.waybill("reconcile again", 0, "reconcile", "-f", "variants", "--exit-code"); err != nil {
		return err
	}
	after, err := s.refs("refs")
	if err != nil {
		return err
	}
	return s.law(lawAgain, maps.Equal(before, after), "refs after a second reconcile: %v, before: %v", after, before)
}

var approval = []string{"rpkg", "approve", "-f", "variants", "--lifecycle", "Proposed", "--yes"}

func (s *simulation) approve() error {
	return s.growing("approve", func() error {
		_, err := s.waybill("approve", 0, approval...)
		return err
	})
}

// growing counts what the repository of the deployments grows by.
func (s *simulation) growing(what string, do func() error) error {
	before, err := s.size(s.deployments())
	if err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	after, err := s.size(s.deployments())
	s.report.grew(s.kind, what, after-before)
	return err
}

// checkVariants compares what is approved with the model, region by region.
func (s *simulation) checkVariants() error {
	dir := filepath.Join(s.dir, "deployments")
	for _, args := range [][]string{{"fetch", "--quiet", "origin", "main"}, {"reset", "--quiet", "--hard", "FETCH_HEAD"}} {
		if _, err := s.git(dir, args...); err != nil {
			return err
		}
	}
	for _, region := range s.model.regions {
		want := expectation{s.model.agents, removable[:1], s.sitesIn(region), func(cluster) []string { return []string{"base"} }}
		if err := s.checkClusters(filepath.Join(dir, region, "agents"), want); err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// fleetVariant asks for the package of the fleet, with works, in a repository of its own.
const fleetVariant = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: blueprints, namespace: fleet}
spec: {type: git, git: {repo: ../blueprint}}
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: works, namespace: fleet}
spec: {type: git, deployment: true, git: {repo: ../works.git, createBranch: true}}
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: shop, namespace: fleet}
spec:
  upstream: {repo: blueprints, package: shop, follow: latest}
  downstream: {repo: works, package: shop}
`

// draftStep is a variant of the fleet's package, whose upstream changes one image: from the new tag to the draft in Git.
func (b *bench) draftStep() *step {
	return &step{name: "reconcile, one image changed upstream", floor: floorImport, prepare: b.release,
		command: []string{"reconcile", "-f", b.path("variant")}}
}

// release has the works of the first release published, and the second one only upstream.
func (b *bench) release(run int) error {
	if run == 0 {
		if err := b.publishFirst(); err != nil {
			return err
		}
	}
	works := b.path("works.git")
	return errors.Join(os.RemoveAll(works), os.CopyFS(works, os.DirFS(b.path("first.git"))))
}

// publishFirst publishes the first release and its works, and then the second release.
func (b *bench) publishFirst() error {
	variant := b.path("variant")
	err := errors.Join(os.MkdirAll(variant, 0o700), os.WriteFile(filepath.Join(variant, "shop.yaml"), []byte(fleetVariant), 0o600),
		os.MkdirAll(b.path("blueprint"), 0o700), os.MkdirAll(b.path("works.git"), 0o700),
		gitIn(b.path("blueprint"), nil, "init", "--quiet", "--initial-branch=main"),
		gitIn(b.path("works.git"), nil, "init", "--quiet", "--bare", "--initial-branch=main"))
	if err == nil {
		err = b.tag("v1", "1.0")
	}
	for _, args := range [][]string{
		{"reconcile", "-f", variant},
		{"rpkg", "propose", "-f", variant, "--lifecycle", "Draft", "--yes"},
		{"rpkg", "approve", "-f", variant, "--lifecycle", "Proposed", "--yes"},
	} {
		if err == nil {
			_, err = b.timed(args)
		}
	}
	if err == nil {
		err = errors.Join(os.Rename(b.path("works.git"), b.path("first.git")), b.tag("v2", "2.0"))
	}
	return err
}

// tag makes a release of the package, without works, in which one Deployment has this tag of its image.
func (b *bench) tag(release, image string) error {
	to := *b
	to.fleet = filepath.Join("blueprint", "shop")
	err := errors.Join(to.writeFleet(), to.writeDeployment(b.objects/2, image))
	for _, args := range [][]string{
		{"add", "--all"},
		{"-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "--quiet", "--message", release},
		{"tag", fmt.Sprintf("shop/%s", release)},
	} {
		if err == nil {
			err = gitIn(b.path("blueprint"), nil, args...)
		}
	}
	return err
}

// Package fluxtest gives tests a real Flux on an API server: source-controller, which fetches commits, and kustomize-controller, which
// applies what is in them. Only tests import it.
//
// Shape: Start gives a test a Flux of its own on a cluster, such as the hub of ocmtest. Follow has it deliver all packages on the main
// branch of a repository, by Objects, which docs/delivery.md shows. Sync waits until a commit is delivered; it is Request, which says that
// there is a commit, and Await. Stop and Resume kill and start one of the Controllers. Both act as the administrator.
// Cost: two seconds for both controllers, 250 MB; a sync takes two seconds and the agents' time.
// Errors: testenv.Need skips or fails a test without the programs; every other fault ends the test, with the last lines of
// the programs' logs.
// Source: Flux documentation, GitRepository and Kustomization; the controllers' flags.
package fluxtest

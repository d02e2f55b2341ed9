// Package adopt takes over the ManifestWorks that KubeStellar wrote to a hub.
//
// Shape: the files of a package and the works of a hub in; the files with these works out, as if bundle-manifestwork had written
// them in an earlier run. That function remembers by its works what clusters have. So the next render leaves objects in their works
// or hands them over, and no object is deleted and created again. Count says what a render makes of them.
// Works of policies that the package does not have stay as they are. The data of Secrets is left out, because the works are for a
// repository; agents do not apply what a render hands over.
// Cost: linear in the works and the files.
// Errors: everything that would make the take-over unsafe, all at once.
// Source: KubeStellar's names and labels of works; OCM's ManifestWork API.
package adopt

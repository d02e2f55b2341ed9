// Package manifestconfig is what a ManifestWork tells OCM's agents about its objects: the update strategy of each, and the
// rules by which an agent reports its status and says whether it is done.
//
// Shape: a Config for one object, or with "*" for all objects of a resource; its node, its text and its size.
// Cost: a Config is written once and shared by all works that hold its object. The rules are made once for each kind.
// Errors: an invalid option updateStrategies; a Config that cannot be written.
// Source: OCM's work API, ManifestConfigOption, and how agents match a ResourceIdentifier.
package manifestconfig

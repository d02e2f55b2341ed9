// Package manifestwork reads OCM's ManifestWorks: what a work carries, and how the agent applies and deletes that.
//
// Shape: Scan takes a file apart by its lines alone, where the file is written as the bundler writes it. Flatten takes lists
// apart as kubectl does. Settings answer whether the agent owns an object; KeyConfigs and StrategyChanges prepare two works
// to be compared.
// Cost: Scan looks at each line once and parses nothing. Settings are parsed when they are first asked for.
// Source: open-cluster-management.io/api, work/v1.
package manifestwork

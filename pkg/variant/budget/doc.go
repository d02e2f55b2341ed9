// Package budget says how much a draft would change as compared with what is published, and
// whether that is more than ChangeBudgets allow.
//
// What counts. Objects: every object in the package that would be added, removed or different
// counts once, wherever its file is; comments, order of keys, place and the marks of kpt are no
// difference. Kptfiles and objects with the annotation config.kubernetes.io/local-config do not
// count. A ManifestWork does not count for itself: the manifests in it do, once for each cluster
// that they would come to, leave or change on; a work that stays and otherwise differs (in what is
// to be orphaned, say) is one object. Deletions: those of the objects that would be removed, among
// them manifests that leave a cluster. Clusters: the namespaces of ManifestWorks that would differ,
// and every folder clusters/<cluster>/ in which other data would stand, comments aside.
//
// Shape: Count takes two trees and gives a Change; Check takes budgets and pending Changes and gives
// a Verdict: which budgets are exceeded, which variants are refused, and what is recorded about those that may exceed.
// Cost: Count parses the files that differ and no others. Check is linear in budgets × changes.
// Errors: none. What cannot be read counts, and a budget that cannot be understood refuses.
// Source: waybill.dev/v1alpha1 ChangeBudget, an addition of Waybill's.
package budget

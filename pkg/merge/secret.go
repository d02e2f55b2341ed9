package merge

import "github.com/waybill-dev/waybill/pkg/krm"

// shown are the fields of a Secret that hold no secret.
var shown = map[string]bool{"apiVersion": true, "kind": true, "metadata": true, "type": true, "immutable": true}

// lastApplied is an annotation that holds all of an object once more.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// hiding says which values of o are not to be shown; nil shows all.
func hiding(o *krm.Object) func(place) bool {
	if !o.Is("", "Secret") {
		return nil
	}
	return func(p place) bool {
		if len(p) == 0 || !shown[p[0]] {
			return true
		}
		// the annotations as a whole may hold it, too
		return p[0] == "metadata" && (len(p) == 1 || p[1] == "annotations" && (len(p) == 2 || p[2] == lastApplied))
	}
}

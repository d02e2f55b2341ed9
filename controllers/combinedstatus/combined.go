package combinedstatus

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
)

// verb is what is done to an object.
type verb string

const (
	nothing verb = ""
	create  verb = "create"
	update  verb = "update"
	remove  verb = "delete"
)

// settle says what makes of the CombinedStatus that is there the one that should be; either may be nil. One
// that nobody wants is left alone when it is not ours or when keep says so. Labels and annotations that
// others added stay.
func settle(have *unstructured.Unstructured, want *control.CombinedStatus, keep bool) (verb, *unstructured.Unstructured, error) {
	switch {
	case want == nil && have != nil && ours(have) && !keep && have.GetDeletionTimestamp() == nil:
		return remove, have, nil
	case want == nil || have != nil && have.GetDeletionTimestamp() != nil:
		return nothing, nil, nil
	}
	made, err := plain(want)
	if err != nil || have == nil {
		return create, made, err
	}
	after := have.DeepCopy()
	labels := after.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	for key, value := range want.Labels {
		labels[key] = value
	}
	after.SetLabels(labels)
	after.SetOwnerReferences(want.OwnerReferences)
	if results, any := made.Object["results"]; any {
		after.Object["results"] = results
	} else {
		delete(after.Object, "results")
	}
	if same(have.Object, after.Object) {
		return nothing, nil, nil
	}
	return update, after, nil
}

// plain is a CombinedStatus as an API server takes it.
func plain(c *control.CombinedStatus) (*unstructured.Unstructured, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("write CombinedStatus %s/%s: %w", c.Namespace, c.Name, err)
	}
	out := &unstructured.Unstructured{}
	return out, utiljson.Unmarshal(text, &out.Object)
}

// ours reports whether an object has the five labels.
func ours(obj *unstructured.Unstructured) bool {
	labels := obj.GetLabels()
	for _, key := range []string{status.LabelGroup, status.LabelResource, status.LabelNamespace, status.LabelName, status.LabelPolicy} {
		if _, is := labels[key]; !is {
			return false
		}
	}
	return true
}

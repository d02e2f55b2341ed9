package chart

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// Manifest is one document of what a chart renders.
type Manifest struct {
	File    string // the template, as Helm names it: web/templates/deployment.yaml
	Content string
	Objects []*krm.Object // of Content

	kind  string
	hooks []string // the events of helm.sh/hook; nil for what is no hook
}

// IsTest reports whether the manifest is a test.
func (m Manifest) IsTest() bool {
	return slices.Contains(m.hooks, "test") || slices.Contains(m.hooks, "test-success")
}

const hookAnnotation = "helm.sh/hook"

var hookEvents = []string{"pre-install", "post-install", "pre-delete", "post-delete", "pre-upgrade", "post-upgrade",
	"pre-rollback", "post-rollback", "test", "test-success"}

// notes is the file that Helm prints after an installation.
const notes = "NOTES.txt"

// separator is Helm's idea of the beginning of a document.
var separator = lazyregexp.New(`(?m)^---[ \t]*`)

// sortManifests splits rendered files into documents and puts them in Helm's order: by kind, then by file and place in it; hooks
// last. Helm drops hooks with an event that it does not know.
func sortManifests(rendered map[string]string) (plain, hooks []Manifest, err error) {
	for _, file := range slices.Sorted(maps.Keys(rendered)) {
		if strings.HasPrefix(path.Base(file), "_") || strings.HasSuffix(file, notes) {
			continue
		}
		for _, text := range splitDocuments(strings.TrimLeftFunc(rendered[file], unicode.IsSpace)) {
			if strings.TrimSpace(text) == "" {
				continue
			}
			m, err := parse(file, strings.TrimLeftFunc(text, unicode.IsSpace))
			if err != nil {
				return nil, nil, err
			}
			switch known, err := m.readHead(); {
			case err != nil:
				return nil, nil, err
			case !known:
			case m.hooks == nil:
				plain = append(plain, m)
			default:
				hooks = append(hooks, m)
			}
		}
	}
	slices.SortStableFunc(plain, compareKinds)
	slices.SortStableFunc(hooks, compareKinds)
	return plain, hooks, nil
}

// splitDocuments is separator.Split. Most templates render one document, for which a regular expression is slow.
func splitDocuments(text string) []string {
	if !strings.Contains(text, "\n---") {
		return []string{strings.TrimLeft(strings.TrimPrefix(text, "---"), " \t")}
	}
	return separator.Split(text, -1)
}

// readHead reads what sorting needs of a document. known is false for a hook with an unknown event.
func (m *Manifest) readHead() (known bool, err error) {
	if len(m.Objects) == 0 {
		return true, nil
	}
	o := m.Objects[0]
	m.kind = o.Kind()
	events, isHook := "", false
	for key, value := range krm.Fields(o.Lookup("metadata", "annotations")) {
		value = krm.Deref(value)
		if tag := value.ShortTag(); tag != "!!str" && tag != "!!null" {
			return false, fmt.Errorf("%s: %s: annotation %q is no text; quote it", m.File, o.ID(), key.Value)
		}
		if key.Value == hookAnnotation {
			events, isHook = value.Value, true
		}
	}
	if !isHook {
		return true, nil
	}
	for event := range strings.SplitSeq(events, ",") {
		event = strings.ToLower(strings.TrimSpace(event))
		if !slices.Contains(hookEvents, event) {
			return false, nil
		}
		m.hooks = append(m.hooks, event)
	}
	return true, nil
}

// kindOrder is the order in which Helm installs kinds.
var kindOrder = []string{"PriorityClass", "Namespace", "NetworkPolicy", "ResourceQuota", "LimitRange", "PodSecurityPolicy",
	"PodDisruptionBudget", "ServiceAccount", "Secret", "SecretList", "ConfigMap", "StorageClass", "PersistentVolume",
	"PersistentVolumeClaim", "CustomResourceDefinition", "ClusterRole", "ClusterRoleList", "ClusterRoleBinding",
	"ClusterRoleBindingList", "Role", "RoleList", "RoleBinding", "RoleBindingList", "Service", "DaemonSet", "Pod",
	"ReplicationController", "ReplicaSet", "Deployment", "HorizontalPodAutoscaler", "StatefulSet", "Job", "CronJob", "IngressClass",
	"Ingress", "APIService", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}

// compareKinds puts kinds that Helm does not know last, by name.
func compareKinds(a, b Manifest) int {
	x, y := slices.Index(kindOrder, a.kind), slices.Index(kindOrder, b.kind)
	switch {
	case x >= 0 && y >= 0:
		return cmp.Compare(x, y)
	case x < 0 && y < 0:
		return cmp.Compare(a.kind, b.kind)
	case x < 0:
		return 1
	}
	return -1
}

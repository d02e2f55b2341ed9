package chart

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sigs.k8s.io/yaml"
)

// Manifest is one document of what a chart renders.
type Manifest struct {
	File    string // the template, as Helm names it: web/templates/deployment.yaml
	Content string

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
var separator = regexp.MustCompile(`(?m)^---[ \t]*`)

// sortManifests splits rendered files into documents and puts them in Helm's order: by kind, then by file and place in it; hooks
// last. Helm drops hooks with an event that it does not know.
func sortManifests(rendered map[string]string) (plain, hooks []Manifest, err error) {
	for _, file := range slices.Sorted(maps.Keys(rendered)) {
		if strings.HasPrefix(path.Base(file), "_") || strings.HasSuffix(file, notes) {
			continue
		}
		for _, text := range separator.Split(strings.TrimLeftFunc(rendered[file], unicode.IsSpace), -1) {
			if strings.TrimSpace(text) == "" {
				continue
			}
			m, known, err := readHead(file, strings.TrimLeftFunc(text, unicode.IsSpace))
			switch {
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

// readHead reads what sorting needs of a document. known is false for a hook with an unknown event.
func readHead(file, text string) (m Manifest, known bool, err error) {
	var head struct {
		Kind     string `json:"kind"`
		Metadata *struct {
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
	}
	if err := yaml.Unmarshal([]byte(text), &head); err != nil {
		return m, false, fmt.Errorf("%s: what it renders is no YAML: %w", file, withoutText(err))
	}
	m = Manifest{File: file, Content: text, kind: head.Kind}
	if head.Metadata == nil {
		return m, true, nil
	}
	events, isHook := head.Metadata.Annotations[hookAnnotation]
	if !isHook {
		return m, true, nil
	}
	for event := range strings.SplitSeq(events, ",") {
		event = strings.ToLower(strings.TrimSpace(event))
		if !slices.Contains(hookEvents, event) {
			return m, false, nil
		}
		m.hooks = append(m.hooks, event)
	}
	return m, true, nil
}

// withoutText is an error of the YAML library without the text that it quotes.
func withoutText(err error) error {
	text, _, _ := strings.Cut(err.Error(), " `")
	if at, _, ok := strings.Cut(text, "cannot unmarshal"); ok {
		return fmt.Errorf("%skind and metadata.annotations want text", at)
	}
	return fmt.Errorf("%s", text)
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

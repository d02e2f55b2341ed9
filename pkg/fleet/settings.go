package fleet

import (
	"path"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// settings are what the spec of a work says about how an agent applies and deletes objects. They are read once somebody
// asks, from text or from nodes. A nil *settings says nothing.
type settings struct {
	text  []byte // fields of the spec, as they are written; nil where there are nodes
	nodes map[string]*yaml.Node

	reading sync.Once
	spec    workSpec
}

type workSpec struct {
	DeleteOption struct {
		PropagationPolicy  string `yaml:"propagationPolicy"`
		SelectivelyOrphans struct {
			OrphaningRules []identifier `yaml:"orphaningRules"`
		} `yaml:"selectivelyOrphans"`
	} `yaml:"deleteOption"`
	ManifestConfigs []struct {
		ResourceIdentifier identifier `yaml:"resourceIdentifier"`
		UpdateStrategy     *struct {
			Type string `yaml:"type"`
		} `yaml:"updateStrategy"`
	} `yaml:"manifestConfigs"`
}

// identifier is how the spec of a work names an object.
type identifier struct {
	Group, Resource, Namespace, Name string
}

// Policies for deletion, and update strategies.
const (
	orphanAll, orphanSome                   = "Orphan", "SelectivelyOrphan"
	readOnly, strategyUpdate, strategyApply = "ReadOnly", "Update", "ServerSideApply"
)

func settingsOf(work *krm.Object) *settings {
	s := &settings{nodes: map[string]*yaml.Node{}}
	for _, field := range []string{"deleteOption", "manifestConfigs"} {
		if n := work.Lookup("spec", field); n != nil {
			s.nodes[field] = n
		}
	}
	return s
}

// read reads the settings. What is no setting of OCM's releases no object.
func (s *settings) read() *workSpec {
	s.reading.Do(func() {
		var all struct {
			Spec workSpec `yaml:"spec"`
		}
		if s.nodes == nil {
			if yaml.Unmarshal(append([]byte("spec:\n"), s.text...), &all) == nil {
				s.spec = all.Spec
			}
			return
		}
		if n := s.nodes["deleteOption"]; n != nil && n.Decode(&all.Spec.DeleteOption) == nil {
			s.spec.DeleteOption = all.Spec.DeleteOption
		}
		if n := s.nodes["manifestConfigs"]; n != nil && n.Decode(&all.Spec.ManifestConfigs) == nil {
			s.spec.ManifestConfigs = all.Spec.ManifestConfigs
		}
	})
	return &s.spec
}

// orphans reports whether the agent does not own an object of the work, and so leaves it on the cluster when the work lets
// go of it.
func (s *settings) orphans(id krm.ID) bool {
	if s == nil {
		return false
	}
	option := s.read().DeleteOption
	if option.PropagationPolicy != orphanSome {
		return option.PropagationPolicy == orphanAll
	}
	for _, rule := range option.SelectivelyOrphans.OrphaningRules {
		if rule.means(id) && rule.Namespace == id.Namespace && rule.Name == id.Name {
			return true
		}
	}
	return false
}

// watches reports whether the agent only looks at an object of the work.
func (s *settings) watches(id krm.ID) bool {
	if s == nil {
		return false
	}
	for _, config := range s.read().ManifestConfigs {
		at := config.ResourceIdentifier
		if config.UpdateStrategy != nil && at.means(id) && matches(at.Namespace, id.Namespace) && matches(at.Name, id.Name) {
			return config.UpdateStrategy.Type == readOnly
		}
	}
	return false
}

var kinds, _ = workload.NewResources(nil, nil)

// means reports whether i is about objects of the kind of id, as far as that is known without the cluster.
func (i identifier) means(id krm.ID) bool {
	return i.Group == id.Group && (i.Resource == kinds.Lookup(id.Group, id.Kind).Plural ||
		kinds.CouldMean(i.Resource, id.Group, id.Kind, false))
}

// matches reports whether text is pattern with some text for each "*".
func matches(pattern, text string) bool {
	found, err := path.Match(pattern, text)
	return pattern == text || err == nil && found
}

package manifestwork

import (
	"bytes"
	"errors"
	"path"
	"reflect"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Settings are the part of a work's spec that tells the agent how to apply and delete objects. They are parsed when they are
// first asked for, from text or from nodes. A nil *Settings is empty.
type Settings struct {
	text  []byte // fields of the spec, as they are written; nil where there are nodes
	nodes map[string]*yaml.Node

	reading sync.Once
	spec    workSpec
	err     error
}

type workSpec struct {
	DeleteOption    deleteOption `yaml:"deleteOption"`
	ManifestConfigs []struct {
		ResourceIdentifier Identifier `yaml:"resourceIdentifier"`
		UpdateStrategy     *struct {
			Type string `yaml:"type"`
		} `yaml:"updateStrategy"`
	} `yaml:"manifestConfigs"`
}

type deleteOption struct {
	PropagationPolicy  string `yaml:"propagationPolicy"`
	SelectivelyOrphans struct {
		OrphaningRules []Identifier `yaml:"orphaningRules"`
	} `yaml:"selectivelyOrphans"`
}

// Identifier is how the spec of a work names an object.
type Identifier struct {
	Group, Resource, Namespace, Name string
}

// Policies for deletion, and update strategies.
const (
	orphanAll, orphanSome         = "Orphan", "SelectivelyOrphan"
	readOnly, createOnly          = "ReadOnly", "CreateOnly"
	strategyUpdate, strategyApply = "Update", "ServerSideApply"
)

// SettingsIn are the settings in fields of a spec, given as text.
func SettingsIn(text []byte) *Settings { return &Settings{text: text} }

// SettingsOf are the settings of a parsed work.
func SettingsOf(work *krm.Object) *Settings {
	s := &Settings{nodes: map[string]*yaml.Node{}}
	for _, field := range []string{"deleteOption", "manifestConfigs"} {
		if n := work.Lookup("spec", field); n != nil {
			s.nodes[field] = n
		}
	}
	return s
}

// Err is why settings cannot be read; nil if they can.
func (s *Settings) Err() error {
	if s == nil {
		return nil
	}
	s.read()
	return s.err
}

// read reads the settings. It ignores invalid ones: they release no object.
func (s *Settings) read() *workSpec {
	s.reading.Do(func() {
		var all struct {
			Spec workSpec `yaml:"spec"`
		}
		if s.nodes == nil {
			if s.err = yaml.Unmarshal(append([]byte("spec:\n"), s.text...), &all); s.err == nil {
				s.spec = all.Spec
			}
			return
		}
		decode := func(field string, into any, keep func()) {
			if n := s.nodes[field]; n != nil {
				if err := n.Decode(into); err != nil {
					s.err = errors.Join(s.err, err)
				} else {
					keep()
				}
			}
		}
		decode("deleteOption", &all.Spec.DeleteOption, func() { s.spec.DeleteOption = all.Spec.DeleteOption })
		decode("manifestConfigs", &all.Spec.ManifestConfigs, func() { s.spec.ManifestConfigs = all.Spec.ManifestConfigs })
	})
	return &s.spec
}

// Orphans reports whether the agent does not own an object of the work, so that the object stays on the cluster when the
// work drops it.
func (s *Settings) Orphans(id krm.ID) bool {
	if s == nil {
		return false
	}
	option := s.read().DeleteOption
	if option.PropagationPolicy != orphanSome {
		return option.PropagationPolicy == orphanAll
	}
	for _, rule := range option.SelectivelyOrphans.OrphaningRules {
		if rule.MatchesKind(id) && rule.Namespace == id.Namespace && rule.Name == id.Name {
			return true
		}
	}
	return false
}

// SameDeletion reports whether two works have the same deleteOption.
func (s *Settings) SameDeletion(other *Settings) bool {
	switch {
	case s == nil || other == nil:
		return s == other
	case s.nodes == nil && other.nodes == nil && bytes.Equal(s.text, other.text):
		return true // without reading it
	}
	return reflect.DeepEqual(s.read().DeleteOption, other.read().DeleteOption)
}

// ReadOnly reports whether the agent only watches an object of the work, and neither applies nor owns it.
func (s *Settings) ReadOnly(id krm.ID) bool { return s.strategy(id) == readOnly }

// CreateOnly reports whether the agent creates an object of the work and never updates it.
func (s *Settings) CreateOnly(id krm.ID) bool { return s.strategy(id) == createOnly }

// strategy is the update strategy of an object, as the first configuration that matches it says; "" if none does.
func (s *Settings) strategy(id krm.ID) string {
	if s == nil {
		return ""
	}
	for _, config := range s.read().ManifestConfigs {
		at := config.ResourceIdentifier
		if config.UpdateStrategy != nil && at.MatchesKind(id) && matchesPattern(at.Namespace, id.Namespace) && matchesPattern(at.Name, id.Name) {
			return config.UpdateStrategy.Type
		}
	}
	return ""
}

// MatchesKind reports whether i names objects of the kind of id, as far as that is known without the cluster.
func (i Identifier) MatchesKind(id krm.ID) bool {
	return i.Group == id.Group && (i.Resource == workload.Builtin().Lookup(id.Group, id.Kind).Plural ||
		workload.Builtin().CouldMean(i.Resource, id.Group, id.Kind, false))
}

// matchesPattern reports whether text is pattern with some text for each "*".
func matchesPattern(pattern, text string) bool {
	found, err := path.Match(pattern, text)
	return pattern == text || err == nil && found
}

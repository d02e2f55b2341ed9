package chart

import (
	"fmt"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/version"
)

// DefaultKubeVersion is the version of Kubernetes that charts see when nothing else is said: that of Helm 4.3.1.
const DefaultKubeVersion = "v1.37.0"

// Capabilities is what templates see as .Capabilities.
type Capabilities struct {
	KubeVersion KubeVersion
	APIVersions VersionSet
	HelmVersion HelmVersion
}

// KubeVersion is a version of Kubernetes, as templates see it.
type KubeVersion struct {
	Version      string // as given, with a "v"
	normalized   string // without a suffix
	Major, Minor string
}

// String is the version without a suffix.
func (v KubeVersion) String() string { return v.normalized }

// GitVersion is the version as it was given.
func (v KubeVersion) GitVersion() string { return v.Version }

// VersionSet is a list of API versions.
type VersionSet []string

// Has reports whether an API version, or an API version with a kind, is in the list.
func (v VersionSet) Has(apiVersion string) bool { return slices.Contains(v, apiVersion) }

// HelmVersion is what templates see of Helm. It does not depend on how this program was built.
type HelmVersion struct{ Version, GitCommit, GitTreeState, GoVersion, KubeClientVersion string }

// parseKubeVersion reads a version of Kubernetes, with or without a "v".
func parseKubeVersion(text string) (KubeVersion, error) {
	v, err := version.ParseGeneric(text)
	if err != nil {
		return KubeVersion{}, fmt.Errorf("kubeVersion %q: want a version such as 1.37.0", text)
	}
	if text[0] != 'v' {
		text = "v" + text
	}
	return KubeVersion{text, "v" + v.String(), strconv.FormatUint(uint64(v.Major()), 10), strconv.FormatUint(uint64(v.Minor()), 10)}, nil
}

// capabilities are those that a release sees.
func (o Options) capabilities() (*Capabilities, error) {
	text := o.KubeVersion
	if text == "" {
		text = DefaultKubeVersion
	}
	v, err := parseKubeVersion(text)
	if err != nil {
		return nil, err
	}
	return &Capabilities{v, slices.Concat(DefaultAPIVersions, o.APIVersions),
		HelmVersion{Version: "v4.3.1", KubeClientVersion: "v1.37"}}, nil
}

package image

import (
	"bytes"
	"debug/buildinfo"
	"fmt"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"

	"github.com/waybill-dev/waybill/pkg/image/spdx"
)

// SBOMType is the media type of a list of what an image is made of, and the artifact type of what is attached to the image.
const SBOMType = "application/spdx+json"

// SBOMs returns what says of idx, the index that Build made of s, and of each image in it, what it is made of: one artifact each, that
// of the index first. The go command has recorded the modules in the binaries.
func SBOMs(s Spec, idx v1.ImageIndex) ([]v1.Image, error) {
	index, err := idx.IndexManifest()
	if err != nil {
		return nil, err
	}
	self, err := partial.Descriptor(idx)
	if err != nil {
		return nil, err
	}
	var binaries []spdx.Binary
	for _, d := range index.Manifests {
		info, err := buildinfo.Read(bytes.NewReader(s.Binaries[Platform{d.Platform.OS, d.Platform.Architecture}]))
		if err != nil {
			return nil, fmt.Errorf("function %q for %s: %w", s.Name, platformOf(d), err)
		}
		binaries = append(binaries, spdx.Binary{Image: s.spdxImage(d), Info: info})
	}
	return attachSBOMs(s, append([]v1.Descriptor{*self}, index.Manifests...), binaries)
}

// attachSBOMs makes an artifact for the index, which is the first subject, and for each image.
func attachSBOMs(s Spec, subjects []v1.Descriptor, binaries []spdx.Binary) (out []v1.Image, err error) {
	for i, subject := range subjects {
		of := binaries
		if i > 0 {
			of = binaries[i-1 : i]
		}
		text, err := spdx.Marshal(s.spdxImage(subject), of, spdx.License{ID: License, Source: Source})
		if err != nil {
			return nil, err
		}
		attached, err := newArtifact(subject, SBOMType, s.Name+".spdx.json", text)
		if err != nil {
			return nil, err
		}
		out = append(out, attached)
	}
	return out, nil
}

func (s Spec) spdxImage(d v1.Descriptor) spdx.Image {
	i := spdx.Image{Repository: Registry + "/" + s.Name, Tag: s.Version, Digest: d.Digest.String()}
	if d.Platform != nil {
		i.Arch = d.Platform.Architecture
	}
	return i
}

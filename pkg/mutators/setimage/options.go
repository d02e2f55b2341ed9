package setimage

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// Options are those of set-image.
type Options struct {
	// Image says which images are meant and what becomes of them.
	Image Image `json:"image"`
	// AdditionalImageFields are fields that name an image, beyond those of Kubernetes' own kinds.
	// Create has no effect: a field that is not there names no image that could be meant.
	AdditionalImageFields []edit.FieldSpec `json:"additionalImageFields"`
}

// Image is a change of images. At least one of NewName, NewTag and Digest; not both of the latter.
type Image struct {
	// Name is that of the images meant, without tag and digest. Required.
	Name string `json:"name"`
	// NewName takes the place of Name. Empty keeps it.
	NewName string `json:"newName"`
	// NewTag takes the place of tag and digest. Empty keeps them.
	NewTag string `json:"newTag"`
	// Digest takes the place of tag and digest, as algorithm:hex. Empty keeps them.
	Digest string `json:"digest"`
}

// What kustomize's filter can read back. An image set to anything else would be another one in the
// next run. Braces stand in names of tags that a build fills in.
var (
	tagPattern    = regexp.MustCompile(`^[a-zA-Z0-9_.{}-]+$`)
	digestPattern = regexp.MustCompile(`^[a-zA-Z0-9]+([.+_-][a-zA-Z0-9]+)*:[a-zA-Z0-9_.{}-]+$`)
)

func readOptions(config *krm.Object) (Options, error) {
	var opts Options
	err := edit.Decode(config, configKind, &opts, func(entries []edit.Entry) field.ErrorList {
		i := &opts.Image
		return edit.Assign(entries, "name, newName, newTag, digest",
			map[string]*string{"name": &i.Name, "newName": &i.NewName, "newTag": &i.NewTag, "digest": &i.Digest})
	})
	if err != nil {
		return opts, err
	}
	at := func(option string) *field.Path {
		if fn.IsConfigMap(config) {
			return field.NewPath("data", option)
		}
		return field.NewPath("image", option)
	}
	errs := opts.Image.validate(at)
	errs = append(errs, edit.ValidateFields(opts.AdditionalImageFields, field.NewPath("additionalImageFields"))...)
	for i := range opts.AdditionalImageFields {
		opts.AdditionalImageFields[i].Create = false
	}
	return opts, errs.ToAggregate()
}

// longest bounds names, tags and digests, which go to every image of a package.
const longest = 512

func (i Image) validate(at func(string) *field.Path) (errs field.ErrorList) {
	for _, option := range []struct{ name, text string }{{"newName", i.NewName}, {"newTag", i.NewTag}, {"digest", i.Digest}} {
		if len(option.text) > longest {
			errs = append(errs, field.TooLong(at(option.name), "", longest))
		}
	}
	if i.Name == "" {
		errs = append(errs, field.Required(at("name"), "name the images to change"))
	}
	if i.NewName == "" && i.NewTag == "" && i.Digest == "" {
		errs = append(errs, field.Required(at("newName"), "give newName, newTag or digest"))
	}
	if i.NewTag != "" && i.Digest != "" {
		errs = append(errs, field.Forbidden(at("digest"), "give newTag or digest, not both"))
	}
	if hasTagOrDigest(i.NewName) {
		errs = append(errs, field.Invalid(at("newName"), i.NewName, "is more than a name; give the tag as newTag, the digest as digest"))
	}
	if i.NewTag != "" && !tagPattern.MatchString(i.NewTag) {
		errs = append(errs, field.Invalid(at("newTag"), i.NewTag, "no image can have such a tag"))
	}
	if i.Digest != "" && !digestPattern.MatchString(i.Digest) {
		errs = append(errs, field.Invalid(at("digest"), i.Digest, "want a digest, such as sha256:..."))
	}
	return errs
}

// hasTagOrDigest reports whether name holds more than a name. The colon of a registry's port stands
// before a slash.
func hasTagOrDigest(name string) bool {
	last := name[strings.LastIndex(name, "/")+1:]
	return strings.ContainsAny(last, ":@") || strings.Contains(name, "@")
}

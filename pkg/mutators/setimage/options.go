package setimage

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// Options are those of set-image.
type Options struct {
	// Image is the change.
	Image Image `json:"image"`
	// AdditionalImageFields are fields that name an image, beyond those of Kubernetes' own kinds.
	// Create has no effect: a missing field names no image.
	AdditionalImageFields []edit.FieldSpec `json:"additionalImageFields"`
}

// Image is a change of images. At least one of NewName, NewTag and Digest; not both NewTag and Digest.
type Image struct {
	// Name is that of the images to change, without tag and digest. Required.
	Name string `json:"name"`
	// NewName replaces Name. Empty keeps it.
	NewName string `json:"newName"`
	// NewTag replaces tag and digest. Empty keeps them.
	NewTag string `json:"newTag"`
	// Digest replaces tag and digest, as algorithm:hex. Empty keeps them.
	Digest string `json:"digest"`
}

// The forms that kustomize's filter can read back: any other value would be a different image in the next
// run. Braces mark parts that a build fills in.
var (
	tagPattern    = lazyregexp.New(`^[a-zA-Z0-9_.{}-]+$`)
	digestPattern = lazyregexp.New(`^[a-zA-Z0-9]+([.+_-][a-zA-Z0-9]+)*:[a-zA-Z0-9_.{}-]+$`)
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

// longest limits names, tags and digests, which are copied to every image of a package.
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

// hasTagOrDigest reports whether name holds more than a name. A registry's port comes before a slash.
func hasTagOrDigest(name string) bool {
	last := name[strings.LastIndex(name, "/")+1:]
	return strings.ContainsAny(last, ":@") || strings.Contains(name, "@")
}

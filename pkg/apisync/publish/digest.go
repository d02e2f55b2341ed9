package publish

import (
	"crypto/sha1" // #nosec G505 -- for names, as kcp's API syncer computes them
	"encoding/hex"
	"encoding/json"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// digest is that of kcp's API syncer, which keeps names of schemas if it made them before: the first digits of the SHA-1 of
// the Go struct of the definition's spec without its conversion, as JSON and a newline. The syncer encodes the definition as
// an API server returns it.
func (d *definition) digest() (string, error) {
	spec, err := asServed(d.spec)
	if err != nil {
		return "", err
	}
	spec.Conversion = nil
	sum := sha1.New() // #nosec G401 -- as above
	if err := json.NewEncoder(sum).Encode(spec); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil))[:8], nil
}

// asServed is the spec of a definition as an API server returns it. The API server drops unknown fields, fills in names, and
// stores the internal form, in which the keys of values such as defaults are sorted.
func asServed(plain map[string]any) (*apiextensionsv1.CustomResourceDefinitionSpec, error) {
	text, err := json.Marshal(plain)
	if err != nil {
		return nil, err
	}
	sent, served := &apiextensionsv1.CustomResourceDefinitionSpec{}, &apiextensionsv1.CustomResourceDefinitionSpec{}
	if err := utiljson.Unmarshal(text, sent); err != nil {
		return nil, err
	}
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(sent)
	stored := &apiextensions.CustomResourceDefinitionSpec{}
	err = apiextensionsv1.Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec(sent, stored, nil)
	if err != nil {
		return nil, err
	}
	err = apiextensionsv1.Convert_apiextensions_CustomResourceDefinitionSpec_To_v1_CustomResourceDefinitionSpec(stored, served, nil)
	return served, err
}

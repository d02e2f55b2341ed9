package mutation

import "github.com/tidwall/gjson"

// Lookup returns the value at a path in a JSON document; nil where there is none.
func Lookup(doc []byte, path string) (*Value, error) {
	p, err := parsePath(path)
	if err != nil {
		return nil, err
	}
	return valueOf(follow(gjson.ParseBytes(doc), p.parts))
}

package text

import (
	"crypto/sha1"
	"crypto/sha3"
	"encoding/hex"
	"fmt"
	"reflect"

	"github.com/waybill-dev/waybill/pkg/template"
)

// shortLength is how many digits sha3short and shortHash give.
const shortLength = 20

// sha3sum is the SHA3-256 of a text in 64 hex digits. A missing value is hashed as the empty text, so that
// cluster-scoped objects have a hash, too.
func sha3sum(v any) (string, error) {
	text, err := hashed(v)
	if err != nil {
		return "", err
	}
	sum := sha3.Sum256([]byte(text))
	return hex.EncodeToString(sum[:]), nil
}

// sha3short is the first digits of sha3sum: 20, or the number in a second argument.
func sha3short(v any, length ...int) (string, error) {
	switch {
	case len(length) > 1:
		return "", template.Refuse("sha3short wants a text and, if need be, a length")
	case len(length) == 1 && length[0] <= 0:
		return "", template.Refuse("sha3short wants a length above 0")
	}
	sum, err := sha3sum(v)
	return sum[:min(append(length, shortLength)[0], len(sum))], err
}

// shortHash is the first 20 hex digits of the SHA-1.
func shortHash(v any) (string, error) {
	text, err := hashed(v)
	if err != nil {
		return "", err
	}
	return ShortHash(text), nil
}

// ShortHash is the first 20 hex digits of the SHA-1 of text.
func ShortHash(text string) string {
	sum := sha1.Sum([]byte(text))
	return hex.EncodeToString(sum[:])[:shortLength]
}

// hashed is the text to hash: that of a number or a flag is as it is written.
func hashed(v any) (string, error) {
	switch reflect.ValueOf(v).Kind() {
	case reflect.Invalid:
		return "", nil
	case reflect.Map, reflect.Slice, reflect.Pointer:
		return "", template.Refuse("a list or a map has no hash here; use toJson first")
	}
	return fmt.Sprint(v), nil
}

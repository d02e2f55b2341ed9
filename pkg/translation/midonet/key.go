package midonet

import (
	"crypto/sha1"
	"encoding/hex"
	"strings"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

// Key is what makes a Translation the same Translation, in whatever version. A main key is kind,
// namespace and name of the object. The key of a part of it has a kind of its own, such as
// Service-Port, no namespace, and a name with slashes that holds every value that may change.
type Key struct{ Kind, Namespace, Name string }

// String is namespace/name, or the name alone when there is no namespace: what ids are made of.
func (k Key) String() string {
	if k.Namespace == "" {
		return k.Name
	}
	return k.Namespace + "/" + k.Name
}

const (
	longestName = 253                      // that an API server takes
	suffixSize  = 1 + 2*sha1.Size          // a hyphen, and a sum in hex digits
	longestBase = longestName - suffixSize // of a name that has a suffix
)

// TranslationName is the name of the Translation: kind, version and name, in lower case, with a
// hyphen for each slash. If that, or the length that a name may have, costs a difference between two
// keys, a suffix makes up for it: the SHA-1 sum of what the name would have been.
func (k Key) TranslationName(version string) string {
	raw := strings.ToLower(k.Kind) + "." + version + "." + k.Name
	base := strings.ToLower(strings.ReplaceAll(raw, "/", "-"))
	if base == raw && len(base) <= longestName {
		return base
	}
	sum := sha1.Sum([]byte(raw))
	return cut(base, longestBase) + "-" + hex.EncodeToString(sum[:])
}

// cut is s if it is short enough, else its beginning up to the last byte that a name may end in.
func cut(s string, longest int) string {
	if len(s) <= longest {
		return s
	}
	return strings.TrimRight(safetext.Cut(s, longest, ""), "-.")
}

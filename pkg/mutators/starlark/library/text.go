package library

import (
	"crypto/md5"  //nolint:gosec // a script asks for it by name
	"crypto/sha1" //nolint:gosec // likewise
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"

	star "go.starlark.net/starlark"
)

var encodings = map[string]*base64.Encoding{
	"": base64.StdEncoding, "standard": base64.StdEncoding, "standard_raw": base64.RawStdEncoding,
	"url": base64.URLEncoding, "url_raw": base64.RawURLEncoding,
}

// coded reads the arguments of encode and decode, and pays for the result.
func coded(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (data string, by *base64.Encoding, err error) {
	var encoding string
	if err := star.UnpackArgs(b.Name(), args, kwargs, "data", &data, "encoding?", &encoding); err != nil {
		return "", nil, err
	}
	by, ok := encodings[encoding]
	if !ok {
		return "", nil, fmt.Errorf("%s: unsupported encoding %q; use standard, standard_raw, url or url_raw", b.Name(), encoding)
	}
	return data, by, h.Pay(small + built*len(data))
}

func encode64(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	data, by, err := coded(h, b, args, kwargs)
	if err != nil {
		return nil, err
	}
	return star.String(by.EncodeToString([]byte(data))), nil
}

func decode64(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	data, by, err := coded(h, b, args, kwargs)
	if err != nil {
		return nil, err
	}
	decoded, err := by.DecodeString(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	return star.String(decoded), nil
}

var hashes = map[string]function{"md5": hashWith(md5.New), "sha1": hashWith(sha1.New), "sha256": hashWith(sha256.New)}

func hashWith(make func() hash.Hash) function {
	return func(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
		var text string
		if err := star.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &text); err != nil {
			return nil, err
		}
		if err := h.Pay(small + built*len(text)); err != nil {
			return nil, err
		}
		sum := make()
		sum.Write([]byte(text)) // never fails
		return star.String(hex.EncodeToString(sum.Sum(nil))), nil
	}
}

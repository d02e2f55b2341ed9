package memo

import (
	"bytes"
	"slices"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// hasSecret reports whether the input has a v1 Secret, however its kind is written, or a file that may hold one.
func hasSecret(in *fn.Input) bool {
	for _, o := range in.Items {
		if isSecret(o) {
			return true
		}
	}
	for _, data := range in.Files { // which may travel as base64
		if mayHoldSecret(data) {
			return true
		}
	}
	return in.Config != nil && isSecret(in.Config)
}

func isSecret(o *krm.Object) bool { return o.Is("", "Secret") }

var secret = []byte("Secret")

// nearby is the distance between a field's name and its value, which may have a tag or an anchor.
const nearby = 32

// mayHoldSecret reports whether text may hold a Secret inside another object, or one that a function
// made: it contains the word, with "kind" shortly before it, or in base64. A false alarm only costs time.
func mayHoldSecret(text []byte) bool {
	return hasSecretWord(text, []byte("kind")) || hasEncodedSecret(text)
}

// encodedSecrets is how the word begins in base64, behind a multiple of three bytes, one byte more, and two bytes more.
var encodedSecrets = [][]byte{[]byte("U2VjcmV0"), []byte("NlY3Jld"), []byte("TZWNyZX")}

// hasEncodedSecret reports whether text has the word in base64, as in a file in PackageFiles that is no text.
func hasEncodedSecret(text []byte) bool {
	return slices.ContainsFunc(encodedSecrets, func(word []byte) bool { return bytes.Contains(text, word) })
}

// hasSecretWord reports whether text has the word with this text shortly before it.
func hasSecretWord(text, behind []byte) bool {
	for at := 0; ; at += len(secret) {
		i := bytes.Index(text[at:], secret)
		if i < 0 {
			return false
		}
		at += i
		before, after := text[max(0, at-nearby):at], text[at+len(secret):]
		if bytes.Contains(before, behind) && !endsInWord(before) && !startsWithWord(after) {
			return true
		}
	}
}

func endsInWord(b []byte) bool     { return len(b) > 0 && isWord(b[len(b)-1]) }
func startsWithWord(b []byte) bool { return len(b) > 0 && isWord(b[0]) }

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

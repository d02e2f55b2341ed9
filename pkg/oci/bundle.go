package oci

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The types of what cosign signs in a bundle.
const (
	inToto        = "application/vnd.in-toto+json"
	signPredicate = "https://sigstore.dev/cosign/sign/v1"
)

// sigstore is the part of sigstore's bundle that a key needs.
type sigstore struct {
	Material struct {
		PublicKey *struct{} `json:"publicKey"`
	} `json:"verificationMaterial"`
	Envelope struct {
		Payload     []byte `json:"payload"`
		PayloadType string `json:"payloadType"`
		Signatures  []struct {
			Sig []byte `json:"sig"`
		} `json:"signatures"`
	} `json:"dsseEnvelope"`
}

// bundle looks at a bundle: an envelope whose statement names the digest.
func (v *verification) bundle(data []byte) {
	var b sigstore
	if json.Unmarshal(data, &b) != nil || len(b.Envelope.Signatures) == 0 {
		return
	}
	if b.Material.PublicKey == nil {
		v.nokey++
		return
	}
	v.found++
	e := b.Envelope
	signed := fmt.Appendf(nil, "DSSEv1 %d %s %d ", len(e.PayloadType), e.PayloadType, len(e.Payload))
	signed = append(signed, e.Payload...)
	for _, s := range e.Signatures {
		v.ok = v.ok || e.PayloadType == inToto && v.key.signed(signed, s.Sig) && statementNames(e.Payload, v.digest)
	}
}

func statementNames(payload []byte, digest string) bool {
	var s struct {
		PredicateType string `json:"predicateType"`
		Subject       []struct {
			Digest map[string]string `json:"digest"`
		} `json:"subject"`
	}
	if json.Unmarshal(payload, &s) != nil || s.PredicateType != signPredicate {
		return false
	}
	for _, subject := range s.Subject {
		if subject.Digest["sha256"] == strings.TrimPrefix(digest, "sha256:") {
			return true
		}
	}
	return false
}

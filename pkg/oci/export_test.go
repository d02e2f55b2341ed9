package oci

// VerifiesForTest reports whether data is a payload or a bundle that the key signed for the digest.
func VerifiesForTest(key *Key, data []byte, signature, digest string) bool {
	v := verification{key: key, digest: digest}
	v.classic(&Pulled{Artifact: Artifact{Layers: []Blob{{MediaType: simpleSigning, Data: data, Annotations: map[string]string{signatureOf: signature}}}}})
	v.bundle(data)
	return v.ok
}

package oci

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// cosign's names.
const (
	simpleSigning  = "application/vnd.dev.cosign.simplesigning.v1+json"
	signatureOf    = "dev.cosignproject.cosign/signature"
	certificateOf  = "dev.sigstore.cosign/certificate"
	signingType    = "cosign container image signature"
	sigstoreBundle = "application/vnd.dev.sigstore.bundle."
	maxReferrers   = 100
)

// Verify asks the registry for cosign's signatures of an artifact that is named by its digest. It is an error unless the key made one of
// them: beside the artifact, under the tag sha256-….sig, or attached to it as a bundle.
func (c *Client) Verify(ctx context.Context, ref Reference, key *Key) error {
	if ref.Digest == "" {
		return fmt.Errorf("%s: only what is named by a digest can be verified", ref)
	}
	v := verification{key: key, digest: ref.Digest}
	err := c.verify(ctx, ref, &v)
	switch {
	case err != nil:
		return c.failed(ref, fmt.Errorf("signatures: %w", err))
	case v.ok:
		return nil
	}
	return fmt.Errorf("%s: %s", ref, v.failure(ref))
}

func (c *Client) verify(ctx context.Context, ref Reference, v *verification) error {
	p, err := c.Pull(ctx, ref.WithTag(strings.Replace(ref.Digest, ":", "-", 1)+".sig"))
	switch {
	case errors.Is(err, ErrNotFound):
	case err != nil:
		return err
	default:
		v.classic(p)
	}
	if v.ok {
		return nil
	}
	return c.bundles(ctx, ref, v)
}

// bundles reads the bundles that are attached to an artifact.
func (c *Client) bundles(ctx context.Context, ref Reference, v *verification) error {
	repo, err := c.repository(ref)
	if err != nil {
		return err
	}
	list, err := remote.Referrers(repo.Digest(ref.Digest), append([]remote.Option{remote.WithContext(ctx)}, c.remote...)...)
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	index, err := list.IndexManifest()
	if err != nil {
		return err
	}
	if len(index.Manifests) > maxReferrers {
		return fmt.Errorf("more than %d things are attached to the artifact", maxReferrers)
	}
	for _, d := range index.Manifests {
		// Where a registry lists nothing itself, cosign's list says of a bundle that it has no config.
		if v.ok || d.ArtifactType != "" && d.ArtifactType != emptyConfig && !strings.HasPrefix(d.ArtifactType, sigstoreBundle) {
			continue
		}
		p, err := c.Pull(ctx, ref.WithDigest(d.Digest.String()))
		if err != nil {
			return err
		}
		for _, l := range p.Layers {
			if strings.HasPrefix(l.MediaType, sigstoreBundle) {
				v.bundle(l.Data)
			}
		}
	}
	return nil
}

// verification looks for one signature that holds.
type verification struct {
	key    *Key
	digest string
	ok     bool
	found  int // signatures by keys
	nokey  int // signatures without keys, by certificates
}

func (v *verification) failure(ref Reference) string {
	switch {
	case v.found > 0:
		return fmt.Sprintf("none of %d signature(s) was made by the key for this content: the artifact or the key is another one", v.found)
	case v.nokey > 0:
		return fmt.Sprintf("was signed without a key, which needs sigstore's services to verify: run 'cosign verify %s@%s "+
			"--certificate-identity=NAME --certificate-oidc-issuer=URL', and then name the digest here without --verify-key", ref.Name(), ref.Digest)
	}
	return "has no signature of cosign: sign it ('cosign sign --key cosign.key " + ref.Name() + "@" + ref.Digest + "')"
}

// classic looks at the layers of cosign's own manifest: each is a payload, which names the digest, with its signature beside it.
func (v *verification) classic(p *Pulled) {
	for _, l := range p.Layers {
		signature, err := base64.StdEncoding.DecodeString(l.Annotations[signatureOf])
		switch {
		case l.MediaType != simpleSigning || err != nil || len(signature) == 0:
		case l.Annotations[certificateOf] != "":
			v.nokey++
		default:
			v.found++
			v.ok = v.ok || v.key.signed(l.Data, signature) && payloadNames(l.Data, v.digest)
		}
	}
}

func payloadNames(payload []byte, digest string) bool {
	var p struct {
		Critical struct {
			Image struct {
				Digest string `json:"docker-manifest-digest"`
			} `json:"image"`
			Type string `json:"type"`
		} `json:"critical"`
	}
	return json.Unmarshal(payload, &p) == nil && p.Critical.Type == signingType && p.Critical.Image.Digest == digest
}

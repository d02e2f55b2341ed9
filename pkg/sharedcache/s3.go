package sharedcache

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// openS3 makes a store of a bucket: s3://BUCKET/PREFIX?endpoint=URL&region=REGION. Requests are signed if the environment has
// credentials.
func openS3(u *url.URL, getenv func(string) string) (store, error) {
	query := u.Query()
	region := cmp.Or(query.Get("region"), getenv("AWS_REGION"), getenv("AWS_DEFAULT_REGION"), "us-east-1")
	endpoint := cmp.Or(query.Get("endpoint"), getenv("AWS_ENDPOINT_URL_S3"), getenv("AWS_ENDPOINT_URL"), "https://s3."+region+".amazonaws.com")
	query.Del("region")
	query.Del("endpoint")
	if len(query) > 0 {
		return nil, errors.New("want no query but endpoint and region")
	}
	base, err := url.Parse(endpoint)
	if err != nil || base.Scheme != "https" && base.Scheme != "http" || base.Host == "" || base.User != nil || base.RawQuery != "" {
		return nil, errors.New("endpoint: want https://HOST or http://HOST")
	}
	credentials := aws.Credentials{
		AccessKeyID: getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"), SessionToken: getenv("AWS_SESSION_TOKEN"),
	}
	if (credentials.AccessKeyID == "") != (credentials.SecretAccessKey == "") {
		return nil, errors.New("want both or none of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	}
	base = base.JoinPath(u.Host, u.EscapedPath())
	base.RawPath = s3Path.Replace(url.QueryEscape(base.Path))
	return &httpStore{
		base: base, client: newClient(), authorize: signer(credentials, region), explain: explainS3,
	}, nil
}

// s3Path makes a path of an escaped query. S3 computes a signature over a path in which all signs are escaped that a query must escape,
// and URL would leave some of them, such as "=".
var s3Path = strings.NewReplacer("+", "%20", "%2F", "/")

// signer signs requests with signature version 4; not at all without credentials.
func signer(credentials aws.Credentials, region string) func(*http.Request, []byte) error {
	if credentials.AccessKeyID == "" {
		return func(*http.Request, []byte) error { return nil }
	}
	signer := v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true }) // as S3 has it
	return func(r *http.Request, body []byte) error {
		sum := sha256.Sum256(body)
		digest := hex.EncodeToString(sum[:])
		r.Header.Set("X-Amz-Content-Sha256", digest)
		return signer.SignHTTP(r.Context(), credentials, r, digest, "s3", region, time.Now())
	}
}

var s3Code = lazyregexp.New(`^[A-Za-z0-9.]{1,64}$`)

// explainS3 adds S3's code of an error, and what to do about it.
func explainS3(status int, body []byte) string {
	var answer struct{ Code string }
	if xml.Unmarshal(body, &answer) != nil || !s3Code.MatchString(answer.Code) {
		answer.Code = ""
	}
	switch {
	case answer.Code == "AccessDenied":
		return " (AccessDenied); reading takes the permissions s3:GetObject and s3:ListBucket (without the second one S3 does not say " +
			"that an entry is missing), writing s3:PutObject"
	case answer.Code != "":
		return fmt.Sprintf(" (%s)", answer.Code)
	case status == http.StatusForbidden:
		return "; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
	}
	return ""
}

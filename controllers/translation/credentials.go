package translation

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
)

// connection is a client of the backend, and the version of the Secret that it was made with.
type connection struct {
	client *httpclient.Client
	secret string // uid and resourceVersion
}

// connect makes a client when the credentials are new. They may have other rights, so failures are forgotten.
func (r *reconciler) connect(ctx context.Context) error {
	secret, err := r.secret(ctx)
	if err != nil {
		return err
	}
	if r.connection != nil && r.connection.secret == versionOf(secret) {
		return nil
	}
	client, err := httpclient.New(r.options.Table, r.clientConfig(secret))
	if err != nil {
		return err
	}
	r.connection = &connection{client, versionOf(secret)}
	clear(r.permanent)
	clear(r.backoff)
	return nil
}

// newCredentials reports whether the connection uses old credentials.
func (r *reconciler) newCredentials(ctx context.Context) bool {
	secret, err := r.secret(ctx)
	return err == nil && (r.connection == nil || r.connection.secret != versionOf(secret))
}

// secret is the Secret with the credentials; nil if the options name none.
func (r *reconciler) secret(ctx context.Context) (*corev1.Secret, error) {
	if r.options.Credentials.Name == "" {
		return nil, nil
	}
	s := &corev1.Secret{}
	if err := r.cache.Get(ctx, r.options.Credentials, s); err != nil {
		return nil, fmt.Errorf("credentials: %w", err)
	}
	return s, nil
}

func versionOf(s *corev1.Secret) string {
	if s == nil {
		return ""
	}
	return string(s.UID) + "/" + s.ResourceVersion
}

func (r *reconciler) clientConfig(s *corev1.Secret) httpclient.Config {
	o := r.options
	c := httpclient.Config{URL: o.URL, CABundle: o.CABundle, Proxy: o.Proxy, Timeout: o.Timeout,
		Transport: o.Transport, Observe: observer(o.Rate)}
	if s != nil {
		c.Username, c.Password = string(s.Data["username"]), httpclient.Secret(s.Data["password"])
		c.Project, c.Token = string(s.Data["project"]), httpclient.Secret(s.Data["token"])
	}
	return c
}

// observer counts requests, and limits their rate.
func observer(rate float32) func(method, mediaType string) func(int) {
	limit := flowcontrol.NewTokenBucketRateLimiter(rate, max(1, int(rate)))
	return func(method, mediaType string) func(int) {
		limit.Accept()
		began := time.Now()
		return func(status int) { countRequest(method, mediaType, status, time.Since(began)) }
	}
}

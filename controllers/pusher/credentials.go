package pusher

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
)

// connection is a client of the backend, and the credentials that it was made with.
type connection struct {
	client *httpclient.Client
	secret string // uid and resourceVersion
}

// connect has a client with the credentials that there are now. New ones may be allowed what the old ones
// were not, so everything is tried again.
func (p *passes) connect(ctx context.Context) error {
	secret, err := p.secret(ctx)
	if err != nil {
		return err
	}
	if p.connection != nil && p.connection.secret == versionOf(secret) {
		return nil
	}
	client, err := httpclient.New(p.options.Table, p.config(secret))
	if err != nil {
		return err
	}
	p.connection = &connection{client, versionOf(secret)}
	clear(p.stuck)
	clear(p.later)
	return nil
}

// newCredentials reports whether there are others than those in use.
func (p *passes) newCredentials(ctx context.Context) bool {
	secret, err := p.secret(ctx)
	return err == nil && (p.connection == nil || p.connection.secret != versionOf(secret))
}

// secret is the Secret with the credentials; nil when none is named.
func (p *passes) secret(ctx context.Context) (*corev1.Secret, error) {
	if p.options.Credentials.Name == "" {
		return nil, nil
	}
	s := &corev1.Secret{}
	if err := p.known.Get(ctx, p.options.Credentials, s); err != nil {
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

// config is how the backend is reached.
func (p *passes) config(s *corev1.Secret) httpclient.Config {
	o := p.options
	c := httpclient.Config{URL: o.URL, CABundle: o.CABundle, Proxy: o.Proxy, Timeout: o.Timeout, Transport: o.Transport, Observe: p.observer()}
	if s != nil {
		c.Username, c.Password = string(s.Data["username"]), httpclient.Secret(s.Data["password"])
		c.Project, c.Token = string(s.Data["project"]), httpclient.Secret(s.Data["token"])
	}
	return c
}

// observer counts requests, and holds them back where there are too many.
func (p *passes) observer() func(method, mediaType string) func(int) {
	limit := flowcontrol.NewTokenBucketRateLimiter(p.options.Rate, max(1, int(p.options.Rate)))
	return func(method, mediaType string) func(int) {
		limit.Accept()
		began := time.Now()
		return func(status int) { p.meters.requested(method, mediaType, status, time.Since(began)) }
	}
}

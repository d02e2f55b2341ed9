package transport

import (
	"context"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// accepted reports whether the server took the pack and says "ok" for each update, by name.
func accepted(report *packp.ReportStatus, updates []RefUpdate) bool {
	status := map[string]string{}
	for _, c := range report.CommandStatuses {
		status[c.ReferenceName.String()] = c.Status
	}
	for _, u := range updates {
		if status[u.Name] != "ok" {
			return false
		}
	}
	return report.UnpackStatus == "ok"
}

// whyDeclined distinguishes a lost race from a refusal. The texts of the protocol differ between servers, so
// it reads the refs again: if one has another value, another client moved it.
func (p *push) whyDeclined(ctx context.Context) error {
	err := p.remote.receivePack(ctx, func(_ context.Context, _ transport.ReceivePackSession, adv *packp.AdvRefs) error {
		return p.checkRefs(adv)
	})
	var stale *StaleError
	if errors.As(err, &stale) {
		return err
	}
	return p.rejection()
}

func (p *push) rejection() error {
	e := &RejectedError{URL: p.remote.URL(), Message: p.messages.String()}
	if st := p.report.UnpackStatus; st != "ok" {
		e.Status = "unpack failed: " + gitcmd.OneLine(st)
		if strings.Contains(e.Message, "exceeds maximum allowed size") {
			e.Status = p.tooLarge("packs", "receive.maxInputSize in Git's configuration there")
		}
		return e
	}
	for _, c := range p.report.CommandStatuses {
		if c.Status == "ok" {
			continue
		}
		// Refs that failed only because another did say nothing about the cause.
		if e.Ref == "" || !strings.HasPrefix(c.Status, "atomic push failure") {
			e.Ref, e.Status = c.ReferenceName.String(), gitcmd.OneLine(c.Status)
		}
		if !strings.HasPrefix(c.Status, "atomic push failure") {
			return e
		}
	}
	if e.Ref == "" {
		e.Status = "the server did not confirm every ref"
	}
	return e
}

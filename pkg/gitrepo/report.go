package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// accepted reports whether the server took the pack and says "ok" for each update, by name.
func accepted(report *packp.ReportStatus, updates []RefUpdate) bool {
	said := map[string]string{}
	for _, c := range report.CommandStatuses {
		said[c.ReferenceName.String()] = c.Status
	}
	for _, u := range updates {
		if said[u.Name] != "ok" {
			return false
		}
	}
	return report.UnpackStatus == "ok"
}

// whyDeclined tells a lost race from a refusal. The protocol's words differ between servers, so
// it looks at the refs again: one that stands elsewhere was moved by someone else.
func (p *push) whyDeclined(ctx context.Context) error {
	err := p.stage.repo.remote.receivePack(ctx, func(_ context.Context, _ transport.ReceivePackSession, adv *packp.AdvRefs) error {
		return p.verify(adv)
	})
	var stale *StaleError
	if errors.As(err, &stale) {
		return err
	}
	return p.rejection()
}

func (p *push) rejection() error {
	e := &RejectedError{URL: p.stage.repo.URL(), Message: p.talk.String()}
	if st := p.report.UnpackStatus; st != "ok" {
		e.Status = "unpack failed: " + gitcmd.OneLine(st)
		return e
	}
	for _, c := range p.report.CommandStatuses {
		if c.Status == "ok" {
			continue
		}
		// Refs that fell only because another did say nothing about the cause.
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

// refName is what Git accepts, and a little less: letters, digits and the marks that Porch and
// people use, in segments that neither begin nor end with a dot.
var refName = regexp.MustCompile(`^refs/(heads|tags)(/[A-Za-z0-9_+=#%!,-]([A-Za-z0-9_.+=#%!,@-]*[A-Za-z0-9_+=#%!,@-])?)+$`)

func checkUpdates(updates []RefUpdate) error {
	seen := map[string]bool{}
	for _, u := range updates {
		switch {
		case !refName.MatchString(u.Name) || strings.Contains(u.Name, "..") || strings.Contains(u.Name+"/", ".lock/"):
			return fmt.Errorf("%q cannot be the name of a branch or tag", u.Name)
		case seen[u.Name]:
			return fmt.Errorf("push moves %s twice", u.Name)
		case u.Old == u.New:
			return fmt.Errorf("push leaves %s where it is", u.Name)
		}
		seen[u.Name] = true
	}
	if len(updates) == 0 {
		return fmt.Errorf("push moves no ref")
	}
	return nil
}

package publish

import (
	"context"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func (p *Publisher) sameForm(x *Index) bool {
	return x.Path == p.Path && x.By == p.By && x.Content == p.Content
}

func (p *Publisher) otherForm(x *Index, tag string) error {
	return fmt.Errorf("the prefix has %s of folder %q by %s, not %s of %q by %s: what follows the tag %q would delete and create what "+
		"differs; publish to another prefix", x.Content, x.Path, x.By, p.Content, p.Path, p.By, tag)
}

// checkRevision refuses a revision whose tag names artifacts of another folder or form: those that follow another tag than Channel have
// the same tags of revisions.
func (p *Publisher) checkRevision(ctx context.Context, have *Index) error {
	if have != nil && have.Revision == p.Revision {
		return nil
	}
	_, x, err := p.load(ctx, p.Revision)
	if err == nil && x != nil && !p.sameForm(x) {
		err = p.otherForm(x, p.Revision)
	}
	return err
}

// checkFiles refuses to push a file that cannot be parsed: what applies the artifact would refuse all of it. Contents only looks where
// objects begin and end.
func checkFiles(steps []Step) error {
	return fleet.InParallel(len(steps), func(i int) error {
		s := &steps[i]
		if s.State != Changed {
			return nil
		}
		for p, b := range s.content.Files.All() {
			if _, err := krm.Read(p, b.Data(), krm.Limits{}); err != nil {
				return fmt.Errorf("artifact %q: %w; mend the work", s.Name, err)
			}
		}
		return nil
	})
}

// checkMoves refuses clusters that change their group: what applies the group that they leave deletes what they have.
func checkMoves(have *Index, contents []Content) error {
	if have == nil {
		return nil
	}
	was := map[string]string{}
	for _, e := range have.Artifacts {
		for _, cluster := range e.Clusters {
			was[cluster] = e.Name
		}
	}
	for _, c := range contents {
		for _, cluster := range c.Clusters {
			if group := was[cluster]; group != "" && group != c.Name {
				return &MovedError{Cluster: cluster, From: group, To: c.Name}
			}
		}
	}
	return nil
}

// MovedError says that a cluster changed its group.
type MovedError struct{ Cluster, From, To string }

func (e *MovedError) Error() string {
	return fmt.Sprintf("cluster %q moves from artifact %q to %q: what applies %q deletes the cluster's objects, maybe before the other "+
		"creates them; suspend pruning there, and use --allow-moves", e.Cluster, e.From, e.To, e.From)
}

package fleet

import (
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/fleet/risk"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// deletionChange says how a work changes what becomes of objects that it holds before and after, once it no longer holds them.
type deletionChange struct {
	stays bool // some objects are to stay from now on
	goes  bool // some objects are to be deleted from now on, and were to stay
}

func (d deletionChange) rules() (out []int) {
	if d.stays {
		out = append(out, risk.RuleIndex(risk.NowOrphaned))
	}
	if d.goes {
		out = append(out, risk.RuleIndex(risk.NoLongerOrphaned))
	}
	return out
}

// addDeletions sets the changes of deletion of works whose deleteOption changes.
func (ids *idCache) addDeletions(changes []Change, before, after []Delivery) error {
	for i := range changes {
		c := &changes[i]
		if !c.latest().Itself || c.Before == nil || c.After == nil || c.Before.settings.SameDeletion(c.After.settings) {
			continue
		}
		was, err := ids.orphansIn(before, c.Before)
		if err != nil {
			return err
		}
		is, err := ids.orphansIn(after, c.After)
		if err != nil {
			return err
		}
		for id, stayed := range was {
			if stays, held := is[id]; held {
				c.deletion.stays = c.deletion.stays || stays && !stayed
				c.deletion.goes = c.deletion.goes || stayed && !stays
			}
		}
	}
	return nil
}

// orphansIn are the objects of a work, true for those that stay on the cluster when the work no longer holds them.
func (ids *idCache) orphansIn(all []Delivery, work *Delivery) (map[krm.ID]bool, error) {
	out := map[krm.ID]bool{}
	for i := range all {
		d := &all[i]
		if d.Itself || d.HandOver || d.Work != work.Work || d.File != work.File {
			continue
		}
		id, err := ids.of(d.Content)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.File, err)
		}
		out[id] = d.stays(id)
	}
	return out, nil
}

// isDeletionField reports whether a field of a work says which objects stay on the cluster: a deletionChange tells what that means.
func isDeletionField(field string) bool {
	return field == "spec.deleteOption.propagationPolicy" || strings.HasPrefix(field, manifestwork.RuleField)
}

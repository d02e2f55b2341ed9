package fleet

import (
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Delivery is one object on its way to one cluster.
type Delivery struct {
	Cluster string
	// Work is the name of the ManifestWork, "" for what comes without one.
	Work string
	// Binding is the name of the Binding that the work is of, "" when it does not say.
	Binding string
	// File is where that stands.
	File string
	// Itself says that it is the work itself, without what it carries and without its namespace, which is the cluster.
	Itself bool
	// HandOver says that it is a hand-over entry: the work names the object and lets go of it. It delivers nothing.
	HandOver bool
	Content  *Content
	settings *manifestwork.Settings // of the work
}

// deliveriesIn are the deliveries of a scanned work.
func deliveriesIn(w *manifestwork.Work, file string) []Delivery {
	d := Delivery{Cluster: w.Cluster, Work: w.Name, Binding: w.Binding, File: file, settings: manifestwork.SettingsIn(w.Rest)}
	items := w.Items()
	out := make([]Delivery, 0, len(items)+1)
	for _, text := range items {
		d.Content = newContent(text, manifestwork.ItemIndent)
		out = append(out, d)
	}
	markEntries(out, w.HandOver)
	d.Itself, d.Content = true, newContent(w.Itself(), 0)
	return append(out, d)
}

// ships reports whether a plain object in a cluster's folder is for the cluster, and not for tools that work on the package.
func ships(o *krm.Object) bool {
	switch o.Group() {
	case "kpt.dev", "fn.waybill.dev", "waybill.dev", "config.porch.kpt.dev", "cluster.open-cluster-management.io":
		return false
	}
	return o.Kind() != "" && !o.IsLocalConfig()
}

// markEntries marks the last deliveries as hand-over entries, if the work releases them. The agent holds the others as usual.
func markEntries(all []Delivery, last int) {
	for i := len(all) - last; i < len(all); i++ {
		d := &all[i]
		id, err := d.Content.ID()
		d.HandOver = err == nil && (d.settings.Orphans(id) || d.settings.ReadOnly(id))
	}
}

// owns reports whether the agent owns the object, and does not only watch it.
func (d *Delivery) owns(id krm.ID) bool { return d.HandOver || !d.settings.ReadOnly(id) }

// stays reports whether the object stays on the cluster when the work drops it and no other holds it: the agent has released it.
func (d *Delivery) stays(id krm.ID) bool {
	return d.settings.Orphans(id) && !d.settings.ReadOnly(id)
}

package midonet

// kindGlobal is the kind of the keys of global Translations.
const kindGlobal = "midonet-global"

// Global returns the Translations that all objects share: the tunnel zone, the router, and the chains that every bridge sends
// its traffic through.
func (c *Converter) Global() []Translation {
	l := c.list(globalNamespace)
	l.add(Key{Kind: kindGlobal, Name: "tunnel-zone"}, alone(tunnelZone{ID: c.ids.zone.String(), Name: "DefaultTunnelZone", Type: "vxlan"}))
	l.add(Key{Kind: kindGlobal, Name: "cluster-router"}, alone(router{ID: c.ids.router.String(), TenantID: c.tenant, Name: "ClusterRouter"}))
	main, services, pre := c.ids.main, c.ids.services, c.ids.main.sub("Pre Chain")
	l.add(Key{Kind: kindGlobal, Name: "chain"},
		alone(c.chain(main, "KUBE-MAIN")),
		alone(c.chain(pre, "KUBE-PRE")),
		alone(c.chain(services, "KUBE-SERVICES")),
		// The backend inserts a new rule before the others: the last one here is evaluated first.
		in(main, jump(main.sub("Jump To Services"), services)),
		in(main, jump(main.sub("Jump To Pre"), pre)),
		in(pre, rule{ID: main.sub("Reverse DNAT").String(), Type: "rev_dnat", FlowAction: "accept"}),
		in(pre, rule{ID: main.sub("Reverse SNAT").String(), Type: "rev_snat", FlowAction: "continue"}),
	)
	return l.out
}

func (c *Converter) chain(chainID id, name string) chain {
	return chain{ID: chainID.String(), TenantID: c.tenant, Name: name}
}

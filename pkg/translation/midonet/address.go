package midonet

import (
	"encoding/hex"
	"errors"
	"net"
	"net/netip"
)

const (
	addressBits = 32     // of an IPv4 address
	etherIPv4   = 0x0800 // the protocol of rules with addresses
)

var (
	errNoAddress = errors.New("want an IPv4 address such as 10.96.0.10")
	errIPv6      = errors.New("IPv6 is not supported")
)

// parseIPv4 parses an IPv4 address, also one that is written as an IPv6 address.
func parseIPv4(s string) (netip.Addr, error) {
	addr, err := netip.ParseAddr(s)
	switch addr = addr.Unmap(); {
	case err != nil || addr.Zone() != "":
		return netip.Addr{}, errNoAddress
	case !addr.Is4():
		return netip.Addr{}, errIPv6
	}
	return addr, nil
}

// subnet is a Node's podCIDR.
type subnet struct {
	network netip.Prefix
	gateway netip.Addr // of the pods, on the router
	node    netip.Addr // the node's own, among its pods
}

// parseSubnet parses a podCIDR. The gateway is the address after the written one, and the node is the next.
func parseSubnet(cidr string) (out subnet, err error) {
	prefix, err := netip.ParsePrefix(cidr)
	switch {
	case err != nil:
		return out, errors.New("want an IPv4 network such as 10.1.2.0/24")
	case !prefix.Addr().Is4():
		return out, errors.New("IPv6 is not supported: want an IPv4 network such as 10.1.2.0/24")
	}
	out.network = prefix.Masked()
	out.gateway = prefix.Addr().Next()
	if out.gateway.IsValid() {
		out.node = out.gateway.Next()
	}
	if !out.node.IsValid() {
		return out, errors.New("no two addresses follow this one: want a network such as 10.1.2.0/24")
	}
	return out, nil
}

// parseMAC parses a MAC address of six octets, separated by colons, hyphens or dots.
func parseMAC(s string) (net.HardwareAddr, error) {
	mac, err := net.ParseMAC(s)
	if err != nil || len(mac) != 6 {
		return nil, errors.New("want six octets such as ac:ca:ba:01:02:03")
	}
	return mac, nil
}

// macText is a MAC address in a name.
func macText(mac net.HardwareAddr) string { return hex.EncodeToString(mac) }

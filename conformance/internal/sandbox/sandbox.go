// Package sandbox makes a machine of its own out of namespaces of the kernel: with a network that nothing leaves, pods with addresses, and processes that end
// together.
package sandbox

import "net/netip"

// The network of the sandbox, as the pages of the live run describe their management cluster.
var (
	// Node is the address of the machine itself: the API server of the management cluster listens here.
	Node = netip.MustParseAddr("192.168.100.10")
	// Nodes is the range of the nodes of the management cluster.
	Nodes = netip.MustParsePrefix("192.168.100.0/24")
	// LoadBalancers is the range from which Services get addresses.
	LoadBalancers = netip.MustParsePrefix("192.168.100.128/25")
	// Pods is the range of the pods.
	Pods = netip.MustParsePrefix("10.244.0.0/16")
	// Machines is the part of the pods' range that virtual machines have.
	Machines = netip.MustParsePrefix("10.244.128.0/17")
	// Services is the range of the Services.
	Services = netip.MustParsePrefix("10.96.0.0/16")
	// Gateway is the address that the machine has in the range of the pods.
	Gateway = netip.MustParseAddr("10.244.0.1")
)

// Package network plays the Services of a cluster on one machine: a proxy on every address of a Service, and the DNS server that knows their names.
package network

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// interval is the time between two looks at the Services.
const interval = 300 * time.Millisecond

// Limits are what the network does not do, or does otherwise.
var Limits = []string{
	"Services are proxied on their addresses for TCP; node ports, UDP and SCTP are not. The server sees the machine as the client, not the pod: who dialed is recorded.",
	"Each connection goes to the next ready endpoint; session affinity and traffic policies are not applied.",
	"DNS knows names of Services and of the upstream hosts that the run plays; headless Services have the addresses of their endpoints, and names of single pods by hostname.",
}

// Options are what a network needs.
type Options struct {
	Config *rest.Config
	// Resolver is the address on which the DNS server listens.
	Resolver netip.Addr
	// Hosts are further names, with their addresses.
	Hosts map[string]netip.Addr
	Log   io.Writer
}

// Network plays the Services of a cluster.
type Network struct {
	Options
	client kubernetes.Interface

	mutex   sync.Mutex
	proxies map[netip.AddrPort]*proxy
	// addresses are those of each Service and of each of its pods that has a name, by name without the domain of the cluster.
	addresses map[string][]netip.Addr
	dialed    map[Dialed]bool
}

// Dialed is what somebody connected with, once or often.
type Dialed struct {
	From netip.Addr
	// To is where a connection ended, behind the Service if there was one.
	To netip.AddrPort
	// Service is the address that was dialed. It is not valid if that was To itself.
	Service netip.AddrPort
	// Protocol is TCP if it is empty.
	Protocol corev1.Protocol
}

// New returns a network. Run starts it.
func New(options Options) (*Network, error) {
	config := rest.CopyConfig(options.Config)
	config.WarningHandler = rest.NoWarnings{}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("create the client of the network: %w", err)
	}
	return &Network{Options: options, client: client, proxies: map[netip.AddrPort]*proxy{}, addresses: map[string][]netip.Addr{}, dialed: map[Dialed]bool{}}, nil
}

// Run works until the context ends.
func (n *Network) Run(ctx context.Context) error {
	server, err := n.listenDNS()
	if err != nil {
		return err
	}
	defer server.close()
	defer n.keep(nil)
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		if err := n.look(ctx); err != nil && ctx.Err() == nil {
			fmt.Fprintf(n.Log, "network: %v\n", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// Dialed returns who has connected with which Service, DNS among them.
func (n *Network) Dialed() []Dialed {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	return slices.Collect(maps.Keys(n.dialed))
}

// look reads Services and endpoints, and listens where they want it.
func (n *Network) look(ctx context.Context) error {
	services, err := n.client.CoreV1().Services("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list the Services: %w", err)
	}
	endpointSlices, err := n.client.DiscoveryV1().EndpointSlices("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list the EndpointSlices: %w", err)
	}
	byService := map[string][]discoveryv1.EndpointSlice{}
	for _, slice := range endpointSlices.Items {
		key := slice.Namespace + "/" + slice.Labels[discoveryv1.LabelServiceName]
		byService[key] = append(byService[key], slice)
	}
	wanted, names := map[netip.AddrPort][]netip.AddrPort{}, map[string][]netip.Addr{}
	for i := range services.Items {
		service := &services.Items[i]
		endpoints := byService[service.Namespace+"/"+service.Name]
		addNames(names, service, endpoints)
		for _, address := range serviceAddresses(service) {
			for _, port := range service.Spec.Ports {
				if port.Protocol == corev1.ProtocolTCP {
					wanted[netip.AddrPortFrom(address, uint16(port.Port))] = targets(endpoints, port.Name)
				}
			}
		}
	}
	n.mutex.Lock()
	n.addresses = names
	n.mutex.Unlock()
	n.keep(wanted)
	return nil
}

// keep listens on the addresses that are wanted, and no longer on others.
func (n *Network) keep(wanted map[netip.AddrPort][]netip.AddrPort) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for address, p := range n.proxies {
		if _, found := wanted[address]; !found {
			p.close()
			delete(n.proxies, address)
		}
	}
	for address, endpoints := range wanted {
		if n.proxies[address] == nil {
			p, err := listen(address, n.note)
			if err != nil {
				fmt.Fprintf(n.Log, "network: %v\n", err)
				continue
			}
			n.proxies[address] = p
		}
		n.proxies[address].use(endpoints)
	}
}

func (n *Network) note(dialed Dialed) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.dialed[dialed] = true
}

package network

import (
	"fmt"
	"net"
	"net/netip"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
	corev1 "k8s.io/api/core/v1"
)

const (
	clusterDomain = ".cluster.local"
	dnsPort       = 53
	// timeToLive is how many seconds an answer may be kept: CoreDNS says 30, and endpoints change faster here.
	timeToLive = 1
	// messageLimit is the most bytes of a question over UDP.
	messageLimit = 4096
)

// dnsServer answers over UDP. Answers are small, so nothing asks again over TCP.
type dnsServer struct{ connection net.PacketConn }

func (n *Network) listenDNS() (*dnsServer, error) {
	connection, err := net.ListenPacket("udp", netip.AddrPortFrom(n.Resolver, dnsPort).String())
	if err != nil {
		return nil, fmt.Errorf("listen for DNS on %s: %w", n.Resolver, err)
	}
	go func() {
		buffer := make([]byte, messageLimit)
		for {
			length, client, err := connection.ReadFrom(buffer)
			if err != nil {
				return
			}
			server := netip.AddrPortFrom(n.Resolver, dnsPort)
			n.note(Dialed{From: client.(*net.UDPAddr).AddrPort().Addr().Unmap(), To: server, Protocol: corev1.ProtocolUDP})
			if answer, err := n.answer(buffer[:length]); err == nil {
				_, _ = connection.WriteTo(answer, client)
			}
		}
	}()
	return &dnsServer{connection}, nil
}

func (s *dnsServer) close() { _ = s.connection.Close() }

// answer answers a question. A name that is not known does not exist: nothing is asked elsewhere.
func (n *Network) answer(question []byte) ([]byte, error) {
	var parser dnsmessage.Parser
	header, err := parser.Start(question)
	if err != nil {
		return nil, fmt.Errorf("read a DNS question: %w", err)
	}
	asked, err := parser.Question()
	if err != nil {
		return nil, fmt.Errorf("read a DNS question: %w", err)
	}
	addresses, known := n.resolve(asked.Name.String())
	header.Response, header.Authoritative, header.RecursionAvailable = true, true, true
	if !known {
		header.RCode = dnsmessage.RCodeNameError
	}
	message := dnsmessage.Message{Header: header, Questions: []dnsmessage.Question{asked}}
	for _, address := range addresses {
		if asked.Type == dnsmessage.TypeA && address.Is4() {
			message.Answers = append(message.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: asked.Name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET, TTL: timeToLive},
				Body:   &dnsmessage.AResource{A: address.As4()},
			})
		}
	}
	return message.Pack()
}

// resolve returns the addresses of a name, with or without the domain of the cluster.
func (n *Network) resolve(name string) (addresses []netip.Addr, known bool) {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if address, found := n.Hosts[name]; found {
		return []netip.Addr{address}, true
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	addresses, known = n.addresses[strings.TrimSuffix(name, clusterDomain)]
	return addresses, known
}

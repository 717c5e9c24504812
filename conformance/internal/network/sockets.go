package network

import (
	"fmt"
	"net/netip"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Outgoing returns where the connections end that processes of the current network namespace have opened, those closed in the last minute among them. Those
// within the namespace are left out.
func Outgoing() ([]Dialed, error) {
	sockets, err := netlink.SocketDiagTCP(unix.AF_INET)
	if err != nil {
		return nil, fmt.Errorf("list the sockets: %w", err)
	}
	// Incoming connections end at a port on which a process listens. Servers that have ended do not count: their port is rarely a client's.
	listening := map[uint16]bool{}
	for _, socket := range sockets {
		if socket.State == netlink.TCP_LISTEN {
			listening[socket.ID.SourcePort] = true
		}
	}
	var found []Dialed
	for _, socket := range sockets {
		from, okFrom := netip.AddrFromSlice(socket.ID.Source.To4())
		to, okTo := netip.AddrFromSlice(socket.ID.Destination.To4())
		if socket.State == netlink.TCP_LISTEN || listening[socket.ID.SourcePort] || !okFrom || !okTo || from == to || to.IsLoopback() || to.IsUnspecified() {
			continue
		}
		found = append(found, Dialed{From: from, To: netip.AddrPortFrom(to, socket.ID.DestinationPort)})
	}
	return found, nil
}

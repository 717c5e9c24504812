package network

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"
)

// dialLimit is how long an endpoint may take to accept a connection.
const dialLimit = 5 * time.Second

// proxy listens on the address of a Service and passes connections to its endpoints in turn.
type proxy struct {
	address  netip.AddrPort
	listener net.Listener
	note     func(Dialed)

	mutex     sync.Mutex
	endpoints []netip.AddrPort
	next      int
	open      map[net.Conn]bool
}

func listen(address netip.AddrPort, note func(Dialed)) (*proxy, error) {
	listener, err := net.Listen("tcp", address.String())
	if err != nil {
		return nil, fmt.Errorf("listen on the address %s of a Service: %w", address, err)
	}
	p := &proxy{address: address, listener: listener, note: note, open: map[net.Conn]bool{}}
	go p.serve()
	return p, nil
}

// Forward passes connections with an address of this machine on to another one, until the context ends.
func Forward(ctx context.Context, address, to netip.AddrPort) error {
	p, err := listen(address, func(Dialed) {})
	if err != nil {
		return err
	}
	p.use([]netip.AddrPort{to})
	context.AfterFunc(ctx, p.close)
	return nil
}

// use sets the endpoints for connections to come. Those to an endpoint that has gone end with it.
func (p *proxy) use(endpoints []netip.AddrPort) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.endpoints = endpoints
}

func (p *proxy) close() {
	_ = p.listener.Close()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for connection := range p.open {
		_ = connection.Close()
	}
	p.open = nil
}

func (p *proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		go p.pass(client)
	}
}

// pass connects a client with an endpoint. Without a ready endpoint the connection is reset, as kube-proxy rejects it.
func (p *proxy) pass(client net.Conn) {
	defer client.Close()
	endpoint, found := p.choose()
	if !found {
		_ = client.(*net.TCPConn).SetLinger(0)
		return
	}
	from := client.RemoteAddr().(*net.TCPAddr).AddrPort()
	p.note(Dialed{From: from.Addr().Unmap(), To: endpoint, Service: p.address})
	server, err := net.DialTimeout("tcp", endpoint.String(), dialLimit)
	if err != nil {
		_ = client.(*net.TCPConn).SetLinger(0)
		return
	}
	defer server.Close()
	if !p.keepOpen(client, server) {
		return
	}
	var halves sync.WaitGroup
	halves.Go(func() { transfer(server, client) })
	halves.Go(func() { transfer(client, server) })
	halves.Wait()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	delete(p.open, client)
	delete(p.open, server)
}

// keepOpen notes connections to close with the proxy. It returns false if that has been closed.
func (p *proxy) keepOpen(connections ...net.Conn) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, connection := range connections {
		if p.open == nil {
			return false
		}
		p.open[connection] = true
	}
	return true
}

func (p *proxy) choose() (netip.AddrPort, bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.endpoints) == 0 {
		return netip.AddrPort{}, false
	}
	p.next++
	return p.endpoints[p.next%len(p.endpoints)], true
}

// transfer copies what one side sends, and passes its end on.
func transfer(to, from net.Conn) {
	_, err := io.Copy(to, from)
	if err != nil {
		_ = to.Close() // A side that has failed is no side to wait for.
		return
	}
	_ = to.(*net.TCPConn).CloseWrite()
}

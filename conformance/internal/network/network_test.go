package network

import (
	"bufio"
	"fmt"
	"net"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

func slice(port string, number int32, endpoints ...discoveryv1.Endpoint) discoveryv1.EndpointSlice {
	return discoveryv1.EndpointSlice{Endpoints: endpoints, Ports: []discoveryv1.EndpointPort{{Name: &port, Port: &number}}}
}

func endpoint(address string, ready bool) discoveryv1.Endpoint {
	return discoveryv1.Endpoint{Addresses: []string{address}, Conditions: discoveryv1.EndpointConditions{Ready: &ready}}
}

func TestTargetsAreReadyEndpointsOfThePort(t *testing.T) {
	slices := []discoveryv1.EndpointSlice{
		slice("api", 6443, endpoint("10.244.1.2", true), endpoint("10.244.1.3", false)),
		slice("tunnel", 8132, endpoint("10.244.1.2", true)),
	}
	want := []netip.AddrPort{netip.MustParseAddrPort("10.244.1.2:6443")}
	if got := targets(slices, "api"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNames(t *testing.T) {
	host := "etcd-0"
	pod := endpoint("10.244.1.9", true)
	pod.Hostname = &host
	names := map[string][]netip.Addr{}
	acme := &corev1.Service{Spec: corev1.ServiceSpec{ClusterIP: "10.96.3.4", ClusterIPs: []string{"10.96.3.4"}}}
	acme.Name, acme.Namespace = "acme", "tenant-acme"
	addNames(names, acme, nil)
	etcd := &corev1.Service{Spec: corev1.ServiceSpec{ClusterIP: "None", ClusterIPs: []string{"None"}}}
	etcd.Name, etcd.Namespace = "etcd", "kamaji-system"
	addNames(names, etcd, []discoveryv1.EndpointSlice{slice("client", 2379, pod)})

	n := &Network{addresses: names, Options: Options{Hosts: map[string]netip.Addr{"charts.example.com": netip.MustParseAddr("192.168.100.10")}}}
	for name, want := range map[string]string{
		"acme.tenant-acme.svc.":                     "10.96.3.4",
		"ACME.tenant-acme.svc.cluster.local.":       "10.96.3.4",
		"etcd.kamaji-system.svc.cluster.local.":     "10.244.1.9",
		"etcd-0.etcd.kamaji-system.svc.":            "10.244.1.9",
		"charts.example.com.":                       "192.168.100.10",
		"nobody.tenant-acme.svc.cluster.local.":     "NXDOMAIN",
		"acme.tenant-acme.svc.tenant-acme.example.": "NXDOMAIN",
	} {
		if got := ask(t, n, name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// ask asks for the address of a name and returns it.
func ask(t *testing.T, n *Network, name string) string {
	t.Helper()
	question := dnsmessage.Message{Header: dnsmessage.Header{ID: 7}, Questions: []dnsmessage.Question{{
		Name: dnsmessage.MustNewName(name), Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET,
	}}}
	packed, err := question.Pack()
	if err != nil {
		t.Fatal(err)
	}
	packed, err = n.answer(packed)
	if err != nil {
		t.Fatal(err)
	}
	var answer dnsmessage.Message
	if err := answer.Unpack(packed); err != nil {
		t.Fatal(err)
	}
	switch {
	case answer.ID != 7:
		t.Errorf("the answer has the number %d", answer.ID)
	case answer.RCode == dnsmessage.RCodeNameError:
		return "NXDOMAIN"
	case len(answer.Answers) != 1:
		return fmt.Sprintf("%d answers", len(answer.Answers))
	}
	return netip.AddrFrom4(answer.Answers[0].Body.(*dnsmessage.AResource).A).String()
}

func TestProxy(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	go func() {
		for {
			connection, err := server.Accept()
			if err != nil {
				return
			}
			line, _ := bufio.NewReader(connection).ReadString('\n')
			fmt.Fprint(connection, "heard ", line)
			_ = connection.Close()
		}
	}()
	dialed := make(chan Dialed, 1)
	p, err := listen(netip.MustParseAddrPort("127.0.0.1:0"), func(d Dialed) { dialed <- d })
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	address := p.listener.Addr().String()

	if _, err := talk(address, "hello"); err == nil {
		t.Error("without an endpoint somebody answered")
	}
	p.use([]netip.AddrPort{server.Addr().(*net.TCPAddr).AddrPort()})
	answer, err := talk(address, "hello")
	if err != nil || answer != "heard hello\n" {
		t.Errorf("got %q, %v", answer, err)
	}
	if d := <-dialed; d.To.String() != server.Addr().String() || d.From.String() != "127.0.0.1" {
		t.Errorf("recorded was %+v", d)
	}
}

// talk says a line and returns the one that comes back.
func talk(address, line string) (string, error) {
	connection, err := net.DialTimeout("tcp", address, 5*time.Second)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(5 * time.Second))
	fmt.Fprintln(connection, line)
	return bufio.NewReader(connection).ReadString('\n')
}

package policies

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
)

func TestReason(t *testing.T) {
	from := policyOf(t, `{egress: [{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [10.0.0.0/8, 192.168.0.0/16]}}, {podSelector: {}}], ports: [{port: 443}, {port: 1000, endPort: 2000, protocol: UDP}]}]}`)
	to := policyOf(t, `{podSelector: {matchLabels: {app: b}}, ingress: [{from: [{namespaceSelector: {matchLabels: {team: two}}, podSelector: {}}]}]}`)
	to.Name = "q"
	evaluator, err := New([]networkingv1.NetworkPolicy{from, to}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := podOf("one", "b", "10.244.0.2")
	b.Name = "the server"
	got := evaluator.Check(Connection{From: podOf("one", "a", "10.244.0.1"), To: b, Port: 53, Protocol: corev1.ProtocolUDP})
	want := "Pod one/a -> the server, UDP 53: egress of Pod one/a is cut, NetworkPolicy one/p lets through TCP 443 and UDP 1000-2000 of " +
		"0.0.0.0/0 without 10.0.0.0/8 192.168.0.0/16 and all pods; ingress of the server is cut, NetworkPolicy one/q lets through every port of " +
		"all pods in namespaces with team=two"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNewNamesTheFieldThatIsWrong(t *testing.T) {
	for spec, want := range map[string]string{
		`{podSelector: {matchExpressions: [{key: a, operator: Near}]}}`:         `NetworkPolicy one/p: spec.podSelector: "Near"`,
		`{ingress: [{}, {from: [{podSelector: {}}, {ipBlock: {cidr: here}}]}]}`: "NetworkPolicy one/p: spec.ingress[1].from[1].ipBlock.cidr: ",
		`{egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.0.0.0]}}]}]}`: "NetworkPolicy one/p: spec.egress[0].to[0].ipBlock.except[0]: ",
		`{egress: [{to: [{}]}]}`: "NetworkPolicy one/p: spec.egress[0].to[0]: one of ipBlock, podSelector",
	} {
		_, err := New([]networkingv1.NetworkPolicy{policyOf(t, spec)}, nil)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", spec, err, want)
		}
	}
}

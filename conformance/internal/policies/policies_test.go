package policies

import (
	"net/netip"
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// policyOf returns a policy for the pods with app=a in the namespace "one".
func policyOf(t *testing.T, spec string) networkingv1.NetworkPolicy {
	t.Helper()
	policy := networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Namespace: "one", Name: "p"}}
	policy.Spec.PodSelector.MatchLabels = map[string]string{"app": "a"}
	if err := yaml.UnmarshalStrict([]byte(spec), &policy.Spec); err != nil {
		t.Fatal(err)
	}
	return policy
}

// podOf returns a pod on the node "n1" with a container port 8080 called "web" and, in a sidecar, 9090 called "metrics".
func podOf(namespace, app, address string) Peer {
	always := corev1.ContainerRestartPolicyAlways
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: app, Labels: map[string]string{"app": app}}}
	pod.Spec.NodeName = "n1"
	pod.Spec.Containers = []corev1.Container{{Ports: []corev1.ContainerPort{{Name: "web", ContainerPort: 8080}}}}
	pod.Spec.InitContainers = []corev1.Container{
		{RestartPolicy: &always, Ports: []corev1.ContainerPort{{Name: "metrics", ContainerPort: 9090, Protocol: corev1.ProtocolTCP}}},
		{Ports: []corev1.ContainerPort{{Name: "setup", ContainerPort: 7070}}},
	}
	return Peer{Pod: pod, Address: netip.MustParseAddr(address)}
}

func onHostNetwork(peer Peer, node string) Peer {
	peer.Pod = peer.Pod.DeepCopy()
	peer.Pod.Spec.HostNetwork, peer.Pod.Spec.NodeName = true, node
	return peer
}

func TestCheck(t *testing.T) {
	a, b := podOf("one", "a", "10.244.0.1"), podOf("one", "b", "10.244.0.2")
	elsewhere := podOf("two", "b", "10.244.1.2")
	n1 := Peer{Node: "n1", Address: netip.MustParseAddr("192.168.0.1")}
	n2 := Peer{Node: "n2", Address: netip.MustParseAddr("192.168.0.2")}
	world := Peer{Address: netip.MustParseAddr("203.0.113.7")}
	world6 := Peer{Address: netip.MustParseAddr("2001:db8::7")}
	unscheduled := podOf("one", "a", "10.244.0.1")
	unscheduled.Pod.Spec.NodeName = ""
	udp := corev1.ProtocolUDP

	for _, test := range []struct {
		name string
		spec string
		from Peer
		to   Peer
		port uint16
		// protocol is TCP if it is empty.
		protocol corev1.Protocol
		allowed  bool
	}{
		{name: "ingress is limited without policyTypes", spec: `{}`, from: b, to: a},
		{name: "egress is not limited without policyTypes and rules", spec: `{}`, from: a, to: b, allowed: true},
		{name: "egress is limited by a rule without policyTypes", spec: `{egress: [{ports: [{port: 1}]}]}`, from: a, to: b, port: 2},
		{name: "ingress is limited by an egress rule without policyTypes", spec: `{egress: [{}]}`, from: b, to: a},
		{name: "ingress is not limited by the type Egress", spec: `{policyTypes: [Egress]}`, from: b, to: a, allowed: true},
		{name: "no egress rule lets nothing through", spec: `{policyTypes: [Egress]}`, from: a, to: b},
		{name: "rules of a direction that is not limited have no effect", spec: `{policyTypes: [Ingress], egress: [{ports: [{port: 1}]}]}`, from: a, to: b, allowed: true},
		{name: "an empty rule lets everything through", spec: `{ingress: [{}]}`, from: world, to: a, port: 5, allowed: true},
		{name: "an empty list of peers is everybody", spec: `{ingress: [{from: [], ports: [{port: 5}]}]}`, from: world, to: a, port: 5, allowed: true},
		{name: "other pods are not limited", spec: `{policyTypes: [Ingress, Egress]}`, from: elsewhere, to: b, allowed: true},
		{name: "an empty pod selector selects the namespace", spec: `{podSelector: {matchLabels: null}}`, from: elsewhere, to: b},
		{name: "other namespaces are not limited", spec: `{podSelector: {matchLabels: null}}`, from: world, to: elsewhere, allowed: true},
		{name: "a pod reaches itself", spec: `{policyTypes: [Ingress, Egress]}`, from: a, to: a, allowed: true},

		{name: "pods of the same namespace", spec: `{ingress: [{from: [{podSelector: {matchLabels: {app: b}}}]}]}`, from: b, to: a, allowed: true},
		{name: "such pods of another namespace", spec: `{ingress: [{from: [{podSelector: {matchLabels: {app: b}}}]}]}`, from: elsewhere, to: a},
		{name: "pods with an expression", spec: `{ingress: [{from: [{podSelector: {matchExpressions: [{key: app, operator: In, values: [b, c]}]}}]}]}`, from: b, to: a, allowed: true},
		{name: "pods without a label", spec: `{ingress: [{from: [{podSelector: {matchExpressions: [{key: app, operator: DoesNotExist}]}}]}]}`, from: b, to: a},
		{name: "all pods of a namespace", spec: `{ingress: [{from: [{namespaceSelector: {matchLabels: {team: two}}}]}]}`, from: elsewhere, to: a, allowed: true},
		{name: "not those of another one", spec: `{ingress: [{from: [{namespaceSelector: {matchLabels: {team: two}}}]}]}`, from: b, to: a},
		{name: "all namespaces are pods alone", spec: `{ingress: [{from: [{namespaceSelector: {}}]}]}`, from: world, to: a},
		{name: "a namespace by its name", spec: `{ingress: [{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: two}}}]}]}`, from: elsewhere, to: a, allowed: true},
		{name: "both selectors must match", spec: `{ingress: [{from: [{namespaceSelector: {matchLabels: {team: two}}, podSelector: {matchLabels: {app: c}}}]}]}`, from: elsewhere, to: a},
		{name: "one of two peers must match", spec: `{ingress: [{from: [{namespaceSelector: {matchLabels: {team: two}}}, {podSelector: {matchLabels: {app: c}}}]}]}`, from: elsewhere, to: a, allowed: true},

		{name: "a range", spec: `{egress: [{to: [{ipBlock: {cidr: 203.0.113.0/24}}]}]}`, from: a, to: world, allowed: true},
		{name: "an exception", spec: `{egress: [{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [203.0.113.0/25]}}]}]}`, from: a, to: world},
		{name: "another range lets an exception through", spec: `{egress: [{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [203.0.113.0/25]}}, {ipBlock: {cidr: 203.0.113.7/32}}]}]}`, from: a, to: world, allowed: true},
		{name: "an IPv4 address in IPv6", spec: `{egress: [{to: [{ipBlock: {cidr: 203.0.113.0/24}}]}]}`, from: a, to: Peer{Address: netip.MustParseAddr("::ffff:203.0.113.7")}, allowed: true},
		{name: "a range of the other family", spec: `{egress: [{to: [{ipBlock: {cidr: 0.0.0.0/0}}]}]}`, from: a, to: world6},
		{name: "a range matches nodes", spec: `{egress: [{to: [{ipBlock: {cidr: 192.168.0.0/24}}]}]}`, from: a, to: n1, allowed: true},
		{name: "a range matches pods in the network of a node", spec: `{egress: [{to: [{ipBlock: {cidr: 10.244.0.2/32}}]}]}`, from: a, to: onHostNetwork(b, "n1"), allowed: true},

		{name: "a pod in the network of a node is not selected", spec: `{}`, from: b, to: onHostNetwork(a, "n1"), allowed: true},
		{name: "nor matched by selectors", spec: `{ingress: [{from: [{podSelector: {}}]}]}`, from: onHostNetwork(b, "n2"), to: a},
		{name: "a node reaches its pods", spec: `{}`, from: n1, to: a, allowed: true},
		{name: "and so do pods in its network", spec: `{}`, from: onHostNetwork(b, "n1"), to: a, allowed: true},
		{name: "what is no node is not the node of a pod without one", spec: `{}`, from: world, to: unscheduled},
		{name: "another node does not", spec: `{}`, from: n2, to: a},
		{name: "a pod does not reach its node", spec: `{policyTypes: [Egress]}`, from: a, to: n1},

		{name: "a port", spec: `{ingress: [{ports: [{port: 8080}]}]}`, from: b, to: a, port: 8080, allowed: true},
		{name: "another port", spec: `{ingress: [{ports: [{port: 8080}]}]}`, from: b, to: a, port: 8081},
		{name: "the protocol of a port is TCP", spec: `{ingress: [{ports: [{port: 8080}]}]}`, from: b, to: a, port: 8080, protocol: udp},
		{name: "all ports of a protocol", spec: `{ingress: [{ports: [{protocol: UDP}]}]}`, from: b, to: a, port: 53, protocol: udp, allowed: true},
		{name: "and no other protocol", spec: `{ingress: [{ports: [{protocol: UDP}]}]}`, from: b, to: a, port: 53},
		{name: "the last port of a range", spec: `{ingress: [{ports: [{port: 8000, endPort: 8080}]}]}`, from: b, to: a, port: 8080, allowed: true},
		{name: "the port after a range", spec: `{ingress: [{ports: [{port: 8000, endPort: 8080}]}]}`, from: b, to: a, port: 8081},
		{name: "a port of another protocol by name", spec: `{ingress: [{ports: [{port: web, protocol: UDP}]}]}`, from: b, to: a, port: 8080, protocol: udp},
		{name: "a port by name", spec: `{ingress: [{ports: [{port: web}]}]}`, from: b, to: a, port: 8080, allowed: true},
		{name: "another port than that of the name", spec: `{ingress: [{ports: [{port: web}]}]}`, from: b, to: a, port: 8081},
		{name: "a port of a sidecar by name", spec: `{ingress: [{ports: [{port: metrics}]}]}`, from: b, to: a, port: 9090, allowed: true},
		{name: "a port of a container that has ended", spec: `{ingress: [{ports: [{port: setup}]}]}`, from: b, to: a, port: 7070},
		{name: "a name is one of the pod that is connected to", spec: `{egress: [{ports: [{port: web}]}]}`, from: a, to: b, port: 8080, allowed: true},
		{name: "what is no pod has no names of ports", spec: `{egress: [{ports: [{port: web}]}]}`, from: a, to: world, port: 8080},
		{name: "peer and port are those of one rule", spec: `{ingress: [{from: [{podSelector: {}}], ports: [{port: 1}]}, {from: [{namespaceSelector: {}}], ports: [{port: 2}]}]}`, from: elsewhere, to: a, port: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			evaluator, err := New([]networkingv1.NetworkPolicy{policyOf(t, test.spec)}, map[string]map[string]string{"one": {"team": "one"}, "two": {"team": "two"}})
			if err != nil {
				t.Fatal(err)
			}
			reason := evaluator.Check(Connection{From: test.from, To: test.to, Port: test.port, Protocol: test.protocol})
			if allowed := reason == ""; allowed != test.allowed {
				t.Errorf("allowed is %t, want %t: %s", allowed, test.allowed, reason)
			}
		})
	}
}

func TestRangesMatchPods(t *testing.T) {
	evaluator, err := New([]networkingv1.NetworkPolicy{policyOf(t, `{egress: [{to: [{ipBlock: {cidr: 10.244.0.0/24, except: [10.244.0.3/32]}}]}]}`)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := podOf("one", "a", "10.244.0.1")
	for _, test := range []struct {
		matchPods bool
		address   string
		allowed   bool
	}{{false, "10.244.0.2", false}, {true, "10.244.0.2", true}, {true, "10.244.0.3", false}} {
		evaluator.RangesMatchPods = test.matchPods
		reason := evaluator.Check(Connection{From: a, To: podOf("two", "b", test.address)})
		if allowed := reason == ""; allowed != test.allowed {
			t.Errorf("%+v: got %q", test, reason)
		}
	}
}

func TestPoliciesAddUp(t *testing.T) {
	closed, open := policyOf(t, `{policyTypes: [Ingress]}`), policyOf(t, `{ingress: [{ports: [{port: 80}]}]}`)
	evaluator, err := New([]networkingv1.NetworkPolicy{closed, open}, nil)
	if err != nil {
		t.Fatal(err)
	}
	to := podOf("one", "a", "10.244.0.1")
	if reason := evaluator.Check(Connection{From: podOf("one", "b", "10.244.0.2"), To: to, Port: 80}); reason != "" {
		t.Error(reason)
	}
	if reason := evaluator.Check(Connection{From: podOf("one", "b", "10.244.0.2"), To: to, Port: 81}); reason == "" {
		t.Error("no policy lets port 81 through")
	}
}

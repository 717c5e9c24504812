package policies

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"conformance/internal/golden"
)

// tenantPolicies returns the policies of the golden file, and the same ones for a second tenant.
func tenantPolicies(t *testing.T) []networkingv1.NetworkPolicy {
	t.Helper()
	documents := golden.Read(t, "management", "example-diy-cloud")
	var policies []networkingv1.NetworkPolicy
	for _, tenant := range []string{"acme", "beta"} {
		for _, document := range documents {
			if document.Object.GetKind() != "NetworkPolicy" {
				continue
			}
			var policy networkingv1.NetworkPolicy
			if err := yaml.UnmarshalStrict([]byte(strings.ReplaceAll(string(document.Raw), "acme", tenant)), &policy); err != nil {
				t.Fatal(err)
			}
			policies = append(policies, policy)
		}
	}
	if len(policies) != 6 {
		t.Fatalf("the example has %d NetworkPolicies, want those of machines, control plane and controllers", len(policies)/2)
	}
	return policies
}

func tenantPod(namespace, name, address string, labels map[string]string) Peer {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels}}
	pod.Spec.NodeName = "host"
	return Peer{Pod: pod, Address: netip.MustParseAddr(address)}
}

func TestPoliciesOfTenant(t *testing.T) {
	const cluster, component = "cluster.x-k8s.io/cluster-name", "app.kubernetes.io/component"
	autoscaler := tenantPod("tenant-acme", "acme-cluster-autoscaler", "10.244.0.10", map[string]string{cluster: "acme", component: "tenant-controller"})
	apiServer := tenantPod("tenant-acme", "acme", "10.244.0.11", map[string]string{"kamaji.clastix.io/name": "acme"})
	machine := tenantPod("tenant-acme", "machine-1", "10.244.0.12", map[string]string{cluster: "acme", "kubevirt.io": "virt-launcher"})
	machine2 := tenantPod("tenant-acme", "machine-2", "10.244.0.13", map[string]string{cluster: "acme", "kubevirt.io": "virt-launcher"})
	importer := tenantPod("tenant-acme", "importer", "10.244.0.14", map[string]string{"cdi.kubevirt.io": "importer"})
	otherMachine := tenantPod("tenant-beta", "machine", "10.244.1.12", map[string]string{cluster: "beta", "kubevirt.io": "virt-launcher"})
	otherAPIServer := tenantPod("tenant-beta", "beta", "10.244.1.11", map[string]string{"kamaji.clastix.io/name": "beta"})
	dns := tenantPod("kube-system", "coredns", "10.244.0.2", map[string]string{"k8s-app": "kube-dns"})
	metrics := tenantPod("kube-system", "metrics-server", "10.244.0.3", map[string]string{"k8s-app": "metrics-server"})
	etcd := tenantPod("kamaji-system", "etcd-0", "10.244.0.4", nil)
	kamaji := kamajiPod("10.244.0.5")
	host := Peer{Node: "host", Address: netip.MustParseAddr("192.168.100.10")}
	otherHost := Peer{Node: "other", Address: netip.MustParseAddr("192.168.100.11")}
	address := func(text string) Peer { return Peer{Address: netip.MustParseAddr(text)} }
	world, metadata := address("203.0.113.7"), address("169.254.169.254")
	udp := corev1.ProtocolUDP

	evaluator, err := New(tenantPolicies(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name     string
		from, to Peer
		port     uint16
		protocol corev1.Protocol
		allowed  bool
	}{
		{"the autoscaler reaches the API server of the tenant", autoscaler, apiServer, 6443, "", true},
		{"the autoscaler has nothing to do with the tunnel", autoscaler, apiServer, 8132, "", false},
		{"the autoscaler reaches the management API server", autoscaler, host, 6443, "", true},
		{"also by its Service, before translation", autoscaler, address("10.96.0.1"), 443, "", true},
		{"the autoscaler does not reach a kubelet", autoscaler, host, 10250, "", false},
		{"the autoscaler does not reach the API server of another tenant", autoscaler, otherAPIServer, 6443, "", false},
		{"the autoscaler does not reach the world", autoscaler, world, 443, "", false},
		{"the autoscaler asks the DNS", autoscaler, dns, 53, udp, true},
		{"the autoscaler asks the DNS by TCP", autoscaler, dns, 53, "", true},
		{"the autoscaler asks the Service of the DNS, before translation", autoscaler, address("10.96.0.10"), 53, udp, true},
		{"the autoscaler asks a DNS cache on its node", autoscaler, address("169.254.20.10"), 53, udp, true},
		{"the autoscaler asks no other pod of the system", autoscaler, metrics, 53, udp, false},
		{"the kubelet probes the autoscaler", host, autoscaler, 8085, "", true},
		{"another node does not", otherHost, autoscaler, 8085, "", false},
		{"a machine does not reach the autoscaler", machine, autoscaler, 8085, "", false},

		{"a machine reaches its API server", machine, apiServer, 6443, "", true},
		{"a machine reaches the tunnel", machine, apiServer, 8132, "", true},
		{"a machine does not reach the scheduler beside it", machine, apiServer, 10259, "", false},
		{"a machine reaches other machines", machine, machine2, 8473, udp, true},
		{"a machine asks the DNS", machine, dns, 53, udp, true},
		{"a machine reaches the world", machine, world, 443, "", true},
		{"a machine does not reach the metadata service", machine, metadata, 80, "", false},
		{"a machine does not reach the management API server", machine, host, 6443, "", false},
		{"nor by its Service", machine, address("10.96.0.1"), 443, "", false},
		{"a machine does not reach the data store", machine, etcd, 2379, "", false},
		{"the world reaches a machine", world, machine, 30080, "", true},

		{"a machine of another tenant does not reach the API server", otherMachine, apiServer, 6443, "", false},
		{"a machine of another tenant does not reach a machine", otherMachine, machine, 22, "", false},
		{"a machine of another tenant does not reach the autoscaler", otherMachine, autoscaler, 8085, "", false},
		{"a machine of another tenant does not reach the management API server", otherMachine, host, 6443, "", false},
		{"an API server of another tenant does not reach a machine", otherAPIServer, machine, 10250, "", false},

		{"the API server reaches the data store", apiServer, etcd, 2379, "", true},
		{"the API server reaches no other port of it", apiServer, etcd, 2380, "", false},
		{"the API server reaches Kamaji's webhook", apiServer, kamaji, 9443, "", true},
		{"the API server reaches no other port of Kamaji", apiServer, kamaji, 8080, "", false},
		{"the API server reaches the kubelets of its machines", apiServer, machine, 10250, "", true},
		{"the API server reaches a webhook in the world", apiServer, world, 443, "", true},
		{"the API server does not reach the management API server", apiServer, host, 6443, "", false},
		{"the world reaches the API server", world, apiServer, 6443, "", true},
		{"the world does not reach the controller manager beside it", world, apiServer, 10257, "", false},
		{"an importer is not limited", importer, world, 443, "", true},
	} {
		for _, matchPods := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%t", test.name, matchPods), func(t *testing.T) {
				evaluator.RangesMatchPods = matchPods
				reason := evaluator.Check(Connection{From: test.from, To: test.to, Port: test.port, Protocol: test.protocol})
				if allowed := reason == ""; allowed != test.allowed {
					t.Errorf("allowed is %t, want %t: %s", allowed, test.allowed, reason)
				}
			})
		}
	}
}

// kamajiPod returns a pod with the labels of Kamaji's chart.
func kamajiPod(address string) Peer {
	return tenantPod("kamaji-system", "kamaji", address, map[string]string{"app.kubernetes.io/name": "kamaji", "app.kubernetes.io/instance": "kamaji", "app.kubernetes.io/component": "controller-manager"})
}

// TestPoliciesDuringMove judges the policies of a control plane that moves to another data store. Its API servers use the former one until Kamaji's Job has copied
// the data and the new pods are ready, and call Kamaji's webhook, which rejects writes.
func TestPoliciesDuringMove(t *testing.T) {
	var policies []networkingv1.NetworkPolicy
	for _, document := range golden.Read(t, "management", "isolation-data-store-move") {
		if document.Object.GetKind() == "NetworkPolicy" {
			var policy networkingv1.NetworkPolicy
			if err := yaml.UnmarshalStrict(document.Raw, &policy); err != nil {
				t.Fatal(err)
			}
			policies = append(policies, policy)
		}
	}
	evaluator, err := New(policies, nil)
	if err != nil {
		t.Fatal(err)
	}
	apiServer := tenantPod("tenant-acme", "acme", "10.42.0.11", map[string]string{"kamaji.clastix.io/name": "acme"})
	etcd := func(store, address string) Peer {
		return tenantPod("kamaji-etcd", "etcd-"+store+"-0", address, map[string]string{"app.kubernetes.io/name": "kamaji-etcd", "app.kubernetes.io/instance": "etcd-" + store})
	}
	for _, test := range []struct {
		name    string
		to      Peer
		port    uint16
		allowed bool
	}{
		{"the former data store", etcd("default", "10.42.0.2"), 2379, true},
		{"the new data store", etcd("gold", "10.42.0.3"), 2379, true},
		{"Kamaji's webhook", kamajiPod("10.42.0.4"), 9443, true},
		{"the data store of others", etcd("bank", "10.42.0.5"), 2379, false},
	} {
		reason := evaluator.Check(Connection{From: apiServer, To: test.to, Port: test.port})
		if allowed := reason == ""; allowed != test.allowed {
			t.Errorf("the API server to %s: allowed is %t, want %t: %s", test.name, allowed, test.allowed, reason)
		}
	}
}

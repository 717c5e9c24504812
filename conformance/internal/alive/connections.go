package alive

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/network"
	"conformance/internal/policies"
	"conformance/internal/sandbox"
)

var (
	policyKind    = schema.GroupKind{Group: "networking.k8s.io", Kind: "NetworkPolicy"}
	namespaceKind = schema.GroupKind{Kind: "Namespace"}
)

// sampling is the time between two looks at the sockets of pods. A closed connection is seen for a minute.
const sampling = 5 * time.Second

// dialer collects the connections that pods open without a Service.
type dialer struct {
	mutex  sync.Mutex
	direct map[network.Dialed]bool
}

// watchConnections looks at the sockets of all pods until the context ends.
func (w *world) watchConnections(ctx context.Context) {
	ticker := time.NewTicker(sampling)
	defer ticker.Stop()
	for {
		if err := w.kubelet.EachPod(w.dialed.look); err != nil && ctx.Err() == nil {
			fmt.Fprintf(w.Log, "connections: %v\n", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// look collects the connections of one pod.
func (d *dialer) look(*corev1.Pod) error {
	found, err := network.Outgoing()
	if err != nil {
		return err
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for _, one := range found {
		// The proxy of Services knows where connections to them end.
		if !sandbox.Services.Contains(one.To.Addr()) && !sandbox.LoadBalancers.Contains(one.To.Addr()) {
			d.direct[one] = true
		}
	}
	return nil
}

// checkConnections asks for each connection of a pod whether the policies of the page would have let it through, however a network plug-in reads them.
func (t *tenant) checkConnections(ctx context.Context) error {
	var written []networkingv1.NetworkPolicy
	for _, object := range t.ofKind(policyKind) {
		var policy networkingv1.NetworkPolicy
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &policy); err != nil {
			return fmt.Errorf("read the NetworkPolicy %s: %w", object.GetName(), err)
		}
		written = append(written, policy)
	}
	namespaces, err := t.client.List(ctx, namespaceKind, "", nil)
	if err != nil {
		return err
	}
	labels := map[string]map[string]string{}
	for i := range namespaces {
		labels[namespaces[i].GetName()] = namespaces[i].GetLabels()
	}
	evaluator, err := policies.New(written, labels)
	if err != nil {
		return err
	}
	pods := t.kubelet.Pods()
	judged, cut := 0, []string{}
	for _, one := range t.connections() {
		if pods[one.From] == nil {
			continue // A program of the run, or a played machine.
		}
		judged++
		if reason := evaluator.Check(policies.Connection{From: peer(pods, one.From), To: peer(pods, one.To.Addr()), Port: one.To.Port(), Protocol: one.Protocol}); reason != "" {
			cut = append(cut, reason)
		}
	}
	if judged == 0 {
		return fmt.Errorf("no pod has connected with anything: nothing was looked at")
	}
	t.note("%d connections of pods, judged by %d NetworkPolicies", judged, len(written))
	if len(cut) > 0 {
		slices.Sort(cut)
		return fmt.Errorf("policies cut %d connections:\n    %s", len(cut), strings.Join(slices.Compact(cut), "\n    "))
	}
	return nil
}

// connections are all that are known.
func (w *world) connections() []network.Dialed {
	w.dialed.mutex.Lock()
	defer w.dialed.mutex.Unlock()
	found := w.network.Dialed()
	for one := range w.dialed.direct {
		found = append(found, one)
	}
	return found
}

// peer is who has an address.
func peer(pods map[netip.Addr]*corev1.Pod, address netip.Addr) policies.Peer {
	switch {
	case address == Resolver:
		dns := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceSystem, Name: "coredns", Labels: map[string]string{"k8s-app": "kube-dns"}}}
		return policies.Peer{Address: address, Pod: dns}
	case address == sandbox.Node:
		// None of the nodes of the pods: that a pod reaches its own node, some plug-ins allow without a policy.
		return policies.Peer{Address: address, Node: "management"}
	default:
		return policies.Peer{Address: address, Pod: pods[address]}
	}
}

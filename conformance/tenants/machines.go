package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	etcd "sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/cloud/api/v1alpha1"
	"sigs.k8s.io/cluster-api/util"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

var infrastructure = schema.GroupVersion{Group: "infrastructure.cluster.x-k8s.io", Version: "v1alpha1"}

// concurrency is enough for the machines of many clusters that come up side by side.
var concurrency = controller.Options{MaxConcurrentReconciles: 10}

// machines plays the infrastructure provider and kubelets on objects of kind KubevirtMachine.
type machines struct {
	client.Client
	servers *servers
}

func (m *machines) setUp(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(newObject(infrastructure.WithKind("KubevirtMachine"))).
		Watches(&clusterv1.Machine{}, handler.EnqueueRequestsFromMapFunc(func(_ context.Context, object client.Object) []reconcile.Request {
			ref := object.(*clusterv1.Machine).Spec.InfrastructureRef
			return []reconcile.Request{{NamespacedName: client.ObjectKey{Namespace: object.GetNamespace(), Name: ref.Name}}}
		})).
		WithOptions(concurrency).
		Complete(m)
}

// Reconcile runs a machine that has bootstrap data, and takes the node and pods of one that is gone away.
func (m *machines) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	infra := newObject(infrastructure.WithKind("KubevirtMachine"))
	if err := m.Get(ctx, request.NamespacedName, infra); apierrors.IsNotFound(err) {
		return ctrl.Result{}, m.stop(ctx, request.NamespacedName)
	} else if err != nil || infra.GetDeletionTimestamp() != nil {
		return ctrl.Result{}, err
	}
	machine, err := util.GetOwnerMachine(ctx, m.Client, metav1.ObjectMeta{Namespace: infra.GetNamespace(), OwnerReferences: infra.GetOwnerReferences()})
	if err != nil || machine == nil || machine.Spec.Bootstrap.DataSecretName == nil {
		return ctrl.Result{}, err
	}
	if ready, _, _ := unstructured.NestedBool(infra.Object, "status", "ready"); ready {
		return ctrl.Result{}, nil
	}
	t, err := m.servers.at(ctx, client.ObjectKey{Namespace: machine.Namespace, Name: machine.Spec.ClusterName})
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := t.run(ctx, request.Name, machine); err != nil {
		return ctrl.Result{}, err
	}
	if err := merge(ctx, m.Client, infra, map[string]any{"spec": map[string]any{"providerID": providerID(request.Name)}}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, merge(ctx, m.Client, infra, map[string]any{"status": map[string]any{"ready": true}})
}

func (m *machines) stop(ctx context.Context, key client.ObjectKey) error {
	for _, t := range m.servers.in(key.Namespace) {
		if err := t.remove(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: key.Name}}); err != nil {
			return err
		}
		for _, component := range components {
			if err := t.remove(ctx, &corev1.Pod{ObjectMeta: podMeta(component, key.Name)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// components are the static pods of a machine of the control plane.
var components = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"}

// run makes what is in a tenant cluster once a machine has joined it.
func (t *tenant) run(ctx context.Context, name string, machine *clusterv1.Machine) error {
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kubernetes.io/hostname": name}},
		Spec:       corev1.NodeSpec{ProviderID: providerID(name)},
		Status:     corev1.NodeStatus{NodeInfo: corev1.NodeSystemInfo{KubeletVersion: machine.Spec.Version}},
	}
	for kind, status := range map[corev1.NodeConditionType]corev1.ConditionStatus{
		corev1.NodeReady: corev1.ConditionTrue, corev1.NodeMemoryPressure: corev1.ConditionFalse,
		corev1.NodeDiskPressure: corev1.ConditionFalse, corev1.NodePIDPressure: corev1.ConditionFalse,
	} {
		node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{Type: kind, Status: status, LastTransitionTime: metav1.Now()})
	}
	if !util.IsControlPlaneMachine(machine) {
		return t.ensure(ctx, node)
	}
	node.Labels["node-role.kubernetes.io/control-plane"] = ""
	node.Spec.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}}
	if err := t.ensure(ctx, node); err != nil {
		return err
	}
	for _, component := range components {
		pod := &corev1.Pod{
			ObjectMeta: podMeta(component, name),
			Spec:       corev1.PodSpec{NodeName: name},
			Status: corev1.PodStatus{
				Phase:      corev1.PodRunning,
				Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
			},
		}
		if component == "etcd" {
			annotations, err := t.memberOfEtcd(ctx)
			if err != nil {
				return err
			}
			pod.Annotations = annotations
		}
		if err := t.ensure(ctx, pod); err != nil {
			return err
		}
	}
	for _, object := range kubeadmObjects(machine.Spec.Version) {
		if err := t.ensure(ctx, object); err != nil {
			return err
		}
	}
	return nil
}

// memberOfEtcd returns the annotations by which the fake of etcd knows a new member. The first one leads.
func (t *tenant) memberOfEtcd(ctx context.Context) (map[string]string, error) {
	pods := &corev1.PodList{}
	if err := t.List(ctx, pods, client.InNamespace(metav1.NamespaceSystem), client.MatchingLabels{"component": "etcd"}); err != nil {
		return nil, fmt.Errorf("list the members of etcd of %s: %w", t.cluster, err)
	}
	member := map[string]string{etcd.EtcdMemberIDAnnotationName: strconv.Itoa(1 + rand.IntN(1<<30))}
	left := func(pod corev1.Pod) bool { _, removed := pod.Annotations[etcd.EtcdMemberRemoved]; return !removed }
	if i := slices.IndexFunc(pods.Items, left); i >= 0 {
		member[etcd.EtcdClusterIDAnnotationName] = pods.Items[i].Annotations[etcd.EtcdClusterIDAnnotationName]
	} else {
		member[etcd.EtcdClusterIDAnnotationName] = strconv.Itoa(1 + rand.IntN(1<<30))
		member[etcd.EtcdLeaderFromAnnotationName] = time.Now().Format(time.RFC3339)
	}
	return member, nil
}

// kubeadmObjects are what kubeadm leaves in a cluster and the control plane provider reads.
func kubeadmObjects(version string) []client.Object {
	inSystem := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: metav1.NamespaceSystem, Name: name}
	}
	containers := func(name, image string) corev1.PodTemplateSpec {
		return corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: name, Image: image}}}}
	}
	return []client.Object{
		&corev1.ConfigMap{ObjectMeta: inSystem("kubeadm-config"), Data: map[string]string{"ClusterConfiguration": ""}},
		&appsv1.DaemonSet{
			ObjectMeta: inSystem("kube-proxy"),
			Spec:       appsv1.DaemonSetSpec{Template: containers("kube-proxy", "registry.k8s.io/kube-proxy:"+version)},
		},
		&corev1.ConfigMap{ObjectMeta: inSystem("coredns"), Data: map[string]string{"Corefile": ".:53 {\n    errors\n}\n"}},
		&appsv1.Deployment{
			ObjectMeta: inSystem("coredns"),
			Spec:       appsv1.DeploymentSpec{Template: containers("coredns", "registry.k8s.io/coredns/coredns:v1.12.1")},
		},
	}
}

func podMeta(component, node string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: metav1.NamespaceSystem, Name: component + "-" + node,
		Labels: map[string]string{"component": component, "tier": "control-plane"},
	}
}

func providerID(name string) string { return "kubevirt://" + name }

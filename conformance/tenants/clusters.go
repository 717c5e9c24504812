package main

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/certs"
	"sigs.k8s.io/cluster-api/util/secret"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

var kamajiControlPlane = schema.GroupVersionKind{Group: "controlplane.cluster.x-k8s.io", Version: "v1alpha2", Kind: "KamajiControlPlane"}

// kubevirtCluster is the kind of infrastructure that is played.
const kubevirtCluster = "KubevirtCluster"

// clusters plays the infrastructure provider on objects of kind KubevirtCluster, and Kamaji on its control planes.
type clusters struct {
	client.Client
	servers *servers
}

func (c *clusters) setUp(mgr ctrl.Manager) error {
	// Objects that a Cluster refers to have its name as a label.
	ofCluster := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, object client.Object) []reconcile.Request {
		key := client.ObjectKey{Namespace: object.GetNamespace(), Name: object.GetLabels()[clusterv1.ClusterNameLabel]}
		return []reconcile.Request{{NamespacedName: key}}
	})
	return ctrl.NewControllerManagedBy(mgr).
		For(&clusterv1.Cluster{}).
		Watches(newObject(kamajiControlPlane), ofCluster).
		WithOptions(concurrency).
		Complete(c)
}

// Reconcile reports that infrastructure and control plane of a Cluster are as they should be.
func (c *clusters) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	cluster := &clusterv1.Cluster{}
	if err := c.Get(ctx, request.NamespacedName, cluster); err != nil || !cluster.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if cluster.Spec.InfrastructureRef.Kind != kubevirtCluster {
		return ctrl.Result{}, nil // Of a provider that is not played, or of a topology that is not there yet.
	}
	t, err := c.servers.at(ctx, request.NamespacedName)
	if err != nil {
		return ctrl.Result{}, err
	}
	endpoint := map[string]any{"spec": map[string]any{"controlPlaneEndpoint": map[string]any{"host": host, "port": int64(t.port)}}}
	if ref := cluster.Spec.ControlPlaneRef; ref.Kind == kamajiControlPlane.Kind {
		controlPlane := newObject(kamajiControlPlane)
		if err := c.Get(ctx, client.ObjectKey{Namespace: cluster.Namespace, Name: ref.Name}, controlPlane); err != nil {
			return ctrl.Result{}, err
		}
		if err := c.runControlPlane(ctx, t, cluster, controlPlane, endpoint); err != nil {
			return ctrl.Result{}, err
		}
	}
	infra := newObject(infrastructure.WithKind(kubevirtCluster))
	if err := c.Get(ctx, client.ObjectKey{Namespace: cluster.Namespace, Name: cluster.Spec.InfrastructureRef.Name}, infra); err != nil {
		return ctrl.Result{}, err
	}
	if ready, _, _ := unstructured.NestedBool(infra.Object, "status", "ready"); ready {
		return ctrl.Result{}, nil
	}
	if err := merge(ctx, c.Client, infra, endpoint); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, merge(ctx, c.Client, infra, map[string]any{"status": map[string]any{"ready": true}})
}

// runControlPlane writes what Kamaji and its provider write of a control plane that runs in the wanted version and number.
func (c *clusters) runControlPlane(
	ctx context.Context, t *tenant, cluster *clusterv1.Cluster, controlPlane *unstructured.Unstructured, endpoint map[string]any,
) error {
	version, _, _ := unstructured.NestedString(controlPlane.Object, "spec", "version")
	replicas, _, _ := unstructured.NestedInt64(controlPlane.Object, "spec", "replicas")
	reported, _, _ := unstructured.NestedString(controlPlane.Object, "status", "version")
	ready, _, _ := unstructured.NestedInt64(controlPlane.Object, "status", "readyReplicas")
	if reported == version && ready == replicas {
		return nil
	}
	if err := c.ensureSecrets(ctx, t, cluster); err != nil {
		return err
	}
	if err := merge(ctx, c.Client, controlPlane, endpoint); err != nil {
		return err
	}
	now := time.Now().UTC().Format(time.RFC3339)
	condition := func(kind string) map[string]any {
		return map[string]any{"type": kind, "status": "True", "reason": "Ready", "message": "by a stand-in", "lastTransitionTime": now}
	}
	return merge(ctx, c.Client, controlPlane, map[string]any{"status": map[string]any{
		"initialization":              map[string]any{"controlPlaneInitialized": true},
		"ready":                       true,
		"version":                     version,
		"externalManagedControlPlane": true,
		"selector":                    "kamaji.clastix.io/name=" + controlPlane.GetName(),
		"replicas":                    replicas,
		"readyReplicas":               replicas,
		"availableReplicas":           replicas,
		"upToDateReplicas":            replicas,
		"conditions": []any{
			condition("Available"), condition("KamajiControlPlaneIsInitialized"), condition("KamajiControlPlaneIsReady"),
		},
	}})
}

// ensureSecrets creates the authority and the kubeconfig of a cluster.
func (c *clusters) ensureSecrets(ctx context.Context, t *tenant, cluster *clusterv1.Cluster) error {
	config := api.NewConfig()
	config.Clusters["tenant"] = &api.Cluster{
		Server: "https://" + net.JoinHostPort(host, strconv.Itoa(int(t.port))), CertificateAuthorityData: c.servers.authority,
	}
	config.AuthInfos["tenant"] = &api.AuthInfo{Token: "tenant"}
	config.Contexts["tenant"] = &api.Context{Cluster: "tenant", AuthInfo: "tenant"}
	config.CurrentContext = "tenant"
	kubeconfig, err := clientcmd.Write(*config)
	if err != nil {
		return fmt.Errorf("write the kubeconfig of %s: %w", t.cluster, err)
	}
	for purpose, data := range map[secret.Purpose]map[string][]byte{
		secret.ClusterCA:  {secret.TLSCrtDataName: c.servers.authority, secret.TLSKeyDataName: certs.EncodePrivateKeyPEM(c.servers.key)},
		secret.Kubeconfig: {secret.KubeconfigDataName: kubeconfig},
	} {
		if err := c.Create(ctx, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: cluster.Namespace, Name: secret.Name(cluster.Name, purpose), Labels: map[string]string{clusterv1.ClusterNameLabel: cluster.Name},
			},
			Type: clusterv1.ClusterSecretType,
			Data: data,
		}); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("create the Secret %s of %s: %w", purpose, t.cluster, err)
		}
	}
	return nil
}

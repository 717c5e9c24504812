// Command tenants plays what tenant clusters need and what takes containers or machines, for many clusters at once and in memory:
//
//   - the API server and the etcd of each Cluster, which are the fakes of Cluster API's own scale tests,
//   - the infrastructure provider for KubeVirt, whose machines run at once, with the kubelet of each,
//   - Kamaji and its control plane provider.
//
// It listens on 127.0.0.1 only.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	flag.Parse() // The flag --kubeconfig, which controller-runtime defines.
	ctrl.SetLogger(klog.Background())
	if err := run(ctrl.SetupSignalHandler()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, clusterv1.AddToScheme} {
		if err := add(scheme); err != nil {
			return fmt.Errorf("create the scheme: %w", err)
		}
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("read the kubeconfig: %w", err)
	}
	config.QPS = -1 // No limit: the server is ours alone.
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		Client: client.Options{Cache: &client.CacheOptions{
			DisableFor:   []client.Object{&corev1.Secret{}},
			Unstructured: true,
		}},
	})
	if err != nil {
		return fmt.Errorf("create the manager: %w", err)
	}
	servers, err := newServers(ctx, mgr.GetAPIReader())
	if err != nil {
		return err
	}
	if err := (&clusters{Client: mgr.GetClient(), servers: servers}).setUp(mgr); err != nil {
		return fmt.Errorf("set up the controller of clusters: %w", err)
	}
	if err := (&machines{Client: mgr.GetClient(), servers: servers}).setUp(mgr); err != nil {
		return fmt.Errorf("set up the controller of machines: %w", err)
	}
	return mgr.Start(ctx)
}

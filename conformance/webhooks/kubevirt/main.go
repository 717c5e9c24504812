// Command kubevirt serves the admission webhook of the Cluster API provider for KubeVirt,
// without its controllers, on 127.0.0.1.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	infrav1 "sigs.k8s.io/cluster-api-provider-kubevirt/api/v1alpha1"
	"sigs.k8s.io/cluster-api-provider-kubevirt/pkg/webhookhandler"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

func main() {
	port := flag.Int("webhook-port", 0, "port to serve on")
	certDir := flag.String("webhook-cert-dir", "", "directory of tls.crt and tls.key")
	flag.Parse() // Also the flag --kubeconfig, which controller-runtime defines.
	ctrl.SetLogger(klog.Background())

	if err := run(ctrl.SetupSignalHandler(), *port, *certDir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, port int, certDir string) error {
	scheme := runtime.NewScheme()
	if err := infrav1.AddToScheme(scheme); err != nil {
		return fmt.Errorf("create the scheme: %w", err)
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("read the kubeconfig: %w", err)
	}
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host:    "127.0.0.1",
			Port:    port,
			CertDir: certDir,
		}),
	})
	if err != nil {
		return fmt.Errorf("create the manager: %w", err)
	}
	if err := webhookhandler.SetupWebhookWithManager(mgr); err != nil {
		return fmt.Errorf("set up the webhook: %w", err)
	}
	return mgr.Start(ctx)
}

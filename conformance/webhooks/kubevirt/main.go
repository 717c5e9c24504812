// Command kubevirt runs what the manager of the Cluster API provider for KubeVirt runs: its admission webhook, its
// controllers, or both. It listens on 127.0.0.1 only, and only for the webhook.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	kubevirtv1 "kubevirt.io/api/core/v1"
	cdiv1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
	infrav1 "sigs.k8s.io/cluster-api-provider-kubevirt/api/v1alpha1"
	"sigs.k8s.io/cluster-api-provider-kubevirt/pkg/webhookhandler"
	clusterv1beta1 "sigs.k8s.io/cluster-api/api/core/v1beta1" //nolint:staticcheck // The provider reads this version.
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// options say what the program runs.
type options struct {
	webhookPort int
	certDir     string
	controllers bool
	syncPeriod  time.Duration
}

func main() {
	var opts options
	flag.IntVar(&opts.webhookPort, "webhook-port", 0, "port to serve the webhook on (default it is not served)")
	flag.StringVar(&opts.certDir, "webhook-cert-dir", "", "directory of tls.crt and tls.key")
	flag.BoolVar(&opts.controllers, "controllers", false, "run the controllers")
	flag.DurationVar(&opts.syncPeriod, "sync-period", time.Minute, "how often every object is reconciled; the provider watches no virtual machines")
	flag.Parse() // Also the flag --kubeconfig, which controller-runtime defines.
	ctrl.SetLogger(klog.Background())

	if err := run(ctrl.SetupSignalHandler(), opts); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, opts options) error {
	if opts.webhookPort == 0 && !opts.controllers {
		return errors.New("nothing to run: set --webhook-port or --controllers")
	}
	scheme, err := newScheme()
	if err != nil {
		return err
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("read the kubeconfig: %w", err)
	}
	config.QPS = -1 // No limit: the server is ours alone.
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		Cache:   cache.Options{SyncPeriod: &opts.syncPeriod},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host:    "127.0.0.1",
			Port:    opts.webhookPort,
			CertDir: opts.certDir,
		}),
	})
	if err != nil {
		return fmt.Errorf("create the manager: %w", err)
	}
	if opts.webhookPort != 0 {
		if err := webhookhandler.SetupWebhookWithManager(mgr); err != nil {
			return fmt.Errorf("set up the webhook: %w", err)
		}
	}
	if opts.controllers {
		if err := setUpControllers(ctx, mgr); err != nil {
			return err
		}
	}
	return mgr.Start(ctx)
}

// newScheme knows the types of the provider and those its controllers read and write.
func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	builder := runtime.NewSchemeBuilder(
		clientgoscheme.AddToScheme,
		cdiv1.AddToScheme,
		clusterv1.AddToScheme,
		clusterv1beta1.AddToScheme,
		infrav1.AddToScheme,
		kubevirtv1.AddToScheme,
	)
	if err := builder.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("create the scheme: %w", err)
	}
	return scheme, nil
}

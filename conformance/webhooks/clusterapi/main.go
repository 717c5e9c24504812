// Command clusterapi runs what the managers of Cluster API run, core, kubeadm bootstrap and kubeadm control plane:
// their admission webhooks, their controllers, or both. It listens on 127.0.0.1 only, and only for webhooks.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"sigs.k8s.io/cluster-api/feature"
	ctrl "sigs.k8s.io/controller-runtime"
)

// options say what the program runs.
type options struct {
	webhookPort int
	certDir     string
	controllers bool
}

func main() {
	var opts options
	flag.IntVar(&opts.webhookPort, "webhook-port", 0, "port to serve webhooks on (default none are served)")
	flag.StringVar(&opts.certDir, "webhook-cert-dir", "", "directory of tls.crt and tls.key")
	flag.BoolVar(&opts.controllers, "controllers", false, "run the controllers")
	gates := flag.String("feature-gates", "", "feature gates, as Gate=true,...")
	flag.Parse() // Also the flag --kubeconfig, which controller-runtime defines.
	ctrl.SetLogger(klog.Background())

	if err := run(ctrl.SetupSignalHandler(), opts, *gates); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run starts one manager for the webhooks and, like the releases, one for the controllers of each provider:
// each keeps other parts of the same objects in its cache.
func run(ctx context.Context, opts options, gates string) error {
	if err := feature.MutableGates.Set(gates); err != nil {
		return fmt.Errorf("set the feature gates: %w", err)
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("read the kubeconfig: %w", err)
	}
	config.QPS = -1 // No limit: the server is ours alone.

	var setups []func(context.Context, *rest.Config, options) (ctrl.Manager, error)
	if opts.webhookPort != 0 {
		setups = append(setups, newWebhookManager)
	}
	if opts.controllers {
		setups = append(setups, newCoreManager, newBootstrapManager, newControlPlaneManager)
	}
	if len(setups) == 0 {
		return errors.New("nothing to run: set --webhook-port or --controllers")
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, setup := range setups {
		mgr, err := setup(ctx, config, opts)
		if err != nil {
			return err
		}
		group.Go(func() error { return mgr.Start(ctx) })
	}
	return group.Wait()
}

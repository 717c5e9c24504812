// Command dev runs what the manager of Cluster API's development provider runs for clusters and machines in memory: its admission webhooks, its
// controllers, or both. API servers and etcd of the clusters are fakes of the provider, and no container is started.
//
// It listens on 127.0.0.1 only; internal/admission has the change of the provider's code that this needs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/feature"
	infrav1beta1 "sigs.k8s.io/cluster-api/test/infrastructure/docker/api/v1beta1"
	infrav1 "sigs.k8s.io/cluster-api/test/infrastructure/docker/api/v1beta2"
	"sigs.k8s.io/cluster-api/test/infrastructure/docker/webhooks"
	cloudv1 "sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/cloud/api/v1alpha1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// host is where everything listens.
const host = "127.0.0.1"

// syncPeriod is the default of the provider's flag.
const syncPeriod = 10 * time.Minute

// options say what the program runs.
type options struct {
	webhookPort int
	certDir     string
	controllers bool
	// ports is the first of the ports, for debugging. Tenants have those behind it.
	ports int
}

func main() {
	var opts options
	flag.IntVar(&opts.webhookPort, "webhook-port", 0, "port to serve webhooks on (default none are served)")
	flag.StringVar(&opts.certDir, "webhook-cert-dir", "", "directory of tls.crt and tls.key")
	flag.BoolVar(&opts.controllers, "controllers", false, "run the controllers")
	flag.IntVar(&opts.ports, "tenant-ports", 20000, "port for debugging; the API servers of tenants have the ports behind it")
	gates := flag.String("feature-gates", "", "feature gates, as Gate=true,...")
	flag.Parse() // Also the flag --kubeconfig, which controller-runtime defines.
	ctrl.SetLogger(klog.Background())

	if err := run(ctrl.SetupSignalHandler(), opts, *gates); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, opts options, gates string) error {
	if opts.webhookPort == 0 && !opts.controllers {
		return errors.New("nothing to run: set --webhook-port or --controllers")
	}
	if err := feature.MutableGates.Set(gates); err != nil {
		return fmt.Errorf("set the feature gates: %w", err)
	}
	scheme, err := newScheme(clientgoscheme.AddToScheme, apiextensionsv1.AddToScheme, infrav1beta1.AddToScheme, infrav1.AddToScheme, clusterv1.AddToScheme)
	if err != nil {
		return err
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("read the kubeconfig: %w", err)
	}
	config.QPS = -1 // No limit: the server is ours alone.
	period := syncPeriod
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		Cache:   cache.Options{SyncPeriod: &period},
		Client: client.Options{Cache: &client.CacheOptions{
			DisableFor:   []client.Object{&corev1.ConfigMap{}, &corev1.Secret{}},
			Unstructured: true,
		}},
		WebhookServer: webhook.NewServer(webhook.Options{Host: host, Port: opts.webhookPort, CertDir: opts.certDir}),
	})
	if err != nil {
		return fmt.Errorf("create the manager: %w", err)
	}
	if opts.webhookPort != 0 {
		if err := setUpWebhooks(mgr); err != nil {
			return err
		}
	}
	if opts.controllers {
		if err := setUpControllers(ctx, mgr, int32(opts.ports)); err != nil {
			return err
		}
	}
	return mgr.Start(ctx)
}

// setUpWebhooks adds the webhooks that the main package of the provider adds.
func setUpWebhooks(mgr ctrl.Manager) error {
	for _, hook := range []interface {
		SetupWebhookWithManager(mgr ctrl.Manager) error
	}{
		&webhooks.DockerMachine{}, &webhooks.DockerMachineTemplate{}, &webhooks.DockerCluster{}, &webhooks.DockerClusterTemplate{},
		&webhooks.DevMachine{}, &webhooks.DevMachineTemplate{}, &webhooks.DevCluster{}, &webhooks.DevClusterTemplate{},
	} {
		if err := hook.SetupWebhookWithManager(mgr); err != nil {
			return fmt.Errorf("set up %T: %w", hook, err)
		}
	}
	return nil
}

// newTenantScheme knows the types of objects in the clusters in memory.
func newTenantScheme() (*runtime.Scheme, error) {
	return newScheme(cloudv1.AddToScheme, corev1.AddToScheme, appsv1.AddToScheme, rbacv1.AddToScheme, storagev1.AddToScheme,
		apiextensionsv1.AddToScheme, policyv1.AddToScheme)
}

func newScheme(adders ...func(*runtime.Scheme) error) (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	for _, add := range adders {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("create the scheme: %w", err)
		}
	}
	return scheme, nil
}

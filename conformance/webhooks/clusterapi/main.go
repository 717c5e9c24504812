// Command clusterapi serves the admission webhooks of Cluster API, without its controllers, on 127.0.0.1.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	addonsv1beta1 "sigs.k8s.io/cluster-api/api/addons/v1beta1"
	addonsv1 "sigs.k8s.io/cluster-api/api/addons/v1beta2"
	bootstrapv1beta1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta1"
	bootstrapv1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	controlplanev1beta1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta1"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	clusterv1beta1 "sigs.k8s.io/cluster-api/api/core/v1beta1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1alpha1 "sigs.k8s.io/cluster-api/api/ipam/v1alpha1"
	ipamv1beta1 "sigs.k8s.io/cluster-api/api/ipam/v1beta1"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	runtimev1alpha1 "sigs.k8s.io/cluster-api/api/runtime/v1alpha1"
	runtimev1 "sigs.k8s.io/cluster-api/api/runtime/v1beta2"
	bootstrapadmission "sigs.k8s.io/cluster-api/bootstrap/kubeadm/webhooks/admission"
	controlplaneadmission "sigs.k8s.io/cluster-api/controlplane/kubeadm/webhooks/admission"
	coreadmission "sigs.k8s.io/cluster-api/core/webhooks/admission"
	"sigs.k8s.io/cluster-api/feature"
	"sigs.k8s.io/cluster-api/util/index"
)

func main() {
	port := flag.Int("webhook-port", 0, "port to serve on")
	certDir := flag.String("webhook-cert-dir", "", "directory of tls.crt and tls.key")
	gates := flag.String("feature-gates", "", "feature gates, as Gate=true,...")
	flag.Parse() // Also the flag --kubeconfig, which controller-runtime defines.
	ctrl.SetLogger(klog.Background())

	if err := run(ctrl.SetupSignalHandler(), *port, *certDir, *gates); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, port int, certDir, gates string) error {
	if err := feature.MutableGates.Set(gates); err != nil {
		return fmt.Errorf("set the feature gates: %w", err)
	}
	scheme, err := newScheme()
	if err != nil {
		return err
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
	if err := index.AddDefaultIndexes(ctx, mgr); err != nil {
		return fmt.Errorf("add the indexes: %w", err)
	}
	for _, hook := range admissionWebhooks(mgr) {
		if err := hook.SetupWebhookWithManager(mgr); err != nil {
			return fmt.Errorf("set up %T: %w", hook, err)
		}
	}
	return mgr.Start(ctx)
}

// newScheme knows the types of Kubernetes and of Cluster API, the old versions too:
// a webhook is not set up without all versions its kind can be converted to.
func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	builder := runtime.NewSchemeBuilder(
		clientgoscheme.AddToScheme,
		addonsv1.AddToScheme,
		addonsv1beta1.AddToScheme,
		bootstrapv1.AddToScheme,
		bootstrapv1beta1.AddToScheme,
		clusterv1.AddToScheme,
		clusterv1beta1.AddToScheme,
		controlplanev1.AddToScheme,
		controlplanev1beta1.AddToScheme,
		ipamv1.AddToScheme,
		ipamv1alpha1.AddToScheme,
		ipamv1beta1.AddToScheme,
		runtimev1.AddToScheme,
		runtimev1alpha1.AddToScheme,
	)
	if err := builder.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("create the scheme: %w", err)
	}
	return scheme, nil
}

// admissionWebhook is what every webhook of Cluster API has.
type admissionWebhook interface {
	SetupWebhookWithManager(mgr ctrl.Manager) error
}

// admissionWebhooks returns what the main packages of the three providers register.
func admissionWebhooks(mgr ctrl.Manager) []admissionWebhook {
	return []admissionWebhook{
		&coreadmission.Cluster{Client: mgr.GetClient(), ClusterCacheReader: noWorkloadClusters{}},
		&coreadmission.ClusterClass{Client: mgr.GetClient()},
		&coreadmission.ClusterResourceSet{},
		&coreadmission.ClusterResourceSetBinding{},
		&coreadmission.ExtensionConfig{},
		&coreadmission.IPAddress{Client: mgr.GetAPIReader()},
		&coreadmission.IPAddressClaim{},
		&coreadmission.Machine{},
		&coreadmission.MachineDeployment{},
		&coreadmission.MachineDrainRule{},
		&coreadmission.MachineHealthCheck{},
		&coreadmission.MachinePool{},
		&coreadmission.MachineSet{},
		&bootstrapadmission.KubeadmConfig{},
		&bootstrapadmission.KubeadmConfigTemplate{},
		&controlplaneadmission.KubeadmControlPlane{},
		&controlplaneadmission.KubeadmControlPlaneTemplate{},
		&controlplaneadmission.ScaleValidator{Client: mgr.GetClient()},
	}
}

// noWorkloadClusters stands in for the connections to workload clusters, of which there are none.
type noWorkloadClusters struct{}

func (noWorkloadClusters) GetReader(context.Context, client.ObjectKey) (client.Reader, error) {
	return nil, errors.New("no workload cluster is running")
}

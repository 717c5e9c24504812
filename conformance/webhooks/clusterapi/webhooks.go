package main

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/client-go/rest"
	bootstrapadmission "sigs.k8s.io/cluster-api/bootstrap/kubeadm/webhooks/admission"
	controlplaneadmission "sigs.k8s.io/cluster-api/controlplane/kubeadm/webhooks/admission"
	coreadmission "sigs.k8s.io/cluster-api/core/webhooks/admission"
	"sigs.k8s.io/cluster-api/util/index"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// newWebhookManager returns a manager that serves the webhooks of all three providers, and converts versions of their kinds.
func newWebhookManager(ctx context.Context, config *rest.Config, opts options) (ctrl.Manager, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host:    "127.0.0.1",
			Port:    opts.webhookPort,
			CertDir: opts.certDir,
		}),
	})
	if err != nil {
		return nil, fmt.Errorf("create the manager: %w", err)
	}
	if err := index.AddDefaultIndexes(ctx, mgr); err != nil {
		return nil, fmt.Errorf("add the indexes: %w", err)
	}
	setUpConversion(mgr.GetAPIReader())
	for _, hook := range admissionWebhooks(mgr) {
		if err := hook.SetupWebhookWithManager(mgr); err != nil {
			return nil, fmt.Errorf("set up %T: %w", hook, err)
		}
	}
	return mgr, nil
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

// noWorkloadClusters stands in for the connections to workload clusters: the webhook of Cluster asks for them
// only when the version of a topology changes.
type noWorkloadClusters struct{}

func (noWorkloadClusters) GetReader(context.Context, client.ObjectKey) (client.Reader, error) {
	return nil, errors.New("no workload cluster is running")
}

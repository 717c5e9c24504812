package main

import (
	"context"
	"fmt"
	"time"

	"go.uber.org/zap"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/reconcilers/kubeadmconfig"
	bootstrapsetup "sigs.k8s.io/cluster-api/bootstrap/kubeadm/setup"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/cluster-api/controlplane/kubeadm/reconcilers/kubeadmcontrolplane"
	controlplanesetup "sigs.k8s.io/cluster-api/controlplane/kubeadm/setup"
	coresetup "sigs.k8s.io/cluster-api/core/setup"
	"sigs.k8s.io/cluster-api/feature"
	"sigs.k8s.io/cluster-api/util/index"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// Defaults of the flags of the release's managers.
const (
	syncPeriod                  = 10 * time.Minute
	clusterCacheQPS             = 20
	clusterCacheBurst           = 30
	remoteConnectionGracePeriod = 50 * time.Second
	remoteConditionsGracePeriod = 5 * time.Minute
	tokenTTL                    = 15 * time.Minute
	etcdDialTimeout             = 10 * time.Second
	etcdCallTimeout             = 15 * time.Second
)

// concurrency is enough for the few tenants of a check.
var concurrency = controller.Options{MaxConcurrentReconciles: 10}

// newCoreManager returns a manager with the controllers of the core provider.
func newCoreManager(ctx context.Context, restConfig *rest.Config, _ options) (ctrl.Manager, error) {
	const name = "cluster-api-controller-manager"
	mgr, err := newManager(restConfig, name, func(o *ctrl.Options) {
		o.Cache = coresetup.ManagerCacheOptions(o.Scheme, name, "", syncPeriod)
		o.Client = coresetup.ManagerClientOptions()
	})
	if err != nil {
		return nil, err
	}
	if err := index.AddDefaultIndexes(ctx, mgr); err != nil {
		return nil, fmt.Errorf("add the indexes: %w", err)
	}
	_, clusters, err := connect(ctx, mgr, clustercache.Options{
		Cache:  coresetup.ClusterCacheCacheOptions(),
		Client: coresetup.ClusterCacheClientOptions(name, clusterCacheQPS, clusterCacheBurst),
	})
	if err != nil {
		return nil, err
	}
	return mgr, setUpCoreControllers(ctx, mgr, clusters)
}

// newBootstrapManager returns a manager with the controller of the kubeadm bootstrap provider.
func newBootstrapManager(ctx context.Context, restConfig *rest.Config, _ options) (ctrl.Manager, error) {
	const name = "kubeadm-bootstrap-manager"
	mgr, err := newManager(restConfig, name, func(o *ctrl.Options) {
		o.Cache = bootstrapsetup.ManagerCacheOptions(o.Scheme, name, "", syncPeriod)
		o.Client = bootstrapsetup.ManagerClientOptions()
	})
	if err != nil {
		return nil, err
	}
	secrets, clusters, err := connect(ctx, mgr, clustercache.Options{
		Cache:  bootstrapsetup.ClusterCacheCacheOptions(),
		Client: bootstrapsetup.ClusterCacheClientOptions(name, clusterCacheQPS, clusterCacheBurst),
	})
	if err != nil {
		return nil, err
	}
	return mgr, (&kubeadmconfig.Reconciler{
		Client:              mgr.GetClient(),
		SecretCachingClient: secrets,
		APIReader:           mgr.GetAPIReader(),
		ClusterCache:        clusters,
		TokenTTL:            tokenTTL,
	}).SetupWithManager(ctx, mgr, concurrency)
}

// newControlPlaneManager returns a manager with the controller of the kubeadm control plane provider.
func newControlPlaneManager(ctx context.Context, restConfig *rest.Config, _ options) (ctrl.Manager, error) {
	const name = "kubeadm-control-plane-manager"
	mgr, err := newManager(restConfig, name, func(o *ctrl.Options) {
		o.Cache = controlplanesetup.ManagerCacheOptions(o.Scheme, name, "", syncPeriod)
		o.Client = controlplanesetup.ManagerClientOptions()
	})
	if err != nil {
		return nil, err
	}
	secrets, clusters, err := connect(ctx, mgr, clustercache.Options{
		Cache:  controlplanesetup.ClusterCacheCacheOptions(),
		Client: controlplanesetup.ClusterCacheClientOptions(name, clusterCacheQPS, clusterCacheBurst),
	})
	if err != nil {
		return nil, err
	}
	return mgr, (&kubeadmcontrolplane.Reconciler{
		Client:                      mgr.GetClient(),
		APIReader:                   mgr.GetAPIReader(),
		SecretCachingClient:         secrets,
		ClusterCache:                clusters,
		EtcdDialTimeout:             etcdDialTimeout,
		EtcdCallTimeout:             etcdCallTimeout,
		EtcdLogger:                  zap.NewNop(),
		RemoteConditionsGracePeriod: remoteConditionsGracePeriod,
	}).SetupWithManager(ctx, mgr, concurrency)
}

// newManager returns a manager without any server. The releases' managers are three programs, so names of controllers repeat here.
func newManager(restConfig *rest.Config, name string, configure func(*ctrl.Options)) (ctrl.Manager, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	o := ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		Controller: config.Controller{
			SkipNameValidation: ptr.To(true),
			UsePriorityQueue:   ptr.To(feature.Gates.Enabled(feature.PriorityQueue)),
		},
	}
	configure(&o)
	restConfig = rest.CopyConfig(restConfig)
	restConfig.UserAgent = name
	mgr, err := ctrl.NewManager(restConfig, o)
	if err != nil {
		return nil, fmt.Errorf("create the manager %s: %w", name, err)
	}
	return mgr, nil
}

// connect adds the connections to workload clusters to a manager. It also returns the client by which their kubeconfigs are read.
func connect(ctx context.Context, mgr ctrl.Manager, o clustercache.Options) (client.Client, clustercache.ClusterCache, error) {
	secrets, err := coresetup.CreateSecretCachingClient(mgr)
	if err != nil {
		return nil, nil, fmt.Errorf("create the client for Secrets: %w", err)
	}
	o.SecretClient = secrets
	clusters, err := clustercache.SetupWithManager(ctx, mgr, o, concurrency)
	if err != nil {
		return nil, nil, fmt.Errorf("create the connections to workload clusters: %w", err)
	}
	return secrets, clusters, nil
}

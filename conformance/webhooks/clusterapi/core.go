package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/cluster-api/core/reconcilers/cluster"
	"sigs.k8s.io/cluster-api/core/reconcilers/clusterclass"
	"sigs.k8s.io/cluster-api/core/reconcilers/clusterresourceset"
	"sigs.k8s.io/cluster-api/core/reconcilers/clusterresourcesetbinding"
	"sigs.k8s.io/cluster-api/core/reconcilers/machine"
	"sigs.k8s.io/cluster-api/core/reconcilers/machinedeployment"
	"sigs.k8s.io/cluster-api/core/reconcilers/machinehealthcheck"
	"sigs.k8s.io/cluster-api/core/reconcilers/machinepool"
	"sigs.k8s.io/cluster-api/core/reconcilers/machineset"
	topologycluster "sigs.k8s.io/cluster-api/core/reconcilers/topology/cluster"
	topologymachinedeployment "sigs.k8s.io/cluster-api/core/reconcilers/topology/machinedeployment"
	topologymachineset "sigs.k8s.io/cluster-api/core/reconcilers/topology/machineset"
	"sigs.k8s.io/cluster-api/feature"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/controller"
)

// reconciler is what every controller of the core provider has, but that of ClusterResourceSet.
type reconciler interface {
	SetupWithManager(ctx context.Context, mgr ctrl.Manager, options controller.Options) error
}

// setUpCoreControllers adds what the main package of the core provider adds, with the defaults of its flags. Left out are
// runtime extensions, which need a server, and the migration of stored versions, of which a new API server has one each.
func setUpCoreControllers(ctx context.Context, mgr ctrl.Manager, clusters clustercache.ClusterCache) error {
	reconcilers := []reconciler{
		&cluster.Reconciler{
			Client:                      mgr.GetClient(),
			APIReader:                   mgr.GetAPIReader(),
			ClusterCache:                clusters,
			RemoteConnectionGracePeriod: remoteConnectionGracePeriod,
		},
		&machine.Reconciler{
			Client:                      mgr.GetClient(),
			APIReader:                   mgr.GetAPIReader(),
			ClusterCache:                clusters,
			RemoteConditionsGracePeriod: remoteConditionsGracePeriod,
		},
		&machineset.Reconciler{
			Client:          mgr.GetClient(),
			APIReader:       mgr.GetAPIReader(),
			ClusterCache:    clusters,
			PreflightChecks: sets.New(clusterv1.MachineSetPreflightCheckAll),
		},
		&machinedeployment.Reconciler{Client: mgr.GetClient(), APIReader: mgr.GetAPIReader()},
		&machinehealthcheck.Reconciler{Client: mgr.GetClient(), ClusterCache: clusters},
		&clusterresourcesetbinding.Reconciler{Client: mgr.GetClient()},
	}
	if feature.Gates.Enabled(feature.MachinePool) {
		reconcilers = append(reconcilers,
			&machinepool.Reconciler{Client: mgr.GetClient(), APIReader: mgr.GetAPIReader(), ClusterCache: clusters})
	}
	if feature.Gates.Enabled(feature.ClusterTopology) {
		reconcilers = append(reconcilers,
			&clusterclass.Reconciler{Client: mgr.GetClient()},
			&topologycluster.Reconciler{Client: mgr.GetClient(), APIReader: mgr.GetAPIReader(), ClusterCache: clusters},
			&topologymachinedeployment.Reconciler{Client: mgr.GetClient(), APIReader: mgr.GetAPIReader()},
			&topologymachineset.Reconciler{Client: mgr.GetClient(), APIReader: mgr.GetAPIReader()},
		)
	}
	for _, r := range reconcilers {
		if err := r.SetupWithManager(ctx, mgr, concurrency); err != nil {
			return fmt.Errorf("set up %T: %w", r, err)
		}
	}
	return setUpResourceSets(ctx, mgr, clusters)
}

// setUpResourceSets adds the controller of ClusterResourceSet, which watches the metadata of all Secrets:
// the cache of the manager has only those with the label of a cluster.
func setUpResourceSets(ctx context.Context, mgr ctrl.Manager, clusters clustercache.ClusterCache) error {
	secrets, err := cache.New(mgr.GetConfig(), cache.Options{
		Scheme:           mgr.GetScheme(),
		Mapper:           mgr.GetRESTMapper(),
		HTTPClient:       mgr.GetHTTPClient(),
		SyncPeriod:       ptr.To(syncPeriod),
		DefaultTransform: cache.TransformStripManagedFields(),
	})
	if err != nil {
		return fmt.Errorf("create the cache of Secrets: %w", err)
	}
	if err := mgr.Add(secrets); err != nil {
		return fmt.Errorf("add the cache of Secrets: %w", err)
	}
	return (&clusterresourceset.Reconciler{Client: mgr.GetClient(), ClusterCache: clusters}).SetupWithManager(ctx, mgr, concurrency, secrets)
}

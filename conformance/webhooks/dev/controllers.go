package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/cluster-api/test/infrastructure/container"
	"sigs.k8s.io/cluster-api/test/infrastructure/docker/controllers"
	inmemory "sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/runtime"
	"sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/server"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
)

// concurrency is the default of the provider's flags.
var concurrency = controller.Options{MaxConcurrentReconciles: 10}

// tenantPorts is how many clusters there can be.
const tenantPorts = 499

// setUpControllers adds the controllers of DevCluster and DevMachine. Containers are those of upstream's tests, which do nothing: clusters with
// the docker backend never come up.
func setUpControllers(ctx context.Context, mgr ctrl.Manager, firstPort int32) error {
	containers, err := container.NewFakeClient()
	if err != nil {
		return fmt.Errorf("create the fake of containers: %w", err)
	}
	secrets, err := client.New(mgr.GetConfig(), client.Options{
		HTTPClient: mgr.GetHTTPClient(), Cache: &client.CacheOptions{Reader: mgr.GetCache()},
	})
	if err != nil {
		return fmt.Errorf("create the client for Secrets: %w", err)
	}
	clusters, err := clustercache.SetupWithManager(ctx, mgr, clustercache.Options{
		SecretClient: secrets,
		Client: clustercache.ClientOptions{
			UserAgent: "cluster-api-docker-controller-manager",
			Cache:     clustercache.ClientCacheOptions{DisableFor: []client.Object{&corev1.ConfigMap{}, &corev1.Secret{}}},
		},
	}, concurrency)
	if err != nil {
		return fmt.Errorf("create the connections to workload clusters: %w", err)
	}
	scheme, err := newTenantScheme()
	if err != nil {
		return err
	}
	memory := inmemory.NewManager(scheme)
	if err := memory.Start(ctx); err != nil {
		return fmt.Errorf("start the store of tenants: %w", err)
	}
	servers, err := server.NewWorkloadClustersMux(memory, host, server.CustomPorts{
		DebugPort: firstPort, MinPort: firstPort + 1, MaxPort: firstPort + tenantPorts,
	})
	if err != nil {
		return fmt.Errorf("create the servers of tenants: %w", err)
	}
	if err := (&controllers.DevClusterReconciler{
		Client: mgr.GetClient(), ContainerRuntime: containers, InMemoryManager: memory, APIServerMux: servers,
	}).SetupWithManager(ctx, mgr, concurrency); err != nil {
		return fmt.Errorf("set up the controller of DevCluster: %w", err)
	}
	if err := (&controllers.DevMachineReconciler{
		Client: mgr.GetClient(), ContainerRuntime: containers, ClusterCache: clusters, InMemoryManager: memory, APIServerMux: servers,
	}).SetupWithManager(ctx, mgr, concurrency); err != nil {
		return fmt.Errorf("set up the controller of DevMachine: %w", err)
	}
	return nil
}

package main

import (
	"context"
	"fmt"

	"sigs.k8s.io/cluster-api-provider-kubevirt/controllers"
	"sigs.k8s.io/cluster-api-provider-kubevirt/pkg/infracluster"
	"sigs.k8s.io/cluster-api-provider-kubevirt/pkg/kubevirt"
	"sigs.k8s.io/cluster-api-provider-kubevirt/pkg/workloadcluster"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
)

// concurrency is the default of the provider's flag.
const concurrency = 10

// setUpControllers adds what the main package of the provider adds.
func setUpControllers(ctx context.Context, mgr ctrl.Manager) error {
	// Virtual machines are read without a cache: the provider may not list them.
	uncached, err := client.New(mgr.GetConfig(), client.Options{Scheme: mgr.GetScheme()})
	if err != nil {
		return fmt.Errorf("create the client without a cache: %w", err)
	}
	infraCluster := infracluster.New(mgr.GetClient(), uncached)
	if err := (&controllers.KubevirtMachineReconciler{
		Client:          mgr.GetClient(),
		InfraCluster:    infraCluster,
		WorkloadCluster: workloadcluster.New(mgr.GetClient()),
		MachineFactory:  kubevirt.DefaultMachineFactory{},
	}).SetupWithManager(
		ctx, mgr, controller.Options{MaxConcurrentReconciles: concurrency}, ctrl.Log.WithName("KubevirtMachine"),
	); err != nil {
		return fmt.Errorf("set up the controller of KubevirtMachine: %w", err)
	}
	if err := (&controllers.KubevirtClusterReconciler{
		Client:       mgr.GetClient(),
		APIReader:    mgr.GetAPIReader(),
		InfraCluster: infraCluster,
		Log:          ctrl.Log.WithName("KubevirtCluster"),
	}).SetupWithManager(ctx, mgr); err != nil {
		return fmt.Errorf("set up the controller of KubevirtCluster: %w", err)
	}
	return nil
}

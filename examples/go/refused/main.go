// A page with two mistakes: it prints what is wrong with it, and no stack.
package main

import (
	"fmt"
	"os"

	"github.com/aws/jsii-runtime-go"
	capi "github.com/cdk8s-cluster-api/cdk8s-cluster-api-go/cdk8sclusterapi"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
)

func main() {
	defer jsii.Close()
	app := capi.NewGitOpsApp(nil)
	acme := capi.NewTenantCluster(app, jsii.String("acme"), &capi.TenantClusterProps{
		Namespace:         jsii.String("tenant-acme"),
		KubernetesVersion: jsii.String("1.34.1"),
		ControlPlane:      capi.NewKamajiControlPlane(&capi.KamajiControlPlaneProps{Replicas: jsii.Number(-1), DataStore: jsii.String("default")}),
		Infrastructure: capi.NewKubevirtInfrastructure(&capi.KubevirtInfrastructureProps{
			CloudControllerManager: capi.KubevirtCloudControllerManager_Of(&capi.KubevirtCloudControllerManagerOptions{
				LoadBalancers: capi.KubevirtLoadBalancers_None(),
			}),
		}),
		Cni:      capi.NewCilium(nil),
		Delivery: capi.NewFluxDelivery(nil),
	})
	acme.AddNodePool(jsii.String("general"), &capi.NodePoolProps{
		Machine: capi.NewKubevirtMachine(&capi.KubevirtMachineProps{
			Cpu:      jsii.Number(4),
			Memory:   cdk8s.Size_Gibibytes(jsii.Number(16)),
			RootDisk: capi.RootDisk_ContainerDisk(&capi.ContainerDiskOptions{Image: jsii.String("quay.io/capk/ubuntu-2404-container-disk:v1.34.1")}),
		}),
		Size: capi.PoolSize_Between(jsii.Number(5), jsii.Number(2), nil),
	})

	if err := synth(app); err != nil {
		fmt.Fprintln(os.Stderr, err)
		jsii.Close()
		os.Exit(1)
	}
}

// synth returns what the library refuses as an error: jsii panics with it.
func synth(app cdk8s.App) (err error) {
	defer func() {
		if refused := recover(); refused != nil {
			err = fmt.Errorf("%v", refused)
		}
	}()
	app.Synth()
	return nil
}

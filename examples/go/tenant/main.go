package main

import (
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
	capi "github.com/cdk8s-cluster-api/cdk8s-cluster-api-go/cdk8sclusterapi"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
	"github.com/cdk8s-team/cdk8s-plus-go/cdk8splus28/v2"
)

func addTenant(scope constructs.Construct) capi.TenantCluster {
	hall := capi.NewImportedManagementCluster(&capi.ImportedManagementClusterProps{
		PodCidrs:      jsii.Strings("10.244.0.0/16"),
		ServiceCidrs:  jsii.Strings("10.96.0.0/16"),
		NodeCidrs:     jsii.Strings("192.168.100.0/24"),
		NetworkPlugin: capi.ManagementNetworkPlugin_CALICO(),
		DataStorePeers: &map[string]*[]capi.IsolationPeer{
			"default": {capi.IsolationPeer_Pods(&capi.IsolationPodsOptions{
				Namespace: jsii.String("kamaji-system"),
				Ports:     &[]capi.IsolationPort{capi.IsolationPort_Tcp(jsii.Number(2379))},
			})},
		},
	})

	acme := capi.NewTenantCluster(scope, jsii.String("acme"), &capi.TenantClusterProps{
		Namespace:         jsii.String("tenant-acme"),
		KubernetesVersion: jsii.String("1.34.1"),
		ControlPlane:      capi.NewKamajiControlPlane(&capi.KamajiControlPlaneProps{Replicas: jsii.Number(2), DataStore: jsii.String("default")}),
		Infrastructure: capi.NewKubevirtInfrastructure(&capi.KubevirtInfrastructureProps{
			StorageClasses: &[]*capi.KubevirtStorageClass{{
				Name:       jsii.String("fast"),
				InfraClass: jsii.String("replicated"),
				IsDefault:  jsii.Bool(true),
				SnapshotClasses: &[]*capi.KubevirtSnapshotClass{{
					Name: jsii.String("fast"), InfraClass: jsii.String("replicated"), IsDefault: jsii.Bool(true),
				}},
			}},
			CsiDriver: capi.KubevirtCsiDriver_Of(&capi.KubevirtCsiDriverOptions{
				Image: jsii.String("registry.example.com/platform/kubevirt-csi-driver:27b52aa2"),
			}),
		}),
		Cni:               capi.NewCilium(nil),
		Delivery:          capi.NewFluxDelivery(nil),
		Isolation:         capi.NewTenantIsolation(nil),
		ManagementCluster: hall,
	})

	acme.AddNodePool(jsii.String("general"), &capi.NodePoolProps{
		Machine: capi.NewKubevirtMachine(&capi.KubevirtMachineProps{
			Cpu:      jsii.Number(4),
			Memory:   cdk8s.Size_Gibibytes(jsii.Number(16)),
			RootDisk: capi.RootDisk_ContainerDisk(&capi.ContainerDiskOptions{Image: jsii.String("quay.io/capk/ubuntu-2404-container-disk:v1.34.1")}),
		}),
		Size: capi.PoolSize_Between(jsii.Number(1), jsii.Number(10), nil),
	})
	acme.AddNodePool(jsii.String("ingress"), &capi.NodePoolProps{
		Machine: capi.NewKubevirtMachine(&capi.KubevirtMachineProps{
			Cpu:    jsii.Number(2),
			Memory: cdk8s.Size_Gibibytes(jsii.Number(4)),
			RootDisk: capi.RootDisk_Registry(&capi.RegistryDiskOptions{
				Url:          jsii.String("docker://quay.io/capk/ubuntu-2404-container-disk:v1.34.1"),
				Size:         cdk8s.Size_Gibibytes(jsii.Number(20)),
				StorageClass: jsii.String("replicated"),
			}),
		}),
		Size:   capi.PoolSize_Fixed(jsii.Number(2)),
		Labels: &map[string]*string{"node-role.kubernetes.io/ingress": jsii.String("")},
	})

	acme.AddAddon(capi.NewMetricsServer(nil))
	acme.AddAddon(capi.NewCertManager(nil))
	acme.AddAddon(capi.NewSnapshotController(nil))

	// Constructs of any library, delivered into the tenant after the addons.
	cdk8splus28.NewNamespace(acme.Workloads(), jsii.String("team-a"), &cdk8splus28.NamespaceProps{
		Metadata: &cdk8s.ApiObjectMetadata{Name: jsii.String("team-a")},
	})
	return acme
}

func main() {
	defer jsii.Close()
	app := capi.NewGitOpsApp(&capi.GitOpsAppProps{
		EntryPoints: capi.NewFluxEntryPoints(&capi.FluxEntryPointsProps{SourceName: jsii.String("flux-system"), Path: jsii.String("dist")}),
	})
	addTenant(app)
	app.Synth()
}

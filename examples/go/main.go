package main

import (
	"github.com/aws/jsii-runtime-go"
	"github.com/cdk8s-cluster-api/cdk8s-cluster-api-go/cdk8sclusterapi"
	"github.com/cdk8s-cluster-api/cdk8s-cluster-api-go/cdk8sclusterapi/blueprints"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
	"github.com/cdk8s-team/cdk8s-plus-go/cdk8splus28/v2"
)

func main() {
	defer jsii.Close()
	app := cdk8sclusterapi.NewGitOpsApp(&cdk8sclusterapi.GitOpsAppProps{
		EntryPoints: cdk8sclusterapi.NewFluxEntryPoints(&cdk8sclusterapi.FluxEntryPointsProps{
			SourceName: jsii.String("flux-system"),
			Path:       jsii.String("dist"),
		}),
	})

	// Your management cluster: ranges, network plug-in, and the etcd behind Kamaji's DataStore.
	hall := cdk8sclusterapi.NewImportedManagementCluster(&cdk8sclusterapi.ImportedManagementClusterProps{
		PodCidrs:      jsii.Strings("10.244.0.0/16"),
		ServiceCidrs:  jsii.Strings("10.96.0.0/16"),
		NodeCidrs:     jsii.Strings("192.168.100.0/24"),
		NetworkPlugin: cdk8sclusterapi.ManagementNetworkPlugin_CALICO(),
		DataStorePeers: &map[string]*[]cdk8sclusterapi.IsolationPeer{
			"default": {cdk8sclusterapi.IsolationPeer_Pods(&cdk8sclusterapi.IsolationPodsOptions{
				Namespace: jsii.String("kamaji-system"),
				Ports:     &[]cdk8sclusterapi.IsolationPort{cdk8sclusterapi.IsolationPort_Tcp(jsii.Number(2379))},
			})},
		},
	})

	acme := blueprints.NewDiyCloud(app, jsii.String("acme"), &blueprints.DiyCloudProps{
		Namespace:          jsii.String("tenant-acme"),
		KubernetesVersion:  jsii.String("1.34.1"),
		ManagementCluster:  hall,
		DataStore:          jsii.String("default"),
		NodeImage:          jsii.String("quay.io/capk/ubuntu-2404-container-disk:v1.34.1"),
		InfraStorageClass:  jsii.String("replicated"),
		InfraSnapshotClass: jsii.String("replicated"),
		CsiDriverImage:     jsii.String("registry.example.com/platform/kubevirt-csi-driver:27b52aa2"),
	})

	// Constructs of any library, delivered into the tenant after the addons.
	cdk8splus28.NewNamespace(acme.Workloads(), jsii.String("team-a"), &cdk8splus28.NamespaceProps{
		Metadata: &cdk8s.ApiObjectMetadata{Name: jsii.String("team-a")},
	})

	app.Synth()
}

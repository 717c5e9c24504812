// An addon as a type, in a fleet whose clusters have the same profile.
package main

import (
	"github.com/aws/jsii-runtime-go"
	capi "github.com/cdk8s-cluster-api/cdk8s-cluster-api-go/cdk8sclusterapi"
	"github.com/cdk8s-cluster-api/cdk8s-cluster-api-go/cdk8sclusterapi/l1/certmanager"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
)

type letsEncrypt struct {
	capi.ManifestAddon
	email *string
}

func newLetsEncrypt(email *string) capi.Addon {
	addon := &letsEncrypt{email: email}
	capi.NewManifestAddon_Override(addon, jsii.String("lets-encrypt"), &capi.ManifestAddonProps{
		Requires: &[]*string{capi.AddonCapability_CERTIFICATES()},
	})
	return addon
}

// Define is called by the library, once for each cluster.
func (addon *letsEncrypt) Define(tenant cdk8s.Chart, context *capi.ClusterContext) {
	certmanager.NewClusterIssuer(tenant, jsii.String("issuer"), &certmanager.ClusterIssuerProps{
		Metadata: &cdk8s.ApiObjectMetadata{Name: jsii.String("lets-encrypt")},
		Spec: &certmanager.IssuerSpec{
			Acme: &certmanager.IssuerSpecAcme{
				Server:              jsii.String("https://acme-v02.api.letsencrypt.org/directory"),
				Email:               addon.email,
				PrivateKeySecretRef: &certmanager.IssuerSpecAcmePrivateKeySecretRef{Name: jsii.String("lets-encrypt-account")},
				Solvers: &[]*certmanager.IssuerSpecAcmeSolvers{{
					Http01: &certmanager.IssuerSpecAcmeSolversHttp01{
						Ingress: &certmanager.IssuerSpecAcmeSolversHttp01Ingress{IngressClassName: jsii.String("traefik")},
					},
				}},
			},
		},
	})
}

type standard struct {
	hall capi.IManagementCluster
}

func (profile *standard) Props(cluster capi.FleetCluster) *capi.TenantClusterOptions {
	return &capi.TenantClusterOptions{
		ControlPlane:      capi.NewKamajiControlPlane(&capi.KamajiControlPlaneProps{DataStore: jsii.String("default")}),
		Infrastructure:    capi.NewKubevirtInfrastructure(nil),
		Cni:               capi.NewCilium(nil),
		Delivery:          capi.NewFluxDelivery(nil),
		Isolation:         capi.NewTenantIsolation(nil),
		ManagementCluster: profile.hall,
		PodCidrs:          cluster.Cidrs(jsii.String("podCidrs"), nil),
	}
}

func (profile *standard) Populate(tenant capi.TenantCluster, cluster capi.FleetCluster) {
	tenant.AddNodePool(jsii.String("general"), &capi.NodePoolProps{
		Machine: capi.NewKubevirtMachine(&capi.KubevirtMachineProps{
			Cpu:    jsii.Number(4),
			Memory: cdk8s.Size_Gibibytes(jsii.Number(16)),
			RootDisk: capi.RootDisk_ContainerDisk(&capi.ContainerDiskOptions{
				Image: jsii.Sprintf("registry.example.com/nodes/ubuntu-24.04:%s", *cluster.KubernetesVersion()),
			}),
		}),
		Size: capi.PoolSize_Fixed(cluster.Integer(jsii.String("workers"), &capi.FleetIntegerOptions{Min: jsii.Number(1)})),
	})
	tenant.AddAddon(capi.NewCertManager(nil))
	tenant.AddAddon(capi.NewTraefik(nil))
	tenant.AddAddon(newLetsEncrypt(cluster.Text(jsii.String("email"), nil)))
}

func main() {
	defer jsii.Close()
	app := capi.NewGitOpsApp(&capi.GitOpsAppProps{
		EntryPoints: capi.NewFluxEntryPoints(&capi.FluxEntryPointsProps{SourceName: jsii.String("flux-system"), Path: jsii.String("dist")}),
	})
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

	capi.NewFleet(app, jsii.String("fleet"), &capi.FleetProps{
		Clusters: capi.ClusterList_Of(&[]*capi.ClusterEntry{
			{Name: jsii.String("acme"), Ring: jsii.String("canary"), Values: &map[string]any{
				"workers": 3, "podCidrs": []string{"10.0.0.0/16"}, "email": "ops@acme.example.com",
			}},
			{Name: jsii.String("globex"), Ring: jsii.String("main"), Values: &map[string]any{
				"workers": 5, "podCidrs": []string{"10.1.0.0/16"}, "email": "ops@globex.example.com",
			}},
		}),
		Profiles: &map[string]capi.IClusterProfile{"standard": &standard{hall}},
		Rings: &[]*capi.FleetRing{
			{Name: jsii.String("canary"), KubernetesVersion: jsii.String("1.36.1")},
			{Name: jsii.String("main"), KubernetesVersion: jsii.String("1.35.4")},
		},
	})

	app.Synth()
}

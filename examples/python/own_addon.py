# An addon as a class, in a fleet whose clusters have the same profile.
import jsii
from cdk8s import ApiObjectMetadata, Chart, Size
from cdk8s_cluster_api import (
    AddonCapability,
    CertManager,
    Cilium,
    ClusterContext,
    ClusterEntry,
    ClusterList,
    Fleet,
    FleetCluster,
    FleetRing,
    FluxDelivery,
    FluxEntryPoints,
    GitOpsApp,
    IClusterProfile,
    ImportedManagementCluster,
    IsolationPeer,
    IsolationPort,
    KamajiControlPlane,
    KubevirtInfrastructure,
    KubevirtMachine,
    ManagementNetworkPlugin,
    ManifestAddon,
    PoolSize,
    RootDisk,
    TenantCluster,
    TenantClusterOptions,
    TenantIsolation,
    Traefik,
    l1,
)

hall = ImportedManagementCluster(
    pod_cidrs=["10.244.0.0/16"],
    service_cidrs=["10.96.0.0/16"],
    node_cidrs=["192.168.100.0/24"],
    network_plugin=ManagementNetworkPlugin.CALICO,
    data_store_peers={"default": [IsolationPeer.pods(namespace="kamaji-system", ports=[IsolationPort.tcp(2379)])]},
)


class LetsEncrypt(ManifestAddon):
    def __init__(self, email: str) -> None:
        super().__init__("lets-encrypt", requires=[AddonCapability.CERTIFICATES])
        self._email = email

    def _define(self, tenant: Chart, context: ClusterContext) -> None:
        http01 = l1.cert_manager.IssuerSpecAcmeSolversHttp01(
            ingress=l1.cert_manager.IssuerSpecAcmeSolversHttp01Ingress(ingress_class_name="traefik"),
        )
        l1.cert_manager.ClusterIssuer(
            tenant,
            "issuer",
            metadata=ApiObjectMetadata(name="lets-encrypt"),
            spec=l1.cert_manager.IssuerSpec(
                acme=l1.cert_manager.IssuerSpecAcme(
                    server="https://acme-v02.api.letsencrypt.org/directory",
                    email=self._email,
                    private_key_secret_ref=l1.cert_manager.IssuerSpecAcmePrivateKeySecretRef(name="lets-encrypt-account"),
                    solvers=[l1.cert_manager.IssuerSpecAcmeSolvers(http01=http01)],
                ),
            ),
        )


@jsii.implements(IClusterProfile)
class Standard:
    def props(self, cluster: FleetCluster) -> TenantClusterOptions:
        return TenantClusterOptions(
            control_plane=KamajiControlPlane(data_store="default"),
            infrastructure=KubevirtInfrastructure(),
            cni=Cilium(),
            delivery=FluxDelivery(),
            isolation=TenantIsolation(),
            management_cluster=hall,
            pod_cidrs=cluster.cidrs("podCidrs"),
        )

    def populate(self, tenant: TenantCluster, cluster: FleetCluster) -> None:
        tenant.add_node_pool(
            "general",
            machine=KubevirtMachine(
                cpu=4,
                memory=Size.gibibytes(16),
                root_disk=RootDisk.container_disk(image=f"registry.example.com/nodes/ubuntu-24.04:{cluster.kubernetes_version}"),
            ),
            size=PoolSize.fixed(cluster.integer("workers", min=1)),
        )
        tenant.add_addon(CertManager())
        tenant.add_addon(Traefik())
        tenant.add_addon(LetsEncrypt(cluster.text("email")))


app = GitOpsApp(entry_points=FluxEntryPoints(source_name="flux-system", path="dist"))

Fleet(
    app,
    "fleet",
    clusters=ClusterList.of(
        [
            ClusterEntry(name="acme", ring="canary", values={"workers": 3, "podCidrs": ["10.0.0.0/16"], "email": "ops@acme.example.com"}),
            ClusterEntry(name="globex", ring="main", values={"workers": 5, "podCidrs": ["10.1.0.0/16"], "email": "ops@globex.example.com"}),
        ]
    ),
    profiles={"standard": Standard()},
    rings=[FleetRing(name="canary", kubernetes_version="1.36.1"), FleetRing(name="main", kubernetes_version="1.35.4")],
)

app.synth()

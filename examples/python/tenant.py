import cdk8s_plus_28 as kplus
from cdk8s import ApiObjectMetadata, Size
from constructs import Construct
from cdk8s_cluster_api import (
    CertManager,
    Cilium,
    FluxDelivery,
    FluxEntryPoints,
    GitOpsApp,
    ImportedManagementCluster,
    IsolationPeer,
    IsolationPort,
    KamajiControlPlane,
    KubevirtCsiDriver,
    KubevirtInfrastructure,
    KubevirtMachine,
    KubevirtSnapshotClass,
    KubevirtStorageClass,
    ManagementNetworkPlugin,
    MetricsServer,
    PoolSize,
    RootDisk,
    SnapshotController,
    TenantCluster,
    TenantIsolation,
)


def add_tenant(scope: Construct) -> TenantCluster:
    hall = ImportedManagementCluster(
        pod_cidrs=["10.244.0.0/16"],
        service_cidrs=["10.96.0.0/16"],
        node_cidrs=["192.168.100.0/24"],
        network_plugin=ManagementNetworkPlugin.CALICO,
        data_store_peers={"default": [IsolationPeer.pods(namespace="kamaji-system", ports=[IsolationPort.tcp(2379)])]},
    )

    acme = TenantCluster(
        scope,
        "acme",
        namespace="tenant-acme",
        kubernetes_version="1.34.1",
        control_plane=KamajiControlPlane(replicas=2, data_store="default"),
        infrastructure=KubevirtInfrastructure(
            storage_classes=[
                KubevirtStorageClass(
                    name="fast",
                    infra_class="replicated",
                    is_default=True,
                    snapshot_classes=[KubevirtSnapshotClass(name="fast", infra_class="replicated", is_default=True)],
                ),
            ],
            csi_driver=KubevirtCsiDriver.of(image="registry.example.com/platform/kubevirt-csi-driver:27b52aa2"),
        ),
        cni=Cilium(),
        delivery=FluxDelivery(),
        isolation=TenantIsolation(),
        management_cluster=hall,
    )

    acme.add_node_pool(
        "general",
        machine=KubevirtMachine(
            cpu=4,
            memory=Size.gibibytes(16),
            root_disk=RootDisk.container_disk(image="quay.io/capk/ubuntu-2404-container-disk:v1.34.1"),
        ),
        size=PoolSize.between(1, 10),
    )
    acme.add_node_pool(
        "ingress",
        machine=KubevirtMachine(
            cpu=2,
            memory=Size.gibibytes(4),
            root_disk=RootDisk.registry(
                url="docker://quay.io/capk/ubuntu-2404-container-disk:v1.34.1",
                size=Size.gibibytes(20),
                storage_class="replicated",
            ),
        ),
        size=PoolSize.fixed(2),
        labels={"node-role.kubernetes.io/ingress": ""},
    )

    acme.add_addon(MetricsServer())
    acme.add_addon(CertManager())
    acme.add_addon(SnapshotController())

    # Constructs of any library, delivered into the tenant after the addons.
    kplus.Namespace(acme.workloads, "team-a", metadata=ApiObjectMetadata(name="team-a"))
    return acme


if __name__ == "__main__":
    app = GitOpsApp(entry_points=FluxEntryPoints(source_name="flux-system", path="dist"))
    add_tenant(app)
    app.synth()

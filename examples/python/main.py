import cdk8s_plus_28 as kplus
from cdk8s import ApiObjectMetadata
from cdk8s_cluster_api import (
    FluxEntryPoints,
    GitOpsApp,
    ImportedManagementCluster,
    IsolationPeer,
    IsolationPort,
    ManagementNetworkPlugin,
    blueprints,
)

app = GitOpsApp(entry_points=FluxEntryPoints(source_name="flux-system", path="dist"))

# Your management cluster: ranges, network plug-in, and the etcd behind Kamaji's DataStore.
hall = ImportedManagementCluster(
    pod_cidrs=["10.244.0.0/16"],
    service_cidrs=["10.96.0.0/16"],
    node_cidrs=["192.168.100.0/24"],
    network_plugin=ManagementNetworkPlugin.CALICO,
    data_store_peers={"default": [IsolationPeer.pods(namespace="kamaji-system", ports=[IsolationPort.tcp(2379)])]},
)

acme = blueprints.DiyCloud(
    app,
    "acme",
    namespace="tenant-acme",
    kubernetes_version="1.34.1",
    management_cluster=hall,
    data_store="default",
    node_image="quay.io/capk/ubuntu-2404-container-disk:v1.34.1",
    infra_storage_class="replicated",
    infra_snapshot_class="replicated",
    csi_driver_image="registry.example.com/platform/kubevirt-csi-driver:27b52aa2",
)

# Constructs of any library, delivered into the tenant after the addons.
kplus.Namespace(acme.workloads, "team-a", metadata=ApiObjectMetadata(name="team-a"))

app.synth()

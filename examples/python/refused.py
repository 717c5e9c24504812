# A page with two mistakes: it prints what is wrong with it, and nothing of Python or Node.js.
import sys

from cdk8s import Size
from cdk8s_cluster_api import (
    Cilium,
    FluxDelivery,
    GitOpsApp,
    KamajiControlPlane,
    KubevirtCloudControllerManager,
    KubevirtInfrastructure,
    KubevirtLoadBalancers,
    KubevirtMachine,
    PoolSize,
    RootDisk,
    TenantCluster,
)

app = GitOpsApp()

acme = TenantCluster(
    app,
    "acme",
    namespace="tenant-acme",
    kubernetes_version="1.34.1",
    control_plane=KamajiControlPlane(replicas=-1, data_store="default"),
    infrastructure=KubevirtInfrastructure(
        cloud_controller_manager=KubevirtCloudControllerManager.of(load_balancers=KubevirtLoadBalancers.none()),
    ),
    cni=Cilium(),
    delivery=FluxDelivery(),
)
acme.add_node_pool(
    "general",
    machine=KubevirtMachine(
        cpu=4,
        memory=Size.gibibytes(16),
        root_disk=RootDisk.container_disk(image="quay.io/capk/ubuntu-2404-container-disk:v1.34.1"),
    ),
    size=PoolSize.between(5, 2),
)

try:
    app.synth()
except RuntimeError as refused:
    sys.exit(str(refused))

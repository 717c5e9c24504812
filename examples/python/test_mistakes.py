# What docs/python.md says of mistakes, and of dicts in lists.
import pytest
from cdk8s import App
from cdk8s_cluster_api import (
    Cilium,
    FluxDelivery,
    GitOpsApp,
    KamajiControlPlane,
    KubevirtCsiDriver,
    KubevirtInfrastructure,
    KubevirtMachine,
    RootDisk,
    TenantCluster,
)


def add_tenant(scope, infrastructure=None, kubernetes_version="1.34.1", **others):
    return TenantCluster(
        scope,
        "acme",
        namespace="tenant-acme",
        kubernetes_version=kubernetes_version,
        control_plane=KamajiControlPlane(data_store="default"),
        infrastructure=infrastructure or KubevirtInfrastructure(),
        cni=Cilium(),
        delivery=FluxDelivery(),
        **others,
    )


def test_misspelled_keyword():
    with pytest.raises(TypeError, match=r"TenantCluster.__init__\(\) got an unexpected keyword argument 'kubernets_version'"):
        add_tenant(App(), kubernets_version="1.34.1")


def test_value_of_another_type():
    with pytest.raises(TypeError, match="type of argument kubernetes_version must be str; got float instead"):
        add_tenant(App(), kubernetes_version=1.34)


def test_number_for_a_class():
    machine = KubevirtMachine(instance_type="u1.large", root_disk=RootDisk.container_disk(image="registry.example.com/node:v1.34.1"))
    with pytest.raises(TypeError, match="type of argument size must be cdk8s_cluster_api.PoolSize; got int instead"):
        add_tenant(App()).add_node_pool("general", machine=machine, size=3)


def test_keys_of_a_dict_in_a_list_are_dropped(tmp_path):
    infrastructure = KubevirtInfrastructure(
        storage_classes=[{"name": "fast", "infra_class": "replicated", "is_default": True}],
        csi_driver=KubevirtCsiDriver.of(image="registry.example.com/platform/kubevirt-csi-driver:27b52aa2"),
    )
    app = GitOpsApp(outdir=str(tmp_path))
    add_tenant(app, infrastructure)
    with pytest.raises(RuntimeError, match="TC-KUBEVIRT-CSI-DEFAULT-CLASS infrastructure.storageClasses: no class is the default"):
        app.synth()

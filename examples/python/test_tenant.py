import pytest
from cdk8s import Size
from cdk8s_cluster_api import GitOpsApp, PoolSize, testing
from tenant import add_tenant


@pytest.fixture(scope="module")
def acme() -> testing.ClusterAssertions:
    return testing.ClusterAssertions.of(add_tenant(GitOpsApp()))


def test_versions(acme):
    acme.has_kubernetes_version("1.34")


def test_pools(acme):
    acme.has_pools(["general", "ingress"])
    general = acme.pool("general")
    general.has_machine(cpu=4, memory=Size.gibibytes(16))
    general.has_size(PoolSize.between(1, 10))


def test_nodes(acme):
    acme.pool("ingress").has_nodes(labels={"node-role.kubernetes.io/ingress": ""}, taints=[])


def test_addons(acme):
    acme.has_addon("cert-manager", namespace="cert-manager")
    acme.has_no_addon("ingress-nginx")


def test_rights(acme):
    autoscaler = acme.service_account("cluster-autoscaler")
    autoscaler.can(verbs=["get", "patch"], resources=["machinedeployments.cluster.x-k8s.io/scale"])
    autoscaler.cannot(verbs=["*"], resources=["secrets"])
    acme.group("team-a").can_only([])
    acme.user("lea").can_only([])


def test_rights_of_cloud_controller_manager(acme):
    acme.service_account("cloud-controller-manager").can_only(
        [
            testing.AccessRight(verbs=["get"], resources=["virtualmachineinstances.kubevirt.io"]),
            testing.AccessRight(verbs=["create", "delete", "get", "update"], resources=["services"]),
        ]
    )


def test_changes(acme, tmp_path):
    # The last release of the page; in a repository, `dist` of a worktree of the target branch.
    former = GitOpsApp(outdir=str(tmp_path))
    add_tenant(former)
    former.synth()
    acme.replaces_no_machines_of(str(tmp_path))
    acme.upgrades_at_most_one_minor(str(tmp_path))


def test_failure_shows_what_differs(acme):
    with pytest.raises(RuntimeError, match="cpu: expected 8; found 4"):
        acme.pool("general").has_machine(cpu=8)


def test_snapshot_has_no_versions_of_the_library():
    app = GitOpsApp()
    add_tenant(app)
    assert "name: acme-general-<hash>" in testing.Snapshots.yaml(app)
    assert "<version>" in testing.Snapshots.yaml(app)

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/aws/jsii-runtime-go"
	capi "github.com/cdk8s-cluster-api/cdk8s-cluster-api-go/cdk8sclusterapi"
	capitesting "github.com/cdk8s-cluster-api/cdk8s-cluster-api-go/cdk8sclusterapi/testing"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
)

var acme capitesting.ClusterAssertions

func TestMain(m *testing.M) {
	acme = capitesting.ClusterAssertions_Of(addTenant(capi.NewGitOpsApp(nil)))
	code := m.Run()
	jsii.Close()
	os.Exit(code)
}

func TestVersions(t *testing.T) {
	acme.HasKubernetesVersion(jsii.String("1.34"))
}

func TestPools(t *testing.T) {
	acme.HasPools(jsii.Strings("general", "ingress"))
	general := acme.Pool(jsii.String("general"))
	general.HasMachine(&capitesting.ExpectedMachine{Cpu: jsii.Number(4), Memory: cdk8s.Size_Gibibytes(jsii.Number(16))})
	general.HasSize(capi.PoolSize_Between(jsii.Number(1), jsii.Number(10), nil))
}

func TestNodes(t *testing.T) {
	labels := map[string]*string{"node-role.kubernetes.io/ingress": jsii.String("")}
	acme.Pool(jsii.String("ingress")).HasNodes(&capitesting.ExpectedNodes{Labels: &labels, Taints: &[]*capi.Taint{}})
}

func TestAddons(t *testing.T) {
	acme.HasAddon(jsii.String("cert-manager"), &capitesting.ExpectedAddon{Namespace: jsii.String("cert-manager")})
	acme.HasNoAddon(jsii.String("ingress-nginx"))
}

func TestRights(t *testing.T) {
	autoscaler := acme.ServiceAccount(jsii.String("cluster-autoscaler"))
	autoscaler.Can(&capitesting.AccessRight{
		Verbs: jsii.Strings("get", "patch"), Resources: jsii.Strings("machinedeployments.cluster.x-k8s.io/scale"),
	})
	autoscaler.Cannot(&capitesting.AccessRight{Verbs: jsii.Strings("*"), Resources: jsii.Strings("secrets")})
	acme.Group(jsii.String("team-a")).CanOnly(&[]*capitesting.AccessRight{})
	acme.User(jsii.String("lea")).CanOnly(&[]*capitesting.AccessRight{})
}

func TestChanges(t *testing.T) {
	// The last release of the page; in a repository, `dist` of a worktree of the target branch.
	former := t.TempDir()
	app := capi.NewGitOpsApp(&capi.GitOpsAppProps{Outdir: jsii.String(former)})
	addTenant(app)
	app.Synth()
	acme.ReplacesNoMachinesOf(jsii.String(former))
	acme.UpgradesAtMostOneMinor(jsii.String(former))
}

func TestFailureShowsWhatDiffers(t *testing.T) {
	defer func() {
		if failure := fmt.Sprint(recover()); !strings.Contains(failure, "cpu: expected 8; found 4") {
			t.Error(failure)
		}
	}()
	acme.Pool(jsii.String("general")).HasMachine(&capitesting.ExpectedMachine{Cpu: jsii.Number(8)})
}

func TestSnapshotHasNoVersionsOfTheLibrary(t *testing.T) {
	app := capi.NewGitOpsApp(nil)
	addTenant(app)
	snapshot := *capitesting.Snapshots_Yaml(app)
	for _, expected := range []string{"name: acme-general-<hash>", "<version>"} {
		if !strings.Contains(snapshot, expected) {
			t.Errorf("the snapshot has no %q", expected)
		}
	}
}

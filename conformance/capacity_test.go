package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"conformance/internal/controlplane"
	"conformance/internal/process"
	"conformance/internal/programs"
)

// capacityCase is a case of scripts/conformance/capacity: the nodes and pods of a namespace, and the verdict on them.
type capacityCase struct {
	Name    string
	Nodes   []*corev1.Node
	Pods    []*corev1.Pod
	Verdict string
	// Hosts has the host of each pod in the placement that was found, if the case plays one.
	Hosts map[string]string
	// IsAmple is true if everything fits in any order.
	IsAmple bool
}

const (
	capacityCases = 60
	// schedulingLimit is how long the scheduler may take for all pods.
	schedulingLimit = 3 * time.Minute
)

// TestCapacityAgreesWithScheduler lets the real scheduler place the pods of random cases. Where capacity proves that they do not fit, some pod stays
// without a host; where it has found a placement, the scheduler accepts each pod on the host that it has there; where there is room in any order, it
// places all by itself.
func TestCapacityAgreesWithScheduler(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	client := schedulerCluster(t)
	cases := readCapacityCases(t)
	for _, one := range cases {
		createCase(t, client, one)
	}
	waitForScheduler(t, client)
	proved, played, ample, others, left, open := 0, 0, 0, 0, 0, 0
	for _, one := range cases {
		hosts := scheduledHosts(t, client, one.Name)
		isComplete := len(hosts) == len(one.Pods)
		switch {
		case one.Verdict == "short":
			proved++
			if isComplete {
				t.Errorf("%s: the scheduler places all pods, which are proved not to fit", one.Name)
			}
		case one.Hosts != nil:
			played++
			for name, host := range one.Hosts {
				if hosts[name] != host {
					t.Errorf("%s: pod %s has host %q, and %q in the placement", one.Name, name, hosts[name], host)
				}
			}
		case one.IsAmple:
			ample++
			if !isComplete {
				t.Errorf("%s: the scheduler leaves %d pods, which fit in any order", one.Name, len(one.Pods)-len(hosts))
			}
		default:
			others++
			if !isComplete {
				left++
			} else if one.Verdict == "open" {
				open++
			}
		}
	}
	t.Logf("%d proofs, %d placements, %d cases with room in any order; of %d others, the scheduler by itself leaves pods in %d, and places all in %d undecided ones",
		proved, played, ample, others, left, open)
	if proved == 0 || played == 0 || ample == 0 {
		t.Error("the cases lack a verdict: choose another seed")
	}
}

// schedulerCluster starts an API server and the scheduler.
func schedulerCluster(t *testing.T) *kubernetes.Clientset {
	t.Helper()
	binDir := builtServers(t, "etcd", "kube-apiserver", "kube-scheduler")
	dir := t.TempDir()
	server, err := controlplane.Start(t.Context(), binDir, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	scheduler, err := process.Start("kube-scheduler", dir, filepath.Join(binDir, "kube-scheduler"), "--kubeconfig="+server.Kubeconfig,
		"--leader-elect=false", "--secure-port=0", "--authentication-skip-lookup", "--kube-api-qps=500", "--kube-api-burst=1000")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(scheduler.Stop)
	config := rest.CopyConfig(server.Config)
	config.QPS, config.Burst = 500, 1000
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// builtServers returns a directory with servers of a control plane, which it builds if they are not in the cache.
func builtServers(t *testing.T, names ...string) string {
	t.Helper()
	table, err := programs.Read(".")
	if err != nil {
		t.Fatal(err)
	}
	unbuilt, err := table.Unbuilt(programs.Options{}, names...)
	if err != nil {
		t.Fatal(err)
	}
	if len(unbuilt) > 0 && os.Getenv("CONFORMANCE_BUILD") == "" {
		t.Skipf("%s must be built first, which takes minutes: set CONFORMANCE_BUILD=true", strings.Join(unbuilt, ", "))
	}
	built, missing, err := table.Build(t.Context(), programs.Options{Log: t.Logf}, names...)
	if err != nil || len(missing) > 0 {
		t.Fatal(err, missing)
	}
	folder := t.TempDir()
	for _, program := range built {
		if err := os.Symlink(program.Path, filepath.Join(folder, program.Name)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// readCapacityCases runs the command line's own code over random nodes and pods. CAPACITY_SEED chooses others.
func readCapacityCases(t *testing.T) (cases []capacityCase) {
	t.Helper()
	seed := os.Getenv("CAPACITY_SEED")
	if seed == "" {
		seed = "capacity"
	}
	command := exec.CommandContext(t.Context(), "node", "-r", "./scripts/esbuild-register.js", "scripts/conformance/capacity/main.ts",
		seed, strconv.Itoa(capacityCases))
	command.Dir = ".."
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(output, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func createCase(t *testing.T, client *kubernetes.Clientset, one capacityCase) {
	t.Helper()
	ctx := t.Context()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: one.Name}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, node := range one.Nodes {
		created, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		// Admission taints a new node until a controller finds it ready, and none runs here.
		created.Spec.Taints = node.Spec.Taints
		if _, err := client.CoreV1().Nodes().Update(ctx, created, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	// Pods are scheduled in the order in which they come; the scheduler must know all nodes before.
	waitForNodes(t, client, one)
	for _, pod := range one.Pods {
		if _, err := client.CoreV1().Pods(one.Name).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// waitForNodes gives the scheduler's watch time to see the nodes of a case without their first taints.
func waitForNodes(t *testing.T, client *kubernetes.Clientset, one capacityCase) {
	t.Helper()
	if _, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{LabelSelector: "case=" + one.Name}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
}

// waitForScheduler waits until each pod has a host or is found to have none, and nothing changes any more.
func waitForScheduler(t *testing.T, client *kubernetes.Clientset) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), schedulingLimit)
	defer cancel()
	before := -1
	for {
		pods, err := client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		placed, undecided := 0, 0
		for i := range pods.Items {
			switch {
			case pods.Items[i].Spec.NodeName != "":
				placed++
			case !isUnschedulable(&pods.Items[i]):
				undecided++
			}
		}
		if undecided == 0 && placed == before {
			return
		}
		before = placed
		select {
		case <-ctx.Done():
			t.Fatalf("%d pods are undecided", undecided)
		case <-time.After(3 * time.Second):
		}
	}
}

func isUnschedulable(pod *corev1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled && condition.Reason == corev1.PodReasonUnschedulable {
			return true
		}
	}
	return false
}

// scheduledHosts returns the hosts of the pods of a namespace that have one.
func scheduledHosts(t *testing.T, client *kubernetes.Clientset, namespace string) map[string]string {
	t.Helper()
	pods, err := client.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	hosts := map[string]string{}
	for i := range pods.Items {
		if host := pods.Items[i].Spec.NodeName; host != "" {
			hosts[pods.Items[i].Name] = host
		}
	}
	return hosts
}

package kubelet

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"conformance/internal/controlplane"
	"conformance/internal/sandbox"
)

var resolver = netip.MustParseAddr("10.96.0.10")

// TestMain runs the tests in a sandbox, and is the process of each container of theirs.
func TestMain(m *testing.M) {
	Enter()
	if !sandbox.Inside() {
		code, err := sandbox.Run()
		if errors.Is(err, sandbox.ErrNoRights) {
			fmt.Println("no test runs:", err)
			os.Exit(0)
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(code)
	}
	dir, err := os.MkdirTemp("", "sandbox-")
	if err == nil {
		err = sandbox.Setup(dir, resolver)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// shell is an image with the shell of the machine.
func shell(string) (Image, error) { return Shell() }

// start runs an API server with a namespace, and a kubelet for the node "host".
func start(t *testing.T) *Kubelet {
	t.Helper()
	bin := filepath.Join("..", "..", "bin")
	if _, err := os.Stat(filepath.Join(bin, "kube-apiserver")); err != nil {
		t.Skip("there is no API server; go test in the directory of the module builds it")
	}
	bin, err := filepath.Abs(bin)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	server, err := controlplane.Start(t.Context(), bin, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	k, err := New(Options{Config: server.Config, Dir: filepath.Join(dir, "kubelet"), Nodes: OnNodes("host"), Resolver: resolver, Image: shell, Log: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	for _, create := range []func() error{
		func() error {
			_, err := k.client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "tenant"}}, metav1.CreateOptions{})
			return err
		},
		func() error {
			_, err := k.client.CoreV1().ServiceAccounts("tenant").Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "writer"}}, metav1.CreateOptions{})
			return err
		},
		func() error {
			_, err := k.client.CoreV1().ConfigMaps("tenant").Create(t.Context(),
				&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "settings"}, Data: map[string]string{"color": "green"}}, metav1.CreateOptions{})
			return err
		},
	} {
		if err := create(); err != nil {
			t.Fatal(err)
		}
	}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		k.Run(t.Context())
	}()
	t.Cleanup(func() { <-stopped })
	return k
}

// pod returns a pod whose container runs a script, as the tenant's controllers run: another user, no rights, a root that is read-only.
func pod(name, script string) *corev1.Pod {
	yes, no, id, mode := true, false, int64(65532), int32(0o440)
	expiration := int64(3600)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "tenant", Labels: map[string]string{"app": name}},
		Spec: corev1.PodSpec{
			NodeName: "host", ServiceAccountName: "writer", EnableServiceLinks: &no,
			SecurityContext: &corev1.PodSecurityContext{RunAsUser: &id, RunAsGroup: &id, FSGroup: &id, RunAsNonRoot: &yes},
			Containers: []corev1.Container{{
				Name: "main", Image: "example.com/shell:1", Command: []string{"sh", "-c", script},
				Env: []corev1.EnvVar{
					{Name: "COLOR", ValueFrom: &corev1.EnvVarSource{ConfigMapKeyRef: &corev1.ConfigMapKeySelector{
						LocalObjectReference: corev1.LocalObjectReference{Name: "settings"}, Key: "color",
					}}},
					{Name: "APP", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.labels['app']"}}},
					{Name: "BOTH", Value: "$(APP)-$(COLOR)-$(OTHER)"},
				},
				Ports: []corev1.ContainerPort{{Name: "web", ContainerPort: 8080}},
				SecurityContext: &corev1.SecurityContext{
					AllowPrivilegeEscalation: &no, ReadOnlyRootFilesystem: &yes, Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
				},
				VolumeMounts: []corev1.VolumeMount{
					{Name: "data", MountPath: "/data"}, {Name: "late", MountPath: "/late", ReadOnly: true}, {Name: "token", MountPath: "/token", ReadOnly: true},
				},
			}},
			Volumes: []corev1.Volume{
				{Name: "data", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
				{Name: "late", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{
					SecretName: "late", Optional: &yes, DefaultMode: &mode, Items: []corev1.KeyToPath{{Key: "key", Path: "file"}},
				}}},
				{Name: "token", VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
					{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token", ExpirationSeconds: &expiration}},
				}}}},
			},
		},
	}
}

// await waits for the one container of a pod.
func await(t *testing.T, k *Kubelet, name string, fits func(ContainerRecord) bool) ContainerRecord {
	t.Helper()
	var last ContainerRecord
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		for _, record := range k.Containers() {
			if record.Pod == name {
				if last = record; fits(record) {
					return record
				}
			}
		}
	}
	t.Fatalf("the pod %s is %+v", name, last)
	return last
}

func create(t *testing.T, k *Kubelet, pod *corev1.Pod) {
	t.Helper()
	if _, err := k.client.CoreV1().Pods(pod.Namespace).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func TestPods(t *testing.T) {
	k := start(t)

	t.Run("a container has its own user, files, rights and address", func(t *testing.T) {
		create(t, k, pod("looks", `
			echo "user $(id -u):$(id -g) groups $(id -G)"
			echo "environment $BOTH $KUBERNETES_SERVICE_HOST"
			echo x > /root-file || echo "root is read-only"
			echo x > /data/file && echo "data can be written"
			test -s /token/token && echo "there is a token"
			grep -E "CapBnd|NoNewPrivs" /proc/self/status
			echo "first process $$$$"
			grep -c : /proc/net/dev
			cat /etc/resolv.conf
			exit 3`))
		record := await(t, k, "looks", func(r ContainerRecord) bool { return r.End != nil })
		for _, wanted := range []string{
			"user 65532:65532 groups 65532", "environment looks-green-$(OTHER) 10.96.0.1", "root is read-only", "data can be written", "there is a token",
			"CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "first process 1", "nameserver 10.96.0.10", "search tenant.svc.cluster.local",
		} {
			if !strings.Contains(record.End.Message, wanted) {
				t.Errorf("%q is missing in\n%s", wanted, record.End.Message)
			}
		}
		if record.End.ExitCode != 3 || record.Usage.CPU == 0 {
			t.Errorf("the end is %+v, the usage %+v", record.End, record.Usage)
		}
		await(t, k, "looks", func(r ContainerRecord) bool { return r.Restarts > 0 })
	})

	t.Run("an optional Secret reaches the volume when it is there", func(t *testing.T) {
		create(t, k, pod("waits", `until test -s /late/file; do sleep 0.2; done; ls -ln /late/; cat /late/file; sleep 1000`))
		if running := await(t, k, "waits", func(r ContainerRecord) bool { return r.Running }); running.Usage.Memory == 0 {
			t.Errorf("the usage is %+v", running.Usage)
		}
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "late", Namespace: "tenant"}, Data: map[string][]byte{"key": []byte("content"), "other": []byte("x")}}
		if _, err := k.client.CoreV1().Secrets("tenant").Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		record := await(t, k, "waits", func(r ContainerRecord) bool {
			log, _ := os.ReadFile(r.Log)
			return strings.Contains(string(log), "content")
		})
		if log, _ := os.ReadFile(record.Log); !strings.Contains(string(log), "-r--r-----") {
			t.Errorf("the mode is not that of the manifest:\n%s", log)
		}
		if err := k.client.CoreV1().Pods("tenant").Delete(t.Context(), "waits", metav1.DeleteOptions{GracePeriodSeconds: new(int64)}); err != nil {
			t.Fatal(err)
		}
		await(t, k, "waits", func(r ContainerRecord) bool { return !r.Running && r.End != nil })
	})

	t.Run("a probe that fails keeps the pod from being ready, and restarts it", func(t *testing.T) {
		silent := pod("silent", "sleep 1000")
		probe := &corev1.Probe{ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromString("web")}}, FailureThreshold: 2, PeriodSeconds: 1}
		silent.Spec.Containers[0].ReadinessProbe, silent.Spec.Containers[0].LivenessProbe = probe, probe
		seconds := int64(1)
		silent.Spec.TerminationGracePeriodSeconds = &seconds
		create(t, k, silent)
		record := await(t, k, "silent", func(r ContainerRecord) bool { return r.Restarts > 0 })
		if record.FirstReady != 0 {
			t.Errorf("it was ready after %s", record.FirstReady)
		}
	})

	t.Run("what does not run here is said", func(t *testing.T) {
		strange := pod("strange", "true")
		strange.Spec.Containers[0].Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: []string{"true"}}}}
		create(t, k, strange)
		await(t, k, "strange", func(r ContainerRecord) bool {
			return strings.Contains(r.Problem, "lifecycle of the container main does not run here")
		})
	})
}

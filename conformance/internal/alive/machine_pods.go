package alive

import (
	"context"
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"conformance/internal/kubelet"
	"conformance/internal/live"
	"conformance/internal/network"
	"conformance/internal/programs"
	"conformance/internal/sandbox"
	"conformance/internal/standins"
)

// firstMachinePod is the number of the first pod on a machine of the tenant. The pods of the management cluster do not come this far.
const firstMachinePod = 10_000

// noResolver is where nothing answers: the DNS server of the tenant is played, and that of the management cluster knows other names.
var noResolver = netip.MustParseAddr("192.0.2.53")

// startMachinePods runs pods on the machines of the tenant until the context ends.
func (w *world) startMachinePods(ctx context.Context, p *page) {
	w.background.Go(func() {
		if err := w.runMachinePods(ctx, p); err != nil && ctx.Err() == nil {
			w.machineProblem.Store(&err)
		}
	})
}

// runMachinePods runs pods on the machines of the tenant, whose kubelets are played otherwise, for as long as the context lives.
func (w *world) runMachinePods(ctx context.Context, p *page) error {
	config, err := w.awaitTenantServer(ctx, p)
	if err != nil {
		return err
	}
	k, err := kubelet.New(kubelet.Options{
		Config: config, Dir: filepath.Join(w.Dir, "machines"), FirstNumber: firstMachinePod, Resolver: noResolver, Image: w.image, Log: w.Log,
		Nodes: func(ctx context.Context) (names []string, err error) {
			instances, err := w.client.List(ctx, live.VirtualMachineInstance, p.namespace(), nil)
			for i := range instances {
				names = append(names, instances[i].GetName())
			}
			return names, err
		},
		Runs: func(pod *corev1.Pod) bool {
			var images []string
			for i := range pod.Spec.Containers {
				images = append(images, pod.Spec.Containers[i].Image)
			}
			return w.hasPrograms(images)
		},
	})
	if err != nil {
		return err
	}
	w.machineKubelet.Store(k)
	k.Run(ctx)
	return nil
}

// hasPrograms reports whether something of a pod runs here. The images of charts, which are played, are none that the table knows.
func (w *world) hasPrograms(images []string) bool {
	real := false
	for _, image := range images {
		found, err := w.Table.Find(image)
		if err != nil {
			return false
		}
		real = real || found.Program != programs.HostSleep
	}
	return real
}

// isReal is hasPrograms for stand-ins, which leave such a pod alone.
func (w *world) isReal(pod *live.Object) bool {
	var images []string
	for _, container := range live.Maps(pod.Object, "spec", "containers") {
		images = append(images, live.String(container, "image"))
	}
	return w.hasPrograms(images)
}

// awaitTenantServer waits for the API server of the tenant, and lets pods reach it by its Service, as kube-proxy does on a machine.
func (w *world) awaitTenantServer(ctx context.Context, p *page) (config *rest.Config, err error) {
	var service, endpoint netip.AddrPort
	for {
		if config, _, err = standins.TenantConfig(ctx, w.client, p.namespace(), p.name()); err == nil && config != nil {
			if service, endpoint, err = serverOf(ctx, config); err == nil {
				break
			}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(interval):
		}
	}
	if err := sandbox.AnswerFor(service.Addr()); err != nil {
		return nil, err
	}
	return config, network.Forward(ctx, service, endpoint)
}

// serverOf returns the address of the Service of an API server, and that of the API server behind it.
func serverOf(ctx context.Context, config *rest.Config) (service, endpoint netip.AddrPort, err error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return service, endpoint, fmt.Errorf("create a client of the tenant: %w", err)
	}
	found, err := client.CoreV1().Services(metav1.NamespaceDefault).Get(ctx, "kubernetes", metav1.GetOptions{})
	if err != nil {
		return service, endpoint, fmt.Errorf("find the Service of the API server: %w", err)
	}
	slice, err := client.DiscoveryV1().EndpointSlices(metav1.NamespaceDefault).Get(ctx, "kubernetes", metav1.GetOptions{})
	if err != nil {
		return service, endpoint, fmt.Errorf("find the API server behind its Service: %w", err)
	}
	if len(slice.Endpoints) == 0 || len(slice.Ports) == 0 {
		return service, endpoint, apierrors.NewNotFound(schema.GroupResource{Resource: "endpoints"}, "kubernetes")
	}
	if service, err = addressOf(found.Spec.ClusterIP, found.Spec.Ports[0].Port); err != nil {
		return service, endpoint, err
	}
	endpoint, err = addressOf(slice.Endpoints[0].Addresses[0], *slice.Ports[0].Port)
	return service, endpoint, err
}

func addressOf(host string, port int32) (netip.AddrPort, error) {
	address, err := netip.ParseAddr(host)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("read an address of the API server: %w", err)
	}
	return netip.AddrPortFrom(address, uint16(port)), nil
}

// awaitNodeDriver waits until a DaemonSet of the page that runs here is ready on all machines.
func (t *tenant) awaitNodeDriver(ctx context.Context) error {
	return t.awaitInTenant(ctx, storageLimit, func(client *live.Client) (string, error) {
		if problem := t.machineProblem.Load(); problem != nil {
			return "", fmt.Errorf("%w: %w", errHopeless, *problem)
		}
		nodes, err := client.List(ctx, live.Node, "", nil)
		if err != nil {
			return "", err
		}
		sets, err := client.List(ctx, live.DaemonSet, "", nil)
		if err != nil {
			return "", err
		}
		sets = slices.DeleteFunc(sets, func(set live.Object) bool {
			template, _ := set.Object["spec"].(map[string]any)["template"].(map[string]any)
			return !t.isReal(&live.Object{Object: template})
		})
		if len(sets) == 0 {
			return "there is no DaemonSet of the driver", nil
		}
		for i := range sets {
			if ready := live.Int(sets[i].Object, "status", "numberReady"); ready != int64(len(nodes)) {
				return fmt.Sprintf("DaemonSet %s is ready on %d of %d machines", sets[i].GetName(), ready, len(nodes)), nil
			}
		}
		return "", nil
	})
}

// containers returns those of the page: beside the control plane, and on the machines of the tenant.
func (t *tenant) containers() []kubelet.ContainerRecord {
	beside := slices.DeleteFunc(t.kubelet.Containers(), func(c kubelet.ContainerRecord) bool { return c.Namespace != t.namespace() })
	return append(beside, t.machineContainers()...)
}

// machineContainers returns those on the machines of the tenant.
func (w *world) machineContainers() []kubelet.ContainerRecord {
	if k := w.machineKubelet.Load(); k != nil {
		return k.Containers()
	}
	return nil
}

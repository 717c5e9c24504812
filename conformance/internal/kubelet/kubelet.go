// Package kubelet runs the pods of nodes as processes: each container with its own command, arguments, environment, files, user, rights and probes, in a
// network namespace of its pod. What it does not do is in Limits.
package kubelet

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"conformance/internal/sandbox"
)

// interval is the time between two looks at the pods.
const interval = 500 * time.Millisecond

// Image is what a container image holds, as far as a process needs it.
type Image struct {
	// Program is the executable on this machine, and Path where the image has it. Without a program, the container gets the shell of the machine.
	Program, Path string
	// Entrypoint is what runs if the container names no command.
	Entrypoint []string
	// User is the user of the image.
	User int64
	// Env are variables of the image, as NAME=VALUE.
	Env []string
	// Mounts are further files of the machine, by their path in the container.
	Mounts map[string]string
	// Idle is set for an image whose program cannot run here: its containers do nothing until they are ended, and their probes succeed.
	Idle bool
}

// Options are what a kubelet needs.
type Options struct {
	Config *rest.Config
	// Dir is for volumes and logs, and for the file systems of the nodes.
	Dir string
	// Nodes returns the names of the nodes whose pods run here. The processes of a node that is gone end.
	Nodes func(context.Context) ([]string, error)
	// Runs says which of their pods run here, all if it is nil.
	Runs func(*corev1.Pod) bool
	// FirstNumber is that of the first pod. A number is in the address of a pod, so two kubelets have different ones.
	FirstNumber int
	// Resolver is the DNS server of the pods.
	Resolver netip.Addr
	// Image finds the program of an image.
	Image func(reference string) (Image, error)
	Log   io.Writer
}

// Kubelet runs pods.
type Kubelet struct {
	Options
	client kubernetes.Interface

	mutex   sync.Mutex
	workers map[types.UID]*worker
	// ended are containers of pods that are gone.
	ended []ContainerRecord
	// pods are all that ever ran in a network of their own, by their addresses, of which each is given once.
	pods map[netip.Addr]*corev1.Pod
	// numbers counts pods, for names of links and for addresses.
	number int
}

// New returns a kubelet. Run starts it.
func New(options Options) (*Kubelet, error) {
	config := rest.CopyConfig(options.Config)
	config.WarningHandler = rest.NoWarnings{}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("create the client of the kubelet: %w", err)
	}
	return &Kubelet{
		Options: options, client: client, workers: map[types.UID]*worker{}, pods: map[netip.Addr]*corev1.Pod{}, number: options.FirstNumber,
	}, nil
}

// OnNodes is for nodes that stay.
func OnNodes(names ...string) func(context.Context) ([]string, error) {
	return func(context.Context) ([]string, error) { return names, nil }
}

// Run works until the context ends, and ends all pods then.
func (k *Kubelet) Run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		if err := k.look(ctx, &running); err != nil && ctx.Err() == nil {
			fmt.Fprintf(k.Log, "kubelet: %v\n", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// look follows nodes and pods.
func (k *Kubelet) look(ctx context.Context, running *sync.WaitGroup) error {
	nodes, err := k.Nodes(ctx)
	if err != nil {
		return fmt.Errorf("find the nodes: %w", err)
	}
	k.endOthers(nodes)
	if len(nodes) == 0 {
		return nil
	}
	pods, err := k.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list the pods: %w", err)
	}
	k.follow(ctx, slices.DeleteFunc(pods.Items, func(pod corev1.Pod) bool {
		return !slices.Contains(nodes, pod.Spec.NodeName) || k.Runs != nil && !k.Runs(&pod)
	}), running)
	return nil
}

// endOthers ends the processes of nodes that are gone.
func (k *Kubelet) endOthers(nodes []string) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for uid, w := range k.workers {
		if !slices.Contains(nodes, w.pod.Spec.NodeName) {
			w.stop(0)
			k.forget(uid)
		}
	}
}

// follow starts what is new and ends what is to be deleted or is gone.
func (k *Kubelet) follow(ctx context.Context, pods []corev1.Pod, running *sync.WaitGroup) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	seen := map[types.UID]bool{}
	for i := range pods {
		pod := &pods[i]
		seen[pod.UID] = true
		known := k.workers[pod.UID]
		switch {
		case known != nil && pod.DeletionTimestamp != nil:
			known.stop(first(30, pod.DeletionGracePeriodSeconds))
		case known == nil && pod.DeletionTimestamp != nil:
			k.remove(ctx, pod)
		case known == nil && pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed:
			k.number++
			w := newWorker(ctx, k, pod.DeepCopy(), k.number)
			k.workers[pod.UID] = w
			if !pod.Spec.HostNetwork {
				k.pods[podAddress(k.number)] = w.pod
			}
			running.Add(1)
			go func() {
				defer running.Done()
				w.run()
			}()
		}
	}
	for uid, w := range k.workers {
		if !seen[uid] {
			w.stop(0)
		}
		k.forget(uid)
	}
}

// forget keeps only what is known of the containers of a pod that has ended.
func (k *Kubelet) forget(uid types.UID) {
	w := k.workers[uid]
	if !w.isGone() {
		return
	}
	for _, record := range w.records() {
		record.IsGone = true
		k.ended = append(k.ended, record)
	}
	delete(k.workers, uid)
}

// remove lets a pod go that has no processes.
func (k *Kubelet) remove(ctx context.Context, pod *corev1.Pod) {
	now := int64(0)
	_ = k.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{
		GracePeriodSeconds: &now, Preconditions: &metav1.Preconditions{UID: &pod.UID},
	}) // Tried again at the next look.
}

// Containers returns what ran, also of pods that are gone.
func (k *Kubelet) Containers() []ContainerRecord {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	records := slices.Clone(k.ended)
	for _, w := range k.workers {
		records = append(records, w.records()...)
	}
	slices.SortFunc(records, func(a, b ContainerRecord) int { return compareText(a.key(), b.key()) })
	return records
}

// Pods returns all pods that ever ran in a network of their own, by their addresses.
func (k *Kubelet) Pods() map[netip.Addr]*corev1.Pod {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return maps.Clone(k.pods)
}

// EachPod calls a function for each pod that runs in a network of its own, in that network.
func (k *Kubelet) EachPod(visit func(pod *corev1.Pod) error) error {
	k.mutex.Lock()
	workers := make([]*worker, 0, len(k.workers))
	for _, w := range k.workers {
		workers = append(workers, w)
	}
	k.mutex.Unlock()
	for _, w := range workers {
		if err := w.inNetwork(func() error { return visit(w.pod) }); err != nil {
			return err
		}
	}
	return nil
}

// podAddress returns the address of the pod with a number.
func podAddress(number int) netip.Addr {
	bytes := sandbox.Pods.Addr().As4()
	bytes[2], bytes[3] = byte(1+number/250), byte(2+number%250)
	return netip.AddrFrom4(bytes)
}

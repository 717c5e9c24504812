package kubelet

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"conformance/internal/sandbox"
)

// retryInterval is the time between two attempts to get a pod ready to start, and between two looks at the sources of its volumes.
// A kubelet takes about a minute for the latter.
const retryInterval = time.Second

// worker runs one pod.
type worker struct {
	kubelet *Kubelet
	pod     *corev1.Pod
	dir     string
	number  int
	ctx     context.Context
	// done is closed when the pod has ended and its object is to go.
	done chan struct{}

	mutex      sync.Mutex
	network    *sandbox.Pod
	containers []*container
	// cancel ends the containers, within the grace period.
	cancel context.CancelFunc
	grace  time.Duration
	// waiting says what the pod waits for.
	waiting string
	started time.Time
}

func newWorker(ctx context.Context, k *Kubelet, pod *corev1.Pod, number int) *worker {
	w := &worker{
		kubelet: k, pod: pod, number: number, done: make(chan struct{}), started: time.Now(),
		dir: filepath.Join(k.Dir, "pods", string(pod.UID)),
	}
	w.ctx, w.cancel = context.WithCancel(ctx)
	for i := range pod.Spec.InitContainers {
		w.containers = append(w.containers, newContainer(w, &pod.Spec.InitContainers[i], true))
	}
	for i := range pod.Spec.Containers {
		w.containers = append(w.containers, newContainer(w, &pod.Spec.Containers[i], false))
	}
	return w
}

// stop ends the pod. Later calls change nothing.
func (w *worker) stop(graceSeconds int64) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.ctx.Err() == nil {
		w.grace = time.Duration(graceSeconds) * time.Second
	}
	w.cancel()
}

// gracePeriod returns how long the processes of a pod that is to end may take for it.
func (w *worker) gracePeriod() time.Duration {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.grace
}

func (w *worker) isGone() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// run takes the pod through its life.
func (w *worker) run() {
	defer close(w.done)
	defer w.close()
	reporting, stopReporting := context.WithCancel(context.WithoutCancel(w.ctx))
	var reporters sync.WaitGroup
	reporters.Add(1)
	go func() {
		defer reporters.Done()
		w.report(reporting)
	}()
	defer reporters.Wait()
	defer stopReporting()

	if !w.prepare() {
		w.leave()
		return
	}
	volumes := w.keepVolumesCurrent()
	defer volumes()
	for _, c := range w.containers {
		if c.isInit && !c.runToSuccess(w.ctx) {
			w.leave()
			return
		}
	}
	var running sync.WaitGroup
	for _, c := range w.containers {
		if c.isInit {
			continue
		}
		running.Add(1)
		go func() {
			defer running.Done()
			c.run(w.ctx)
		}()
	}
	running.Wait()
	w.leave()
}

// leave waits until the pod is to be deleted, and removes its object. Until then its end is reported.
func (w *worker) leave() {
	<-w.ctx.Done()
	remove, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), 5*time.Second)
	defer cancel()
	w.kubelet.remove(remove, w.pod)
}

// prepare makes the network and the volumes. It tries again until it can, or the pod is to end.
func (w *worker) prepare() bool {
	for {
		err := w.tryPrepare()
		if err == nil {
			w.wait("")
			return true
		}
		w.wait(err.Error())
		select {
		case <-w.ctx.Done():
			return false
		case <-time.After(retryInterval):
		}
	}
}

func (w *worker) tryPrepare() error {
	if err := unsupported(&w.pod.Spec); err != nil {
		return err
	}
	if w.network == nil && !w.pod.Spec.HostNetwork {
		network, err := sandbox.NewPod(w.number, podAddress(w.number))
		if err != nil {
			return err
		}
		w.mutex.Lock()
		w.network = network
		w.mutex.Unlock()
	}
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		return fmt.Errorf("make the directory of the pod: %w", err)
	}
	if err := w.writeSystemFiles(); err != nil {
		return err
	}
	return w.writeVolumes(w.ctx)
}

// keepVolumesCurrent writes changes of Secrets and ConfigMaps into the volumes, until the function that it returns is called.
func (w *worker) keepVolumesCurrent() (stop func()) {
	ctx, cancel := context.WithCancel(w.ctx)
	var running sync.WaitGroup
	running.Add(1)
	go func() {
		defer running.Done()
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(retryInterval):
				_ = w.writeVolumes(ctx) // An object that is missing now existed before; its files stay.
			}
		}
	}()
	return func() {
		cancel()
		running.Wait()
	}
}

func (w *worker) wait(reason string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.waiting = reason
}

// inNetwork runs a function in the network of the pod, if it has one.
func (w *worker) inNetwork(action func() error) error {
	w.mutex.Lock()
	network := w.network
	w.mutex.Unlock()
	if w.pod.Spec.HostNetwork || network == nil || w.isGone() {
		return nil
	}
	return network.Do(action)
}

func (w *worker) close() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.network != nil {
		w.network.Close()
		w.network = nil
	}
	_ = os.RemoveAll(w.dir)
}

// address returns the address of the pod.
func (w *worker) address() string {
	if w.pod.Spec.HostNetwork {
		return sandbox.Node.String()
	}
	return podAddress(w.number).String()
}

func (w *worker) records() []ContainerRecord {
	records := make([]ContainerRecord, 0, len(w.containers))
	for _, c := range w.containers {
		records = append(records, c.record())
	}
	return records
}

package kubelet

import (
	"context"
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"conformance/internal/sandbox"
)

// report writes the status of the pod whenever it changes, until the context ends.
func (w *worker) report(ctx context.Context) {
	var last string
	for {
		status := w.status()
		content, err := json.Marshal(map[string]any{"status": status})
		if err == nil && string(content) != last {
			_, err = w.kubelet.client.CoreV1().Pods(w.pod.Namespace).Patch(ctx, w.pod.Name, types.MergePatchType, content, metav1.PatchOptions{}, "status")
			if err == nil {
				last = string(content)
			}
		}
		if !sleep(ctx, interval) {
			return
		}
	}
}

func (w *worker) status() corev1.PodStatus {
	w.mutex.Lock()
	waiting := w.waiting
	hasNetwork := w.network != nil || w.pod.Spec.HostNetwork
	w.mutex.Unlock()
	started := metav1.NewTime(w.started)
	status := corev1.PodStatus{StartTime: &started, HostIP: sandbox.Node.String(), HostIPs: []corev1.HostIP{{IP: sandbox.Node.String()}}}
	if hasNetwork {
		status.PodIP, status.PodIPs = w.address(), []corev1.PodIP{{IP: w.address()}}
	}
	initialized, ready, ended, failed := true, true, true, false
	for _, c := range w.containers {
		one := c.status(waiting)
		if c.isInit {
			status.InitContainerStatuses = append(status.InitContainerStatuses, one)
			initialized = initialized && one.Ready
			if end := one.State.Terminated; end != nil && end.ExitCode != 0 && w.pod.Spec.RestartPolicy == corev1.RestartPolicyNever {
				failed = true
			}
			continue
		}
		status.ContainerStatuses = append(status.ContainerStatuses, one)
		ready = ready && one.Ready
		end := one.State.Terminated
		ended = ended && end != nil && (end.ExitCode == 0 || w.pod.Spec.RestartPolicy == corev1.RestartPolicyNever)
		failed = failed || end != nil && end.ExitCode != 0
	}
	ended = ended && w.pod.Spec.RestartPolicy != corev1.RestartPolicyAlways
	switch {
	case !initialized && !failed:
		status.Phase = corev1.PodPending
	case (ended || !initialized) && failed:
		status.Phase = corev1.PodFailed
	case ended:
		status.Phase = corev1.PodSucceeded
	default:
		status.Phase = corev1.PodRunning
	}
	status.Conditions = []corev1.PodCondition{
		w.condition(corev1.PodScheduled, true), w.condition(corev1.PodReadyToStartContainers, waiting == ""),
		w.condition(corev1.PodInitialized, initialized), w.condition(corev1.ContainersReady, initialized && ready), w.condition(corev1.PodReady, initialized && ready),
	}
	return status
}

// condition returns a condition that has been so since the pod began: who waits for how long it has been ready counts from then.
func (w *worker) condition(kind corev1.PodConditionType, is bool) corev1.PodCondition {
	status := corev1.ConditionFalse
	if is {
		status = corev1.ConditionTrue
	}
	return corev1.PodCondition{Type: kind, Status: status, LastTransitionTime: metav1.NewTime(w.started)}
}

func (c *container) status(waiting string) corev1.ContainerStatus {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	s := &c.state
	running := s.process != nil
	status := corev1.ContainerStatus{
		Name: c.spec.Name, Image: c.spec.Image, ImageID: c.spec.Image, RestartCount: int32(s.restarts), Started: &s.passedStartup, Ready: running && s.ready,
	}
	switch {
	case running:
		status.State.Running = &corev1.ContainerStateRunning{StartedAt: timeOf(s.started)}
	case s.ended:
		status.State.Terminated = s.end
		status.Ready = c.isInit && s.end.ExitCode == 0
	case s.problem != "":
		status.State.Waiting = &corev1.ContainerStateWaiting{Reason: "CreateContainerError", Message: s.problem}
	default:
		status.State.Waiting = &corev1.ContainerStateWaiting{Reason: "ContainerCreating", Message: waiting}
	}
	if s.end != nil && !s.ended {
		status.LastTerminationState.Terminated = s.end
	}
	return status
}

func timeOf(moment time.Time) metav1.Time { return metav1.NewTime(moment) }

package kubelet

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Usage is what the processes of a container took.
type Usage struct {
	// Memory is the most that one of them had in memory, and Resident what they have now, in bytes.
	Memory, Resident int64
	// CPU is the time of all of them.
	CPU time.Duration
}

// add counts a process that has ended.
func (u *Usage) add(state *os.ProcessState) {
	u.CPU += state.UserTime() + state.SystemTime()
	var own syscall.Rusage
	usage, ok := state.SysUsage().(*syscall.Rusage)
	// A process inherits the mark of the one that started it, this one: below that, nothing is known.
	if ok && syscall.Getrusage(syscall.RUSAGE_SELF, &own) == nil && usage.Maxrss > own.Maxrss {
		u.Memory = max(u.Memory, usage.Maxrss*1024)
	}
}

// addRunning counts a process that runs.
func (u *Usage) addRunning(pid int) {
	if content, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
		for line := range strings.Lines(string(content)) {
			name, value, _ := strings.Cut(line, ":")
			if name != "VmHWM" && name != "VmRSS" {
				continue
			}
			kilobytes, _ := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			if name == "VmRSS" {
				u.Resident += kilobytes * 1024
			} else {
				u.Memory = max(u.Memory, kilobytes*1024)
			}
		}
	}
	if content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		// Behind the name, which is in parentheses, user and system time are the 12th and 13th field, in hundredths of a second.
		_, rest, _ := strings.Cut(string(content), ") ")
		fields := strings.Fields(rest)
		if len(fields) > 12 {
			user, _ := strconv.ParseInt(fields[11], 10, 64)
			system, _ := strconv.ParseInt(fields[12], 10, 64)
			u.CPU += time.Duration(user+system) * 10 * time.Millisecond
		}
	}
}

// ContainerRecord is what became of a container.
type ContainerRecord struct {
	Namespace, Pod, Container, Image string
	// Owner is the controller of the pod, such as "ReplicaSet acme-csi-driver-5c7d".
	Owner string
	// Address is that of the pod.
	Address string
	IsInit  bool
	// IsGone is set if the object of the pod is gone.
	IsGone bool
	// Running and Ready are what it is now.
	Running, Ready bool
	// FirstReady is how long after the start of the pod it was ready for the first time, nothing if it never was.
	FirstReady time.Duration
	Restarts   int
	// End is how it ended the last time, nil if it has not.
	End *corev1.ContainerStateTerminated
	// Problem is why there is no process, or what the pod waits for.
	Problem string
	// Unready are failures of probes after it was ready.
	Unready []string
	// Age is the time since the start of the pod.
	Age     time.Duration
	Usage   Usage
	Limits  corev1.ResourceList
	Request corev1.ResourceList
	// Log is the file with its output.
	Log string
}

func (r *ContainerRecord) key() string { return r.Namespace + "/" + r.Pod + "/" + r.Container }

func (c *container) record() ContainerRecord {
	w := c.worker
	w.mutex.Lock()
	waiting := w.waiting
	w.mutex.Unlock()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	s := &c.state
	record := ContainerRecord{
		Namespace: w.pod.Namespace, Pod: w.pod.Name, Container: c.spec.Name, Image: c.spec.Image, Address: w.address(), IsInit: c.isInit,
		Running: s.process != nil, Ready: s.process != nil && s.ready, Restarts: s.restarts, End: s.end, Problem: s.problem, Unready: s.unready,
		Age: time.Since(w.started), Usage: s.usage, Limits: c.spec.Resources.Limits, Request: c.spec.Resources.Requests, Log: c.logPath(),
	}
	if record.Problem == "" {
		record.Problem = waiting
	}
	for _, owner := range w.pod.OwnerReferences {
		record.Owner = owner.Kind + " " + owner.Name
	}
	if !s.firstReady.IsZero() {
		record.FirstReady = s.firstReady.Sub(w.started)
	}
	if s.process != nil {
		record.Usage.addRunning(s.process.Pid)
	}
	return record
}

func compareText(a, b string) int { return strings.Compare(a, b) }

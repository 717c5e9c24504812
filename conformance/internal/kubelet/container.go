package kubelet

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	corev1 "k8s.io/api/core/v1"
)

// Delays before a container starts again. A kubelet begins with ten seconds and ends with five minutes.
const (
	firstBackOff = time.Second
	lastBackOff  = 10 * time.Second
)

// containerNamespaces are those that a container has besides the network of its pod.
const containerNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC

// container runs the process of a container, again and again if it must.
type container struct {
	worker *worker
	spec   *corev1.Container
	isInit bool

	mutex sync.Mutex
	state state
}

// state is what is known of a container.
type state struct {
	process *os.Process
	started time.Time
	// passedStartup says that the startup probe has succeeded, or that there is none; ready that the readiness probe has.
	passedStartup, ready bool
	// firstReady is when the container was ready for the first time.
	firstReady time.Time
	restarts   int
	// end describes the last end, ended is set while no process runs after it.
	end   *corev1.ContainerStateTerminated
	ended bool
	// problem is why there is no process.
	problem string
	usage   Usage
	// unready are moments at which the container was not ready any more.
	unready []string
}

func newContainer(w *worker, spec *corev1.Container, isInit bool) *container {
	return &container{worker: w, spec: spec, isInit: isInit}
}

// runToSuccess runs an init container until it has succeeded. It returns false if the pod ends before.
func (c *container) runToSuccess(ctx context.Context) bool {
	for delay := firstBackOff; ; delay = min(2*delay, lastBackOff) {
		if c.once(ctx) && c.exitCode() == 0 {
			return true
		}
		if ctx.Err() != nil || c.worker.pod.Spec.RestartPolicy == corev1.RestartPolicyNever {
			return false
		}
		if !c.backOff(ctx, delay) {
			return false
		}
	}
}

// run runs a container for as long as the pod lives, or once if the pod wants no more.
func (c *container) run(ctx context.Context) {
	for delay := firstBackOff; ; delay = min(2*delay, lastBackOff) {
		started := c.once(ctx)
		if ctx.Err() != nil {
			return
		}
		policy := c.worker.pod.Spec.RestartPolicy
		if started && (policy == corev1.RestartPolicyNever || policy == corev1.RestartPolicyOnFailure && c.exitCode() == 0) {
			return
		}
		if !c.backOff(ctx, delay) {
			return
		}
	}
}

// backOff waits before the next start. It returns false if the pod ends before.
func (c *container) backOff(ctx context.Context, delay time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(delay):
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.state.end != nil {
		c.state.restarts++
	}
	return true
}

func (c *container) exitCode() int32 {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.state.end == nil {
		return -1
	}
	return c.state.end.ExitCode
}

// once starts the process and waits for its end. It returns false, and notes why, if it cannot be started.
func (c *container) once(ctx context.Context) bool {
	command, err := c.command(ctx)
	if err != nil {
		c.setProblem(err)
		return false
	}
	closeFiles := func() {
		for _, file := range command.ExtraFiles {
			_ = file.Close()
		}
		_ = command.Stdout.(*os.File).Close()
	}
	defer closeFiles()
	if err := command.Start(); err != nil {
		c.setProblem(fmt.Errorf("start the process: %w", err))
		return false
	}
	c.mutex.Lock()
	c.state.process, c.state.started, c.state.problem, c.state.ended = command.Process, time.Now(), "", false
	c.state.passedStartup, c.state.ready = c.spec.StartupProbe == nil, false
	c.mutex.Unlock()

	probing, stopProbing := context.WithCancel(ctx)
	unhealthy := make(chan struct{}, 1)
	probed := c.probe(probing, func() {
		select {
		case unhealthy <- struct{}{}:
		default: // It is being ended already.
		}
	})
	ended := make(chan struct{})
	go func() {
		_ = command.Wait() // The state of the command has the error.
		close(ended)
	}()
	select {
	case <-ended:
	case <-unhealthy:
		c.end(command.Process, ended, time.Duration(first(30, c.worker.pod.Spec.TerminationGracePeriodSeconds))*time.Second)
	case <-ctx.Done():
		c.end(command.Process, ended, c.worker.gracePeriod())
	}
	stopProbing()
	probed.Wait()
	c.noteEnd(command.ProcessState)
	return true
}

// end asks the process to end, and kills it after the grace period.
func (c *container) end(process *os.Process, ended <-chan struct{}, grace time.Duration) {
	_ = process.Signal(syscall.SIGTERM)
	select {
	case <-ended:
	case <-time.After(grace):
		_ = process.Kill()
		<-ended
	}
}

func (c *container) noteEnd(state *os.ProcessState) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	code, reason := int32(state.ExitCode()), "Completed"
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		code = 128 + int32(status.Signal())
	}
	if code != 0 {
		reason = "Error"
	}
	c.state.usage.add(state)
	c.state.process, c.state.ready, c.state.ended = nil, false, true
	c.state.end = &corev1.ContainerStateTerminated{
		ExitCode: code, Reason: reason, Message: c.tail(), StartedAt: timeOf(c.state.started), FinishedAt: timeOf(time.Now()),
	}
}

func (c *container) setProblem(err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.state.problem = err.Error()
}

// command returns the process of the container, ready to start.
func (c *container) command(ctx context.Context) (*exec.Cmd, error) {
	image, err := c.worker.kubelet.Image(c.spec.Image)
	if err != nil {
		return nil, err
	}
	setup, err := c.setup(ctx, &image)
	if err != nil {
		return nil, err
	}
	content, err := json.Marshal(setup)
	if err != nil {
		return nil, fmt.Errorf("encode the setup: %w", err)
	}
	setupFile, err := temporaryFile(c.worker.dir, content)
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(c.logPath(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open the log: %w", err)
	}
	command := &exec.Cmd{Path: "/proc/self/exe", Args: []string{enterName}, Stdout: log, Stderr: log, ExtraFiles: []*os.File{setupFile}}
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: containerNamespaces, Setpgid: true}
	if setup.HasNetwork {
		network, err := c.worker.network.File()
		if err != nil {
			return nil, err
		}
		command.ExtraFiles = append(command.ExtraFiles, network)
	}
	return command, nil
}

// setup describes the process.
func (c *container) setup(ctx context.Context, image *Image) (*setup, error) {
	w := c.worker
	root := filepath.Join(w.dir, "root-"+c.spec.Name)
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, fmt.Errorf("make the root: %w", err)
	}
	env, err := c.environment(ctx, image)
	if err != nil {
		return nil, err
	}
	s := &setup{
		Root: root, Hostname: w.hostname(), HasNetwork: !w.pod.Spec.HostNetwork, WorkingDir: c.spec.WorkingDir, Idle: image.Idle,
		Mounts: append(w.systemMounts(), image.mounts()...),
	}
	for _, mounted := range c.spec.VolumeMounts {
		s.Mounts = append(s.Mounts, mount{
			Source: filepath.Join(w.volumeDir(mounted.Name), mounted.SubPath), Target: mounted.MountPath, ReadOnly: mounted.ReadOnly || w.isReadOnlyVolume(mounted.Name),
		})
	}
	command := c.spec.Command
	if len(command) == 0 {
		command = image.Entrypoint
	}
	for _, argument := range append(append([]string{}, command...), c.spec.Args...) {
		s.Args = append(s.Args, expand(argument, env))
	}
	if len(s.Args) == 0 {
		return nil, fmt.Errorf("neither the container nor the image %s has a command", c.spec.Image)
	}
	for name, value := range env {
		s.Env = append(s.Env, name+"="+value)
	}
	return s, s.setRights(w.pod.Spec.SecurityContext, c.spec.SecurityContext, image.User)
}

// mounts returns the files of an image.
func (i *Image) mounts() []mount {
	var mounts []mount
	if i.Program != "" {
		mounts = append(mounts, mount{Source: i.Program, Target: i.Path, ReadOnly: true})
	}
	for target, source := range i.Mounts {
		mounts = append(mounts, mount{Source: source, Target: target, ReadOnly: true})
	}
	return mounts
}

func (c *container) logPath() string {
	pod := c.worker.pod
	return filepath.Join(c.worker.kubelet.Dir, strings.Join([]string{pod.Namespace, pod.Name, c.spec.Name}, "_")+".log")
}

// logTail is how much of a log tells of an end.
const logTail = 2000

// tail returns the end of the log.
func (c *container) tail() string {
	content, err := os.ReadFile(c.logPath())
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(content[max(0, len(content)-logTail):]))
}

// temporaryFile returns a file with a content, open for reading, that has no name.
func temporaryFile(dir string, content []byte) (*os.File, error) {
	file, err := os.CreateTemp(dir, "setup-")
	if err != nil {
		return nil, fmt.Errorf("hand on the setup: %w", err)
	}
	_ = os.Remove(file.Name())
	if _, err := file.Write(content); err != nil {
		return nil, fmt.Errorf("hand on the setup: %w", err)
	}
	if _, err := file.Seek(0, 0); err != nil {
		return nil, fmt.Errorf("hand on the setup: %w", err)
	}
	return file, nil
}

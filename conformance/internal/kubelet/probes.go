package kubelet

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// probe asks the container what its probes ask, until the context ends: the startup probe first, then both others. It calls restart when the startup
// or the liveness probe has failed.
func (c *container) probe(ctx context.Context, restart func()) *sync.WaitGroup {
	var running sync.WaitGroup
	run := func(name string, probe *corev1.Probe, change func(passed bool)) {
		if probe == nil {
			change(true)
			return
		}
		running.Add(1)
		go func() {
			defer running.Done()
			c.repeat(ctx, name, probe, change)
		}()
	}
	live := func(passed bool) {
		if !passed {
			restart()
		}
	}
	begin := func() {
		run("readiness", c.spec.ReadinessProbe, c.setReady)
		run("liveness", c.spec.LivenessProbe, live)
	}
	if c.spec.StartupProbe == nil {
		begin()
		return &running
	}
	var once sync.Once
	run("startup", c.spec.StartupProbe, func(passed bool) {
		if !passed {
			restart()
			return
		}
		once.Do(func() {
			c.mutex.Lock()
			c.state.passedStartup = true
			c.mutex.Unlock()
			begin()
		})
	})
	return &running
}

// repeat asks again and again, and tells each change once as many answers in a row as the probe wants agree.
func (c *container) repeat(ctx context.Context, name string, probe *corev1.Probe, change func(passed bool)) {
	seconds := func(value int32, least time.Duration) time.Duration {
		return max(least, time.Duration(value)*time.Second)
	}
	if !sleep(ctx, seconds(probe.InitialDelaySeconds, 0)) {
		return
	}
	passed, failed := int32(0), int32(0)
	for {
		err := c.ask(ctx, probe, seconds(probe.TimeoutSeconds, time.Second))
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			passed, failed = passed+1, 0
		} else {
			passed, failed = 0, failed+1
			c.noteProbe(name, err)
		}
		if passed >= max(1, probe.SuccessThreshold) {
			change(true)
		}
		if failed >= max(1, probe.FailureThreshold) {
			change(false)
		}
		if !sleep(ctx, seconds(probe.PeriodSeconds, time.Second)) {
			return
		}
	}
}

func sleep(ctx context.Context, duration time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(duration):
		return true
	}
}

// setReady notes whether the readiness probe succeeds.
func (c *container) setReady(ready bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if ready && c.state.firstReady.IsZero() {
		c.state.firstReady = time.Now()
	}
	c.state.ready = ready
}

// noteProbe keeps what a probe said after the container was ready.
func (c *container) noteProbe(name string, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !c.state.firstReady.IsZero() {
		c.state.unready = append(c.state.unready, fmt.Sprintf("%s the %s probe failed: %v", time.Now().Format(time.TimeOnly), name, err))
	}
}

// ask asks once.
func (c *container) ask(ctx context.Context, probe *corev1.Probe, timeout time.Duration) error {
	if image, err := c.worker.kubelet.Image(c.spec.Image); err == nil && image.Idle {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	switch {
	case probe.HTTPGet != nil:
		return c.askHTTP(ctx, probe.HTTPGet)
	case probe.TCPSocket != nil:
		port, err := c.port(probe.TCPSocket.Port)
		if err != nil {
			return err
		}
		connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(c.worker.address(), port))
		if err != nil {
			return err
		}
		return connection.Close()
	default:
		return errors.New("its kind is none that runs here (httpGet, tcpSocket)")
	}
}

func (c *container) askHTTP(ctx context.Context, get *corev1.HTTPGetAction) error {
	port, err := c.port(get.Port)
	if err != nil {
		return err
	}
	host, scheme := get.Host, "http"
	if host == "" {
		host = c.worker.address()
	}
	if get.Scheme == corev1.URISchemeHTTPS {
		scheme = "https"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s://%s%s", scheme, net.JoinHostPort(host, port), get.Path), nil)
	if err != nil {
		return err
	}
	for _, header := range get.HTTPHeaders {
		request.Header.Add(header.Name, header.Value)
	}
	// A kubelet does not look at certificates, and asks on a new connection each time.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	_ = response.Body.Close()
	if response.StatusCode < http.StatusOK || response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s answered %s", request.URL, response.Status)
	}
	return nil
}

// port returns the number of a port, which may be one of the container by name.
func (c *container) port(port intstr.IntOrString) (string, error) {
	if port.Type == intstr.Int {
		return strconv.Itoa(port.IntValue()), nil
	}
	for _, known := range c.spec.Ports {
		if known.Name == port.StrVal {
			return strconv.Itoa(int(known.ContainerPort)), nil
		}
	}
	return "", fmt.Errorf("the container has no port %s", port.StrVal)
}

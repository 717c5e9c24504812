package process

import (
	"context"
	"fmt"
	"net"
	"time"
)

// pollInterval is the time between two looks at a process that is starting.
const pollInterval = 100 * time.Millisecond

// WaitReady calls ready until it returns nil. It gives up when the process ends or the context does.
func (p *Process) WaitReady(ctx context.Context, ready func(context.Context) error) error {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return p.Err()
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w (last answer: %w)", p.name, ctx.Err(), err)
		case <-ticker.C:
		}
	}
}

// FreePorts returns n TCP ports of the loopback interface that nothing listens on.
func FreePorts(n int) ([]int, error) {
	ports := make([]int, 0, n)
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("find a free port: %w", err)
		}
		// Held open until all are found, so that no port is handed out twice.
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

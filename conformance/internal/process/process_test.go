package process

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestStop(t *testing.T) {
	p, err := Start("sleeper", t.TempDir(), "sleep", "60")
	if err != nil {
		t.Fatal(err)
	}
	p.Stop()
	select {
	case <-p.Done():
	default:
		t.Error("the process is not gone")
	}
	if err := Check(); err != nil {
		t.Errorf("a process that was stopped counts as lost: %v", err)
	}
}

func TestLost(t *testing.T) {
	defer func() { running.lost = nil }()
	p, err := Start("failer", t.TempDir(), "sh", "-c", "echo no such file; exit 3")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	err = p.WaitReady(ctx, func(context.Context) error { return errors.New("not yet") })
	for _, want := range []string{"failer ended", "exit status 3", "no such file"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one with %q", err, want)
		}
	}
	for ctx.Err() == nil && Check() == nil {
		time.Sleep(time.Millisecond)
	}
	if err := Check(); err == nil || !strings.Contains(err.Error(), "failer ended") {
		t.Errorf("got error %v, want one about the process that ended", err)
	}
}

// TestInterruptedTool runs a tool whose own child would go on for a minute.
func TestInterruptedTool(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	started := time.Now()
	if _, err := RunTool(ctx, t.TempDir(), nil, "sh", "-c", "sleep 60 & wait"); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
	if elapsed := time.Since(started); elapsed > toolGracePeriod+5*time.Second {
		t.Errorf("ended after %s", elapsed)
	}
}

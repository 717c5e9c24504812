package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"conformance/internal/process"
)

// parentInterval is the time between two looks at the parent process.
const parentInterval = time.Second

// sameInterrupt is the time in which a signal counts as the one before: a terminal sends it to all programs in the foreground,
// and a program that has started this one passes it on.
const sameInterrupt = time.Second

// exitAborted is the exit code after a second interrupt.
const exitAborted = 130

// interrupts end the run: the first one in good order, the second one at once.
type interrupts struct {
	// ctx ends with the first interrupt.
	ctx context.Context

	mutex    sync.Mutex
	onSecond []func()
}

// watchInterrupts waits for signals and for the end of the parent process: `go run` ends without a word to its child.
func watchInterrupts(stderr io.Writer) *interrupts {
	ctx, cancel := context.WithCancelCause(context.Background())
	i := &interrupts{ctx: ctx}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // As nohup sets it.
		signal.Notify(signals, syscall.SIGHUP)
	}
	parent := os.Getppid()
	go func() {
		ticker := time.NewTicker(parentInterval)
		defer ticker.Stop()
		var first time.Time
		for {
			select {
			case received := <-signals:
				switch {
				case first.IsZero():
					first = time.Now()
				case time.Since(first) < sameInterrupt:
					continue
				default:
					i.abort()
				}
				fmt.Fprintln(stderr, "Stopping everything; interrupt again to kill it.")
				cancel(fmt.Errorf("interrupted (%s)", received))
			case <-ticker.C:
				if os.Getppid() != parent {
					cancel(errors.New("interrupted (the parent process has ended)"))
				}
			}
		}
	}()
	return i
}

// onAbort adds something to do before the program ends at once.
func (i *interrupts) onAbort(action func()) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.onSecond = append(i.onSecond, action)
}

// abort ends the program, and what it has started.
func (i *interrupts) abort() {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	process.KillAll()
	for _, action := range i.onSecond {
		action()
	}
	os.Exit(exitAborted)
}

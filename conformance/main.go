// Command conformance asks a real kube-apiserver with the real admission webhooks about manifests: what it refuses, what changes
// on a second apply, what it adds, and what it says to cases that the library has an opinion about.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"conformance/internal/kubelet"
)

// errDisagreement ends the program after a report that says what is wrong.
var errDisagreement = errors.New("the API server disagrees with the manifests")

// Exit codes that are not 0 or 1.
const (
	// exitNoRights is that of a run that may not make namespaces: nothing is wrong, and nothing is proved.
	exitNoRights = 3
	// exitNotAlive is that of a run in which a tenant is not as its page says, or a machine does not become a node.
	exitNotAlive = 4
)

// exitError ends the program with a code, after a report.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

func main() {
	kubelet.Enter()
	interrupts := watchInterrupts(os.Stderr)
	if err := run(interrupts, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		var exit exitError
		if errors.As(err, &exit) {
			os.Exit(int(exit))
		}
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

// run is the program.
func run(interrupts *interrupts, args []string, stdout, stderr io.Writer) (err error) {
	opts, err := parseOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	ctx := interrupts.ctx
	if opts.timeout > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, opts.timeout, fmt.Errorf("not done after %s", opts.timeout))
		defer cancel()
		ctx = limited
	}
	defer func() { err = causeOf(ctx, err) }()
	if opts.kubeconfig != "" {
		return visit(ctx, opts, stdout, stderr)
	}

	dir, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return fmt.Errorf("create a temporary directory: %w", err)
	}
	if opts.keep {
		fmt.Fprintln(stderr, "The servers' files are in", dir)
	} else {
		remove := func() { _ = os.RemoveAll(dir) }
		defer remove()
		interrupts.onAbort(remove)
	}
	if len(opts.alive) > 0 {
		return runAlive(ctx, opts, dir, stdout, stderr)
	}
	if opts.machines != "" {
		return runMachines(ctx, opts, dir, stdout, stderr)
	}
	if len(opts.installed) > 0 {
		return runInstalled(ctx, opts, dir, stdout, stderr)
	}
	return runSuite(ctx, opts, dir, stdout, stderr)
}

// causeOf returns why the context has ended in place of an error that only says that it has.
func causeOf(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return context.Cause(ctx)
}

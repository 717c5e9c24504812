// Command conformance applies manifests to a real kube-apiserver with the real admission webhooks
// and reports what is refused, what changes on a second apply and what the server adds.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// errDisagreement ends the program after a report that says what is wrong.
var errDisagreement = errors.New("the API server disagrees with the manifests")

// options are the settings of a run.
type options struct {
	dir      string
	bin      string
	crds     string
	timeout  time.Duration
	webhooks bool
	keep     bool
	paths    []string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	opts, err := parseOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, opts.timeout)
	defer cancel()
	return runSuite(ctx, opts, stdout, stderr)
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	opts := &options{}
	flags := flag.NewFlagSet("conformance", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "Usage: conformance [flags] FILE|DIRECTORY...")
		flags.PrintDefaults()
	}
	flags.StringVar(&opts.dir, "dir", ".", "directory of this module, with servers and webhooks")
	flags.StringVar(&opts.bin, "bin", "", "directory for executables (default bin in the directory of this module)")
	flags.DurationVar(&opts.timeout, "timeout", 45*time.Minute, "end everything after this time, the first build included")
	flags.BoolVar(&opts.webhooks, "webhooks", true, "run the providers' admission webhooks")
	flags.BoolVar(&opts.keep, "keep", false, "keep the temporary directory with the servers' logs")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if opts.paths = flags.Args(); len(opts.paths) == 0 {
		flags.Usage()
		return nil, errors.New("no manifests given")
	}
	if opts.bin == "" {
		opts.bin = filepath.Join(opts.dir, "bin")
	}
	// The servers run in another directory.
	var err error
	if opts.bin, err = filepath.Abs(opts.bin); err != nil {
		return nil, fmt.Errorf("find the directory for executables: %w", err)
	}
	if opts.crds = os.Getenv("CRDS_DIR"); opts.crds == "" {
		opts.crds = filepath.Join(opts.dir, "..", "..", "shared", "crds")
	}
	return opts, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"conformance/internal/admission"
	"conformance/internal/agree"
	"conformance/internal/cluster"
	"conformance/internal/controlplane"
	"conformance/internal/corpus"
	"conformance/internal/definitions"
	"conformance/internal/manifest"
	"conformance/internal/process"
	"conformance/internal/rollouts"
)

// watchInterval is the time between two looks at the servers.
const watchInterval = time.Second

// suite is one run: what is built, started and stopped.
type suite struct {
	*options
	log       *log
	stdout    io.Writer
	providers []admission.Provider
	// modules maps the name of a provider to the directory of its module.
	modules map[string]string
	// temp is the temporary directory with all files of the run.
	temp string
	// files, sets and definitions are what is asked about.
	files    []string
	sets     []*agree.Set
	rollouts []*rollouts.Pair
	corpus   []*corpus.Pair
	// deliveries are what the corpus is applied with.
	deliveries  corpus.Deliveries
	definitions *definitions.Set
	// controlPlane and client are there once the servers run.
	controlPlane *controlplane.ControlPlane
	client       *cluster.Client
}

// runSuite builds and starts everything, asks about everything and stops everything again.
func runSuite(ctx context.Context, opts *options, dir string, stdout, stderr io.Writer) error {
	s := &suite{options: opts, log: newLog(stderr), stdout: stdout, temp: dir, modules: map[string]string{}}
	if opts.webhooks {
		s.providers = append(admission.Providers(), admission.Development())
	}
	// Before the build, so that a wrong path is found at once.
	if err := s.read(); err != nil {
		return err
	}
	if err := s.build(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go watchServers(ctx, cancel)
	stop, err := s.start(ctx)
	defer stop()
	if err != nil {
		return causeOf(ctx, err)
	}
	// The checks, in this order. Each check that finds a disagreement still lets the next ones run.
	var disagreement error
	for _, check := range []func(context.Context) error{s.checkFiles, s.checkCases, s.checkProgress, s.checkRollouts, s.checkFolders} {
		if err := check(ctx); errors.Is(err, errDisagreement) {
			disagreement = err
		} else if err != nil {
			return causeOf(ctx, err)
		}
	}
	return disagreement
}

// read reads everything that the run is about.
func (s *suite) read() (err error) {
	if s.files, err = manifest.Files(s.paths); err != nil {
		return err
	}
	if s.cases != "" {
		if s.sets, err = agree.Read(s.cases); err != nil {
			return err
		}
	}
	if s.pairs != "" {
		if s.rollouts, err = rollouts.Read[rollouts.Pair](s.pairs); err != nil {
			return err
		}
	}
	if err = s.readFolders(); err != nil {
		return err
	}
	if s.definitions, err = definitions.Find(s.places()); err != nil || s.moreDefinitions == "" {
		return err
	}
	return s.definitions.Replace(s.moreDefinitions, nil)
}

// start starts the servers, creates the definitions and registers the webhooks.
// The function it returns stops what was started, also after an error.
func (s *suite) start(ctx context.Context) (stop func(), err error) {
	var started []interface{ Stop() }
	stop = func() {
		for i := len(started) - 1; i >= 0; i-- {
			started[i].Stop()
		}
	}
	if s.controlPlane, err = controlplane.Start(ctx, s.bin, s.temp); err != nil {
		return stop, err
	}
	started = append(started, s.controlPlane)
	s.log.printf("The API server is ready.")

	if s.client, err = cluster.NewClient(s.controlPlane.Config); err != nil {
		return stop, err
	}
	for _, provider := range s.providers {
		if provider.Definitions == "" {
			continue
		}
		if err := s.definitions.Replace(filepath.Join(s.modules[provider.Name], provider.Definitions), provider.Labels); err != nil {
			return stop, err
		}
	}
	if err := s.client.CreateDefinitions(ctx, s.definitions.Definitions); err != nil {
		return stop, err
	}
	s.log.printf("%d custom resource definitions of %s are served.", len(s.definitions.Definitions), s.definitions.Origin)
	for _, group := range s.definitions.Missing {
		s.log.printf("No definitions of %s are there; the kinds are not checked.", group)
	}

	for _, provider := range s.providers {
		server, err := admission.Start(ctx, provider, s.modules[provider.Name], s.bin, s.temp, s.controlPlane, s.client)
		if err != nil {
			return stop, err
		}
		started = append(started, server)
		s.log.printf("The webhooks of %s are registered.", provider.Module)
	}
	return stop, process.Check()
}

// watchServers ends the run when a server has ended by itself or listens on an address that other machines can reach.
func watchServers(ctx context.Context, cancel context.CancelCauseFunc) {
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := process.Check(); err != nil {
				cancel(err)
			}
		}
	}
}

// log prints messages with the time since the start.
type log struct {
	out     io.Writer
	started time.Time
}

func newLog(out io.Writer) *log { return &log{out: out, started: time.Now()} }

func (l *log) printf(format string, args ...any) {
	fmt.Fprintf(l.out, "%5.1fs "+format+"\n", append([]any{time.Since(l.started).Seconds()}, args...)...)
}

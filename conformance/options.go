package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"conformance/internal/definitions"
)

// suiteLimit is how long a run takes at the most if nothing else is said.
const suiteLimit = 45 * time.Minute

// options are the settings of a run.
type options struct {
	dir      string
	bin      string
	timeout  time.Duration
	webhooks bool
	keep     bool
	// unused makes allowances for drift that no manifest needs a disagreement.
	unused bool
	// progress are files with tenants that the controllers work on.
	progress []string
	// alive are folders with a tenant each, which lives, and behind them those with later states of its page.
	alive [][]string
	// machines is a file of machines of which kubeadm and kubelets are asked.
	machines string
	// ifBuilt leaves living tenants and machines out where a program of theirs has not been built yet.
	ifBuilt bool
	// usage is a file for what the containers of living tenants take.
	usage string
	// installed are files with providers that the Cluster API Operator installs.
	installed []string
	// cases and verdicts are files, both or none.
	cases, verdicts string
	// pairs and outcomes are files, both or none.
	pairs, outcomes string
	// folders and folderOutcomes are files, both or none.
	folders, folderOutcomes string
	// moreDefinitions is a directory with further definitions that the API server has.
	moreDefinitions string
	// kubeconfig is the way to a cluster in place of our own, with a context and a namespace in it.
	kubeconfig, context, namespace string
	paths                          []string
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	opts := &options{}
	flags := flag.NewFlagSet("conformance", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "Usage: conformance [flags] [FILE|DIRECTORY...]")
		flags.PrintDefaults()
	}
	flags.StringVar(&opts.dir, "dir", ".", "directory of this module, with servers and webhooks")
	flags.StringVar(&opts.bin, "bin", "", "directory for executables (default bin in the directory of this module)")
	flags.DurationVar(&opts.timeout, "timeout", 0, "end everything after this time, the first build included (default 45m; none with --alive, --machines and --install,\n"+
		"whose steps have limits of their own)")
	flags.BoolVar(&opts.webhooks, "webhooks", true, "run the providers' admission webhooks")
	flags.BoolVar(&opts.keep, "keep", false, "keep the temporary directory with the servers' logs")
	flags.BoolVar(&opts.unused, "unused-allowances", true,
		"fail on allowances for drift that no manifest needs; switch it off for other manifests than all golden files")
	flags.Func("progress", "file of a tenant that the real controllers work on, and where they get is checked; may be given several times;\n"+
		"further files of the same tenant, behind commas, put it to sleep",
		func(file string) error {
			opts.progress = append(opts.progress, file)
			return nil
		})
	flags.Func("alive", "synthesized folder of a tenant that lives, with real controllers in a sandbox; may be given several times, and nothing else with it;\n"+
		"further folders, behind commas, are later states of its page, and --outcomes takes what they make of its machines",
		func(folders string) error {
			opts.alive = append(opts.alive, strings.Split(folders, ","))
			return nil
		})
	flags.StringVar(&opts.machines, "machines", "", "file of machines of which kubeadm and kubelets are asked, one JSON object a line; nothing else with it")
	flags.Func("install", "file with providers that the Cluster API Operator installs, in a sandbox, and nothing else with it; may be given several times, the later ones as changes of the first",
		func(file string) error {
			opts.installed = append(opts.installed, file)
			return nil
		})
	flags.StringVar(&opts.usage, "usage", "", "file for a table, in Markdown, of what the containers of living tenants take")
	flags.BoolVar(&opts.ifBuilt, "if-built", false, "with --alive, --machines or --folders: build no programs but servers and providers, and do nothing where one is not in the cache")
	flags.StringVar(&opts.cases, "cases", "", "file of cases to ask the server about, one JSON object a line")
	flags.StringVar(&opts.verdicts, "verdicts", "", "file for the server's verdicts on the cases, one JSON object a line")
	flags.StringVar(&opts.pairs, "pairs", "", "file of pairs of manifests that are applied one after the other, one JSON object a line")
	flags.StringVar(&opts.outcomes, "outcomes", "", "file for what the controllers make of the pairs, or of the states of living tenants, one JSON object a line")
	flags.StringVar(&opts.folders, "folders", "", "file of pairs of folders that are applied one after the other, as their owners do, one JSON object a line")
	flags.StringVar(&opts.moreDefinitions, "definitions", "", "directory with further custom resource definitions that the API server has")
	flags.StringVar(&opts.folderOutcomes, "folder-outcomes", "", "file for what the controllers make of the pairs of folders, one JSON object a line")
	flags.StringVar(&opts.kubeconfig, "kubeconfig", "",
		"kubeconfig of a cluster to ask in place of servers of our own; only dry runs are sent to it")
	flags.StringVar(&opts.context, "context", "", "context in the kubeconfig (default its current context)")
	flags.StringVar(&opts.namespace, "namespace", "", "namespace of that cluster in which to try what is in namespaces (default those of the manifests)")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	opts.paths = flags.Args()
	if err := opts.check(); err != nil {
		flags.Usage()
		return nil, err
	}
	if opts.timeout == 0 && !opts.isAlone() {
		opts.timeout = suiteLimit
	}
	if opts.bin == "" {
		opts.bin = filepath.Join(opts.dir, "bin")
	}
	// The servers run in another directory.
	var err error
	if opts.bin, err = filepath.Abs(opts.bin); err != nil {
		return nil, fmt.Errorf("find the directory for executables: %w", err)
	}
	return opts, nil
}

// isAlone reports whether the run is of a kind that has nothing else with it.
func (o *options) isAlone() bool { return len(o.alive) > 0 || o.machines != "" || len(o.installed) > 0 }

// check returns an error if the settings do not fit together.
func (o *options) check() error {
	modes := 0
	for _, isSet := range []bool{len(o.alive) > 0, o.machines != "", len(o.installed) > 0} {
		if isSet {
			modes++
		}
	}
	switch {
	case modes > 0:
		if modes > 1 || len(o.paths) > 0 || o.cases != "" || len(o.progress) > 0 || o.pairs != "" || o.folders != "" || o.kubeconfig != "" {
			return errors.New("--alive, --machines and --install run alone")
		}
		return nil
	case o.ifBuilt && o.folders == "":
		return errors.New("--if-built is for --alive, --machines and --folders")
	case o.usage != "":
		return errors.New("--usage is for --alive")
	case len(o.paths) == 0 && o.cases == "" && len(o.progress) == 0 && o.pairs == "" && o.folders == "":
		return errors.New("no manifests, cases, pairs, providers, machines or living tenants given")
	case (o.cases == "") != (o.verdicts == ""):
		return errors.New("--cases and --verdicts need each other")
	case (o.pairs == "") != (o.outcomes == ""):
		return errors.New("--pairs and --outcomes need each other")
	case (o.folders == "") != (o.folderOutcomes == ""):
		return errors.New("--folders and --folder-outcomes need each other")
	case (len(o.progress) > 0 || o.pairs != "" || o.folders != "") && !o.webhooks:
		return errors.New("--progress, --pairs and --folders need the programs of the providers, so also their webhooks")
	case o.kubeconfig == "" && (o.context != "" || o.namespace != ""):
		return errors.New("--context and --namespace are for a cluster that --kubeconfig names")
	default:
		return nil
	}
}

// places are where the definitions can be.
func (o *options) places() definitions.Places {
	project := filepath.Join(o.dir, "..")
	return definitions.Places{
		Explicit: os.Getenv("CRDS_DIR"),
		Shared:   filepath.Join(project, "..", "shared", "crds"),
		Further:  filepath.Join(project, "..", "shared", "provider-crds"),
		Cache:    filepath.Join(project, ".crds-cache"),
		Sources:  filepath.Join(project, "scripts", "crds", "sources.json"),
	}
}

// Command kubelet-config says whether a kubelet of the Kubernetes minor that it is built with starts with its flags and its configuration, in the words
// of that kubelet. It does what the kubelet does first (kubernetes/kubernetes cmd/kubelet/app/server.go, NewKubeletCommand): the same flags, loader, feature
// gates and validation. Then it ends, where the kubelet would change the machine.
//
//	kubelet-config --config=/var/lib/kubelet/config.yaml --node-labels=pool=general
package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"

	"github.com/spf13/pflag"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	cliflag "k8s.io/component-base/cli/flag"
	_ "k8s.io/component-base/logs/json/register"
	"k8s.io/component-base/version/verflag"
	"k8s.io/kubernetes/cmd/kubelet/app/options"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/apis/config/validation"
	"k8s.io/kubernetes/pkg/kubelet/kubeletconfig/configfiles"
	utilfs "k8s.io/kubernetes/pkg/util/filesystem"
)

func main() {
	if err := check(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// check returns why the kubelet would not start.
func check(args []string) error {
	flags, defaults, err := parse(args)
	if err != nil {
		return err
	}
	configuration := defaults
	if flags.KubeletConfigFile != "" {
		if configuration, err = load(flags.KubeletConfigFile); err != nil {
			return fmt.Errorf("load %s: %w", flags.KubeletConfigFile, err)
		}
		if err := override(configuration, args); err != nil {
			return err
		}
	}
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(configuration.FeatureGates); err != nil {
		return fmt.Errorf("set feature gates: %w", err)
	}
	// The machines are others than this one: what kubelets of the minor refuse by default is the only thing that they may refuse of a machine.
	if configuration.FailCgroupV1 && !defaults.FailCgroupV1 {
		return errors.New("failCgroupV1: true keeps the kubelet from machines with cgroup v1, on which it starts by default")
	}
	configuration.FailCgroupV1 = false
	return validation.ValidateKubeletConfiguration(configuration, utilfeature.DefaultFeatureGate)
}

// parse reads the flags. It returns what is not in the file, and the configuration that a kubelet without a file has.
func parse(args []string) (*options.KubeletFlags, *kubeletconfig.KubeletConfiguration, error) {
	set := pflag.NewFlagSet("kubelet", pflag.ContinueOnError)
	set.SetNormalizeFunc(cliflag.WordSepNormalizeFunc)
	flags := options.NewKubeletFlags()
	configuration, err := options.NewKubeletConfiguration()
	if err != nil {
		return nil, nil, err
	}
	flags.AddFlags(set)
	options.AddKubeletConfigFlags(set, configuration)
	options.AddGlobalFlags(set)
	if err := set.Parse(args); err != nil {
		return nil, nil, err
	}
	if set.NArg() > 0 {
		return nil, nil, fmt.Errorf("unknown command %s", set.Arg(0))
	}
	verflag.PrintAndExitIfRequested()
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(configuration.FeatureGates); err != nil {
		return nil, nil, fmt.Errorf("set feature gates of flags: %w", err)
	}
	return flags, configuration, options.ValidateKubeletFlags(flags)
}

// load reads the file. Kubelets before 1.34 need no context for it.
func load(path string) (*kubeletconfig.KubeletConfiguration, error) {
	loader, err := configfiles.NewFsLoader(&utilfs.DefaultFs{}, path)
	if err != nil {
		return nil, err
	}
	switch l := any(loader).(type) {
	case interface {
		Load(context.Context) (*kubeletconfig.KubeletConfiguration, error)
	}:
		return l.Load(context.Background())
	case interface {
		Load() (*kubeletconfig.KubeletConfiguration, error)
	}:
		return l.Load()
	}
	return nil, errors.New("the loader of this minor is not known")
}

// override sets what flags set, which win over the file; feature gates of both count.
func override(configuration *kubeletconfig.KubeletConfiguration, args []string) error {
	set := pflag.NewFlagSet("kubelet", pflag.ContinueOnError)
	set.SetNormalizeFunc(cliflag.WordSepNormalizeFunc)
	options.NewKubeletFlags().AddFlags(set)
	options.AddKubeletConfigFlags(set, configuration)
	options.AddGlobalFlags(set)
	ofFile := maps.Clone(configuration.FeatureGates)
	if err := set.Parse(args); err != nil {
		return err
	}
	for name, on := range ofFile {
		if _, isSet := configuration.FeatureGates[name]; !isSet {
			configuration.FeatureGates[name] = on
		}
	}
	return nil
}

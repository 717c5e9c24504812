// Prints what the components of one release of Kubernetes take, as JSON: flags, feature gates, admission plug-ins, fields of
// KubeletConfiguration, feature gates of kubeadm, and since and until when kinds are served.
//
// It asks the components' own packages. kubernetes-facts.ts, which builds it, writes a go.mod for each release.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	_ "k8s.io/component-base/logs/json/register"
	kubelet "k8s.io/kubelet/config/v1beta1"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubeadm "k8s.io/kubernetes/cmd/kubeadm/app/features"
	kubeletoptions "k8s.io/kubernetes/cmd/kubelet/app/options"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/controlplane"
	admission "k8s.io/kubernetes/pkg/kubeapiserver/options"
)

type flag struct {
	Name       string `json:"name"`
	Type       string `json:"type"`
	Deprecated bool   `json:"deprecated,omitempty"`
}

type gate struct {
	Stage   string `json:"stage"`
	Default bool   `json:"default"`
	Locked  bool   `json:"locked,omitempty"`
}

type plugin struct {
	Name string `json:"name"`
	On   bool   `json:"on"`
}

type api struct {
	Group      string `json:"group"`
	Version    string `json:"version"`
	Kind       string `json:"kind"`
	Introduced string `json:"introduced"`
	Removed    string `json:"removed,omitempty"`
}

type facts struct {
	Gates        map[string]gate   `json:"gates"`
	KubeadmGates map[string]gate   `json:"kubeadmGates"`
	Plugins      []plugin          `json:"admissionPlugins"`
	Kubelet      map[string]string `json:"kubelet"`
	APIs         []api             `json:"apis"`
}

// programs have flags. Each makes its own in a process of its own: what they share is global, and some change it for themselves.
var programs = map[string]func() *pflag.FlagSet{
	"kube-apiserver":          func() *pflag.FlagSet { return apiserver.NewAPIServerCommand().Flags() },
	"kube-controller-manager": func() *pflag.FlagSet { return controllermanager.NewControllerManagerCommand().Flags() },
	"kube-scheduler":          func() *pflag.FlagSet { return scheduler.NewSchedulerCommand().Flags() },
	"kubelet":                 kubeletFlags,
}

// main prints the flags of the program that the argument names, and without one what all of them share.
func main() {
	var result any
	if len(os.Args) > 1 {
		result = flagsOf(programs[os.Args[1]]())
	} else {
		result = shared()
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(result); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// kubeletFlags are those that the kubelet shows in its help: it parses them by itself.
func kubeletFlags() *pflag.FlagSet {
	set := pflag.NewFlagSet("kubelet", pflag.ContinueOnError)
	configuration, err := kubeletoptions.NewKubeletConfiguration()
	if err != nil {
		fail(err)
	}
	kubeletoptions.NewKubeletFlags().AddFlags(set)
	kubeletoptions.AddKubeletConfigFlags(set, configuration)
	kubeletoptions.AddGlobalFlags(set)
	return set
}

func shared() facts {
	result := facts{Gates: map[string]gate{}, KubeadmGates: map[string]gate{}, Kubelet: map[string]string{}}
	for name, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		result.Gates[string(name)] = gateOf(spec)
	}
	for name, feature := range kubeadm.InitFeatureGates {
		result.KubeadmGates[name] = gateOf(feature.FeatureSpec)
	}
	off := admission.DefaultOffAdmissionPlugins()
	for _, name := range admission.AllOrderedPlugins {
		result.Plugins = append(result.Plugins, plugin{name, !off.Has(name)})
	}
	fieldsOf(reflect.TypeOf(kubelet.KubeletConfiguration{}), "", result.Kubelet)
	for kind := range legacyscheme.Scheme.AllKnownTypes() {
		if object, err := legacyscheme.Scheme.New(kind); err == nil && !strings.HasSuffix(kind.Kind, "List") {
			result.APIs = append(result.APIs, lifecycle(kind, object)...)
		}
	}
	sort.Slice(result.APIs, func(i, j int) bool {
		return fmt.Sprint(result.APIs[i]) < fmt.Sprint(result.APIs[j])
	})
	return result
}

// types maps names of flag types that only mean how a value is read to the ones of pflag's help.
var types = map[string]string{"stringSlice": "strings", "Level": "int", "pattern=N,...": "moduleSpec"}

func flagsOf(set *pflag.FlagSet) []flag {
	var all []flag
	set.VisitAll(func(one *pflag.Flag) {
		if one.Name == "help" {
			return
		}
		kind, ok := types[one.Value.Type()]
		if !ok {
			kind = one.Value.Type()
		}
		// The programs take an underscore for a hyphen.
		all = append(all, flag{strings.ReplaceAll(one.Name, "_", "-"), kind, one.Deprecated != ""})
	})
	return all
}

func gateOf(spec featuregate.FeatureSpec) gate {
	stage := string(spec.PreRelease)
	if stage == "" {
		stage = "GA"
	}
	return gate{stage, spec.Default, spec.LockToDefault}
}

// lifecycle tells from which release on a kind is served in this version, and from which on no longer. Kinds that are as old as their
// version's first release tell nothing.
func lifecycle(kind schema.GroupVersionKind, object runtime.Object) []api {
	introduced, ok := object.(interface{ APILifecycleIntroduced() (int, int) })
	if !ok {
		return nil
	}
	one := api{Group: kind.Group, Version: kind.Version, Kind: kind.Kind, Introduced: release(introduced.APILifecycleIntroduced())}
	if removed, ok := object.(interface{ APILifecycleRemoved() (int, int) }); ok {
		one.Removed = release(removed.APILifecycleRemoved())
	}
	return []api{one}
}

func release(major, minor int) string {
	return fmt.Sprintf("%d.%d", major, minor)
}

// fieldsOf lists the leaves below a type: `[]` for the elements of a list, `*` for any key.
func fieldsOf(of reflect.Type, path string, fields map[string]string) {
	switch {
	case of.Kind() == reflect.Pointer:
		fieldsOf(of.Elem(), path, fields)
	case leaf(of) != "":
		fields[path] = leaf(of)
	case of.Kind() == reflect.Slice:
		fieldsOf(of.Elem(), path+"[]", fields)
	case of.Kind() == reflect.Map:
		fieldsOf(of.Elem(), strings.TrimPrefix(path+".*", "."), fields)
	case of.Kind() == reflect.Struct:
		for i := range of.NumField() {
			field := of.Field(i)
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			switch {
			case name == "-":
			case name == "" && (field.Anonymous || strings.Contains(options, "inline")):
				fieldsOf(field.Type, path, fields)
			default:
				fieldsOf(field.Type, strings.TrimPrefix(path+"."+name, "."), fields)
			}
		}
	default:
		panic(fmt.Sprintf("%s has a type that is not expected: %s", path, of))
	}
}

// leaf names the type of a value that has no fields of its own, and is empty for others.
func leaf(of reflect.Type) string {
	switch of.String() {
	case "v1.Duration":
		return "duration"
	case "v1.TimeOrMetaDuration":
		return "durationOrInt"
	case "resource.Quantity", "resource.QuantityValue":
		return "quantity"
	case "v1.Time":
		return "time"
	}
	switch of.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint32, reflect.Uint64:
		return "int"
	case reflect.Float32, reflect.Float64:
		return "number"
	}
	return ""
}

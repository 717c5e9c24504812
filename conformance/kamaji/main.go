// Command kamaji tells for pairs of control planes whether Kamaji replaces their pods: Cluster API's provider for Kamaji makes a
// TenantControlPlane of each state, and Kamaji's own code makes the Deployment of that, and looks at the names of its certificate. Nothing
// runs: objects are stored in memory.
//
// It reads a JSON object with a pair on each line of standard input, and writes one with what happens to standard output. With the argument "uploads"
// each line has one state, and the answer is what Kamaji stores in the tenant cluster for machines that join. Its module lies within Kamaji's, whose
// internal packages it uses. With other arguments it is a command at a real API server: see runCommand.
package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"reflect"
	"slices"
	"time"

	kcpv1alpha2 "github.com/clastix/cluster-api-control-plane-provider-kamaji/api/v1alpha2"
	"github.com/clastix/cluster-api-control-plane-provider-kamaji/controllers"
	kamajiv1alpha1 "github.com/clastix/kamaji/api/v1alpha1"
	"github.com/clastix/kamaji/internal/builders/controlplane"
	"github.com/clastix/kamaji/internal/crypto"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

const (
	// longestLine is more than any pair needs.
	longestLine = 16 << 20
	// endpoint is the address that each control plane has been given.
	endpoint = "192.0.2.1:6443"
	// rounds is how often a state is reconciled until nothing changes.
	rounds = 4
)

type state struct {
	Cluster      clusterv1.Cluster              `json:"cluster"`
	ControlPlane kcpv1alpha2.KamajiControlPlane `json:"controlPlane"`
}

type pair struct {
	ID  string `json:"id"`
	Old state  `json:"old"`
	New state  `json:"new"`
}

// outcome is what becomes of a control plane.
type outcome struct {
	ID string `json:"id"`
	// Pods reports whether the template of its pods changes.
	Pods bool `json:"pods"`
	// Certificate reports whether the certificate of the API server is made anew, for which pods are replaced, too.
	Certificate bool `json:"certificate"`
}

func main() {
	answer := answerPair
	if slices.Equal(os.Args[1:], []string{"uploads"}) {
		answer = answerState
	}
	if err := start(answer); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func start(answer func(line []byte, scheme *runtime.Scheme) (any, error)) error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, clusterv1.AddToScheme, kcpv1alpha2.AddToScheme, kamajiv1alpha1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return fmt.Errorf("create the scheme: %w", err)
		}
	}
	if arguments := os.Args[1:]; len(arguments) > 1 {
		return runCommand(scheme, arguments)
	}
	out := os.Stdout
	os.Stdout = nil // kubeadm's code reports there what it does.
	return run(os.Stdin, out, scheme, answer)
}

// run answers each line.
func run(in io.Reader, out io.Writer, scheme *runtime.Scheme, answer func(line []byte, scheme *runtime.Scheme) (any, error)) error {
	lines, encoder := bufio.NewScanner(in), json.NewEncoder(out)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		found, err := answer(lines.Bytes(), scheme)
		if err != nil {
			return err
		}
		if err := encoder.Encode(found); err != nil {
			return fmt.Errorf("write an answer: %w", err)
		}
	}
	return lines.Err()
}

func answerPair(line []byte, scheme *runtime.Scheme) (any, error) {
	p := pair{}
	if err := json.Unmarshal(line, &p); err != nil {
		return nil, fmt.Errorf("read a pair: %w", err)
	}
	found, err := compare(&p, scheme)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.ID, err)
	}
	return found, nil
}

// compare brings both states of a pair about.
func compare(p *pair, scheme *runtime.Scheme) (*outcome, error) {
	c := &controlPlane{client: fake.NewClientBuilder().WithScheme(scheme).Build(), deployment: &appsv1.Deployment{}}
	before, oldNames, err := c.settle(&p.Old)
	if err != nil {
		return nil, fmt.Errorf("the old state: %w", err)
	}
	after, newNames, err := c.settle(&p.New)
	if err != nil {
		return nil, fmt.Errorf("the new state: %w", err)
	}
	certificate, err := certificateWith(oldNames)
	if err != nil {
		return nil, err
	}
	isKept, err := crypto.CheckCertificateNamesAndIPs(certificate, newNames)
	return &outcome{ID: p.ID, Pods: !reflect.DeepEqual(before, after), Certificate: !isKept}, err
}

// controlPlane is a control plane with its Deployment, which is updated as it is.
type controlPlane struct {
	client     client.Client
	deployment *appsv1.Deployment
}

// settle reconciles a state until nothing changes. It returns the pods, and the names that the certificate must have. The order of arguments
// does not matter: Kamaji sorts those that there are, and adds others at the end.
func (c *controlPlane) settle(s *state) (*corev1.PodTemplateSpec, []string, error) {
	var last *corev1.PodTemplateSpec
	for range rounds {
		tenant, err := controllers.TenantControlPlaneOf(context.Background(), c.client, s.Cluster, s.ControlPlane)
		if err != nil {
			return nil, nil, err
		}
		c.build(tenant)
		pods := c.deployment.Spec.Template.DeepCopy()
		for i := range pods.Spec.Containers {
			slices.Sort(pods.Spec.Containers[i].Args)
		}
		if reflect.DeepEqual(last, pods) {
			return pods, tenant.Spec.NetworkProfile.CertSANs, nil
		}
		last = pods
	}
	return nil, nil, errors.New("its pods change again and again")
}

func (c *controlPlane) build(tenant *kamajiv1alpha1.TenantControlPlane) {
	tenant.Status.ControlPlaneEndpoint = endpoint
	store := kamajiv1alpha1.DataStore{Spec: kamajiv1alpha1.DataStoreSpec{Driver: kamajiv1alpha1.EtcdDriver}}
	store.SetName(tenant.Spec.DataStore)
	controlplane.Deployment{Client: c.client, DataStore: store}.Build(context.Background(), c.deployment, *tenant)
	konnectivity, pods := controlplane.Konnectivity{Scheme: *c.client.Scheme()}, &c.deployment.Spec.Template.Spec
	if tenant.Spec.Addons.Konnectivity != nil {
		konnectivity.Build(c.deployment, *tenant)
		return
	}
	konnectivity.RemovingVolumeMounts(pods)
	konnectivity.RemovingVolumes(pods)
	konnectivity.RemovingKubeAPIServerContainerArg(pods)
	konnectivity.RemovingContainer(pods)
}

// certificateWith returns a certificate with names and addresses.
func certificateWith(names []string) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("create a key: %w", err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	for _, name := range names {
		if address := net.ParseIP(name); address != nil {
			template.IPAddresses = append(template.IPAddresses, address)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("create a certificate: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}

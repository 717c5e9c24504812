package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	inmemory "sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/runtime"
	inmemoryapi "sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/server/api"
	inmemoryetcd "sigs.k8s.io/cluster-api/test/infrastructure/inmemory/pkg/server/etcd"
	"sigs.k8s.io/cluster-api/util/certs"
	"sigs.k8s.io/cluster-api/util/secret"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// host is where everything listens.
const host = "127.0.0.1"

// lifetime is how long certificates are valid: longer than any run.
const lifetime = 24 * time.Hour

// etcdPrefix is how the names of etcd's pods begin, by which the control plane provider addresses them.
const etcdPrefix = "etcd-"

// servers are the API servers and etcds of all tenant clusters, one port for each cluster.
type servers struct {
	reader  client.Reader
	manager inmemory.Manager
	// key is that of all certificates, and of the authority of the clusters whose provider is played here.
	key       *rsa.PrivateKey
	authority []byte
	server    *http.Server

	mutex sync.Mutex
	// tenants are the clusters by namespace and name, and by port.
	tenants map[client.ObjectKey]*tenant
	byPort  map[string]*tenant
}

// tenant is the API server of one cluster.
type tenant struct {
	cluster client.ObjectKey
	port    int32
	inmemory.Client

	mutex        sync.Mutex
	certificates map[secret.Purpose]*tls.Certificate
}

func newServers(ctx context.Context, reader client.Reader) (*servers, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		corev1.AddToScheme, appsv1.AddToScheme, rbacv1.AddToScheme, storagev1.AddToScheme, policyv1.AddToScheme, apiextensionsv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("create the scheme of tenants: %w", err)
		}
	}
	key, err := certs.NewPrivateKey()
	if err != nil {
		return nil, fmt.Errorf("create the key of tenants: %w", err)
	}
	authority, err := selfSigned(key)
	if err != nil {
		return nil, err
	}
	s := &servers{
		reader: reader, manager: inmemory.NewManager(scheme), key: key, authority: authority,
		tenants: map[client.ObjectKey]*tenant{}, byPort: map[string]*tenant{},
	}
	if err := s.manager.Start(ctx); err != nil {
		return nil, fmt.Errorf("start the store of tenants: %w", err)
	}
	api := inmemoryapi.NewAPIServerHandler(s.manager, ctrl.Log, s.groupAt)
	etcd := inmemoryetcd.NewEtcdServerHandler(s.manager, ctrl.Log, s.groupAt)
	s.server = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ProtoMajor == 2 && strings.HasPrefix(r.Header.Get("Content-Type"), "application/grpc") {
				etcd.ServeHTTP(w, r)
				return
			}
			api.ServeHTTP(w, r)
		}),
		TLSConfig: &tls.Config{GetCertificate: s.certificate, MinVersion: tls.VersionTLS12},
	}
	return s, nil
}

// at returns the tenant of a Cluster and starts its API server if there is none.
func (s *servers) at(ctx context.Context, cluster client.ObjectKey) (*tenant, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if found := s.tenants[cluster]; found != nil {
		return found, nil
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return nil, fmt.Errorf("listen for cluster %s: %w", cluster, err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	s.manager.AddResourceGroup(cluster.String())
	t := &tenant{
		cluster: cluster, port: int32(port), Client: s.manager.GetResourceGroup(cluster.String()).GetClient(),
		certificates: map[secret.Purpose]*tls.Certificate{},
	}
	for _, name := range []string{metav1.NamespaceDefault, metav1.NamespacePublic, metav1.NamespaceSystem} {
		if err := t.ensure(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
			return nil, err
		}
	}
	s.tenants[cluster], s.byPort[fmt.Sprint(port)] = t, t
	go func() { _ = s.server.ServeTLS(listener, "", "") }()
	return t, nil
}

// in returns the tenants of a namespace.
func (s *servers) in(namespace string) (found []*tenant) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for key, t := range s.tenants {
		if key.Namespace == namespace {
			found = append(found, t)
		}
	}
	return found
}

// tenantAt returns the tenant that listens at an address.
func (s *servers) tenantAt(address string) (*tenant, error) {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if found := s.byPort[port]; found != nil {
		return found, nil
	}
	return nil, fmt.Errorf("no cluster is at %s", address)
}

func (s *servers) groupAt(address string) (string, error) {
	t, err := s.tenantAt(address)
	if err != nil {
		return "", err
	}
	return t.cluster.String(), nil
}

// certificate returns the certificate for an API server, or for the member of etcd that is asked for by its name.
func (s *servers) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	t, err := s.tenantAt(hello.Conn.LocalAddr().String())
	if err != nil {
		return nil, err
	}
	purpose := secret.ClusterCA
	if strings.HasPrefix(hello.ServerName, etcdPrefix) {
		purpose = secret.EtcdCA
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if found := t.certificates[purpose]; found != nil && (purpose == secret.ClusterCA || found.Leaf.VerifyHostname(hello.ServerName) == nil) {
		return found, nil
	}
	created, err := s.sign(hello.Context(), t.cluster, purpose, hello.ServerName)
	if err != nil {
		return nil, err
	}
	t.certificates[purpose] = created
	return created, nil
}

// sign makes a certificate by an authority of a Cluster, which its control plane provider has created.
func (s *servers) sign(ctx context.Context, cluster client.ObjectKey, purpose secret.Purpose, name string) (*tls.Certificate, error) {
	stored, err := secret.GetFromNamespacedName(ctx, s.reader, cluster, purpose)
	if err != nil {
		return nil, fmt.Errorf("read the authority %s of %s: %w", purpose, cluster, err)
	}
	ca, err := certs.DecodeCertPEM(stored.Data[secret.TLSCrtDataName])
	if err != nil || ca == nil {
		return nil, errors.Join(fmt.Errorf("the authority %s of %s has no certificate", purpose, cluster), err)
	}
	caKey, err := certs.DecodePrivateKeyPEM(stored.Data[secret.TLSKeyDataName])
	if err != nil {
		return nil, fmt.Errorf("read the key of the authority %s of %s: %w", purpose, cluster, err)
	}
	config := &certs.Config{
		CommonName: "kube-apiserver", // By which the control plane provider finds it among others.
		AltNames:   certs.AltNames{IPs: []net.IP{net.ParseIP(host)}},
		Usages:     []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if name != "" {
		config.AltNames.DNSNames = []string{name}
	}
	leaf, err := config.NewSignedCert(s.key, ca, caKey)
	if err != nil {
		return nil, fmt.Errorf("sign a certificate for %s: %w", cluster, err)
	}
	return &tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: s.key, Leaf: leaf}, nil
}

// selfSigned returns the certificate of an authority in PEM.
func selfSigned(key *rsa.PrivateKey) ([]byte, error) {
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "tenants"}, NotBefore: now.Add(-time.Minute), NotAfter: now.Add(lifetime),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("create the authority of tenants: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}

// ensure creates an object in a tenant unless it is there.
func (t *tenant) ensure(ctx context.Context, object client.Object) error {
	if err := t.Create(ctx, object); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("create %T %s in %s: %w", object, object.GetName(), t.cluster, err)
	}
	return nil
}

// remove deletes an object of a tenant.
func (t *tenant) remove(ctx context.Context, object client.Object) error {
	if err := t.Delete(ctx, object); err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("delete %T %s in %s: %w", object, object.GetName(), t.cluster, err)
	}
	return nil
}

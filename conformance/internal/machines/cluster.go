package machines

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"conformance/internal/controlplane"
)

// Values in the files of machines about the cluster that they join, in place of those that only the run knows.
const (
	Endpoint = "cluster.invalid:6443"
	CAHash   = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
	// Token is the bootstrap token that the cluster knows.
	Token = "abcdef.0123456789abcdef"
)

// Cluster answers machines that join as an API server does: it has the ConfigMaps that kubeadm reads, and nothing else.
type Cluster struct {
	server *http.Server
	// known fills in what the files of machines leave open.
	known *strings.Replacer
	// configMaps are the data of ConfigMaps by their path.
	configMaps map[string]map[string]string
}

// StartCluster starts a cluster whose files are in dir. The caller calls Stop.
func StartCluster(dir string) (*Cluster, error) {
	pki, err := controlplane.NewPKI(dir)
	if err != nil {
		return nil, err
	}
	pair, err := tls.LoadX509KeyPair(pki.CertFile(), pki.KeyFile())
	if err != nil {
		return nil, fmt.Errorf("load the certificate of the cluster: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for machines: %w", err)
	}
	block, _ := pem.Decode(pki.CA)
	authority, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read the authority of the cluster: %w", err)
	}
	hash := sha256.Sum256(authority.RawSubjectPublicKeyInfo)
	c := &Cluster{known: strings.NewReplacer(Endpoint, listener.Addr().String(), CAHash, "sha256:"+hex.EncodeToString(hash[:]))}
	info, err := clusterInfo("https://"+listener.Addr().String(), pki.CA)
	if err != nil {
		return nil, err
	}
	c.server = &http.Server{
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, Handler: c.handler(info),
		// A machine that makes a cluster of its own finds this one at its endpoint, and turns away.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() {
		if err := c.server.ServeTLS(listener, "", ""); !errors.Is(err, http.ErrServerClosed) {
			panic(err) // Its machines would wait for minutes.
		}
	}()
	return c, nil
}

// Stop ends the cluster.
func (c *Cluster) Stop() { _ = c.server.Close() }

// Fill returns files with what they leave open about the cluster.
func (c *Cluster) Fill(files map[string]string) map[string]string {
	filled := make(map[string]string, len(files))
	for name, content := range files {
		filled[name] = c.known.Replace(content)
	}
	return filled
}

// Store sets the data of the ConfigMaps in kube-system, by their names.
func (c *Cluster) Store(configMaps map[string]map[string]string) { c.configMaps = configMaps }

func (c *Cluster) handler(info map[string]string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/namespaces/kube-public/configmaps/cluster-info", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, configMap("kube-public", "cluster-info", info))
	})
	mux.HandleFunc("GET /api/v1/namespaces/kube-system/configmaps/{name}", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("name")
		if data, found := c.configMaps[name]; found {
			answer(w, http.StatusOK, configMap("kube-system", name, data))
			return
		}
		notFound(w, r)
	})
	mux.HandleFunc("/", notFound)
	return mux
}

func configMap(namespace, name string, data map[string]string) map[string]any {
	return map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"namespace": namespace, "name": name}, "data": data}
}

func notFound(w http.ResponseWriter, r *http.Request) {
	answer(w, http.StatusNotFound, map[string]any{
		"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": "NotFound", "code": http.StatusNotFound, "message": r.URL.Path + " not found",
	})
}

func answer(w http.ResponseWriter, code int, object map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(object) // The machine says what it misses.
}

// clusterInfo is the data of the ConfigMap by which machines trust the cluster, signed with the token as Kubernetes' bootstrap signer does
// (k8s.io/cluster-bootstrap token/jws: a detached JSON Web Signature).
func clusterInfo(server string, authority []byte) (map[string]string, error) {
	config := api.NewConfig()
	config.Clusters[""] = &api.Cluster{Server: server, CertificateAuthorityData: authority}
	kubeconfig, err := clientcmd.Write(*config)
	if err != nil {
		return nil, fmt.Errorf("write the kubeconfig for machines: %w", err)
	}
	id, secret, _ := strings.Cut(Token, ".")
	encode := base64.RawURLEncoding.EncodeToString
	header := encode([]byte(`{"alg":"HS256","kid":"` + id + `"}`))
	signature := hmac.New(sha256.New, []byte(secret))
	signature.Write([]byte(header + "." + encode(kubeconfig)))
	return map[string]string{"kubeconfig": string(kubeconfig), "jws-kubeconfig-" + id: header + ".." + encode(signature.Sum(nil))}, nil
}

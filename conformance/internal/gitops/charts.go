package gitops

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"sigs.k8s.io/yaml"

	"conformance/internal/controlplane"
	"conformance/internal/live"
)

// httpsPort is where a URL without a port is served.
const httpsPort = "443"

// Charts are charts of our own in place of those that pages ask for: with the same name and version, at the same URL.
type Charts struct {
	// files are the answers by host and path.
	files map[string]file
	// hosts are the host names and ports of the URLs.
	hosts map[[2]string]bool
	// withheld are the names of charts that are not to be had.
	withheld sync.Map
	// passwords are those that hosts require, by name.
	passwords sync.Map
	// asked counts requests.
	asked atomic.Int64
}

// file is the answer to a request.
type file struct {
	// chart is the name of the chart that the content is, empty for what is about several.
	chart       string
	contentType string
	content     []byte
}

func (f file) digest() string {
	sum := sha256.Sum256(f.content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// NewCharts makes the charts that the HelmReleases and HelmChartProxies among the objects ask for. source-controller reads the index of
// a repository every ten minutes only: the objects should be those of all pages to come. definitions are those that charts install.
func NewCharts(objects, definitions []*live.Object) (*Charts, error) {
	wanted, err := requests(objects)
	if err != nil {
		return nil, err
	}
	c := &Charts{files: map[string]file{}, hosts: map[[2]string]bool{}}
	repositories := map[string][]request{}
	for _, r := range wanted {
		host, port, err := net.SplitHostPort(r.host)
		if err != nil {
			host, port = r.host, httpsPort
		}
		c.hosts[[2]string{host, port}] = true
		archive, err := r.archive(definitions)
		if err != nil {
			return nil, err
		}
		if r.isImage {
			err = c.addImage(r, archive)
		} else {
			c.files[r.host+r.folder+"/"+r.archiveName()] = file{r.name, "application/gzip", archive}
			repositories[r.host+r.folder] = append(repositories[r.host+r.folder], r)
		}
		if err != nil {
			return nil, err
		}
	}
	for address, charts := range repositories {
		if err := c.addIndex(address, charts); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// addIndex adds the index of a repository of Helm.
func (c *Charts) addIndex(address string, charts []request) error {
	entries := map[string][]any{}
	for _, r := range charts {
		entry := r.metadata()
		entry["urls"] = []any{r.archiveName()}
		entry["digest"] = c.files[address+"/"+r.archiveName()].digest()
		entries[r.name] = append(entries[r.name], entry)
	}
	index, err := yaml.Marshal(map[string]any{"apiVersion": "v1", "entries": entries})
	if err != nil {
		return fmt.Errorf("encode the index of %s: %w", address, err)
	}
	c.files[address+"/index.yaml"] = file{"", "application/yaml", index}
	return nil
}

// Hosts returns the host names of the charts. Who installs the charts must find the server under these names.
func (c *Charts) Hosts() []string {
	hosts := map[string]bool{}
	for host := range c.hosts {
		hosts[host[0]] = true
	}
	return slices.Sorted(maps.Keys(hosts))
}

// Serve answers on an address, on all ports that the charts need, with a certificate of the authority.
func (c *Charts) Serve(address string, pki *controlplane.PKI) (*Server, error) {
	config, err := serverConfig(pki, c.Hosts())
	if err != nil {
		return nil, err
	}
	addresses := map[string]bool{}
	for host := range c.hosts {
		addresses[net.JoinHostPort(address, host[1])] = true
	}
	// Clients report themselves what they do not trust.
	quiet := log.New(io.Discard, "", 0)
	return serve(&http.Server{Handler: c, TLSConfig: config, ErrorLog: quiet}, slices.Sorted(maps.Keys(addresses))...)
}

// Withhold refuses to hand out a chart until the result is called: what depends on it must wait. source-controller asks again after times
// that double from 750 ms on, or when Reconcile asks it to look at the HelmChart, or OCIRepository.
func (c *Charts) Withhold(name string) (release func()) {
	c.withheld.Store(name, true)
	return func() { c.withheld.Delete(name) }
}

// RequirePassword refuses requests to a host without its password. Any user is accepted.
func (c *Charts) RequirePassword(host, password string) { c.passwords.Store(host, password) }

// Asked returns the number of requests up to now.
func (c *Charts) Asked() int64 { return c.asked.Load() }

// ServeHTTP answers with a file.
func (c *Charts) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	c.asked.Add(1)
	if wanted, closed := c.passwords.Load(request.Host); closed {
		if _, password, _ := request.BasicAuth(); password != wanted {
			response.Header().Set("WWW-Authenticate", `Basic realm="charts"`)
			http.Error(response, "the password of "+request.Host+" is missing or wrong", http.StatusUnauthorized)
			return
		}
	}
	found, ok := c.files[request.Host+request.URL.Path]
	if _, withheld := c.withheld.Load(found.chart); withheld {
		http.Error(response, "chart "+found.chart+" is withheld", http.StatusServiceUnavailable)
		return
	}
	if !ok {
		http.Error(response, "no chart of the pages is at "+request.Host+request.URL.Path, http.StatusNotFound)
		return
	}
	response.Header().Set("Content-Type", found.contentType)
	response.Header().Set("Content-Length", fmt.Sprint(len(found.content)))
	response.Header().Set(digestHeader, found.digest())
	_, _ = response.Write(found.content) // An error means that the client is gone.
}

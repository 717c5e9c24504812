package controlplane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// lifetime is how long certificates are valid: longer than any run.
const lifetime = 24 * time.Hour

// PKI holds a throwaway authority and one serving certificate for 127.0.0.1 and further names, as files.
type PKI struct {
	// Dir contains tls.crt and tls.key, the names webhook servers look for.
	Dir string
	// CA is the authority's certificate in PEM.
	CA []byte
	// CAKey is the authority's key in PEM, for who hands the authority on. It is in no file.
	CAKey []byte
}

// CertFile is the path of the serving certificate.
func (p *PKI) CertFile() string { return filepath.Join(p.Dir, "tls.crt") }

// KeyFile is the path of the private key.
func (p *PKI) KeyFile() string { return filepath.Join(p.Dir, "tls.key") }

// NewPKI creates an authority and a serving certificate in dir, for 127.0.0.1 and for further addresses and names.
func NewPKI(dir string, names ...string) (*PKI, error) {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("generate the authority's key: %w", err)
	}
	ca := template("conformance-ca", 1)
	ca.IsCA, ca.BasicConstraintsValid, ca.KeyUsage = true, true, x509.KeyUsageCertSign
	caDER, err := x509.CreateCertificate(rand.Reader, ca, ca, caKey.Public(), caKey)
	if err != nil {
		return nil, fmt.Errorf("create the authority's certificate: %w", err)
	}

	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("generate the serving key: %w", err)
	}
	leaf := template("conformance", 2)
	leaf.KeyUsage = x509.KeyUsageDigitalSignature
	// The same pair identifies the API server to aggregated ones, and Kamaji to its store.
	leaf.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	leaf.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	for _, name := range names {
		if address := net.ParseIP(name); address != nil {
			leaf.IPAddresses = append(leaf.IPAddresses, address)
		} else {
			leaf.DNSNames = append(leaf.DNSNames, name)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, ca, key.Public(), caKey)
	if err != nil {
		return nil, fmt.Errorf("create the serving certificate: %w", err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encode the serving key: %w", err)
	}

	caKeyDER, err := x509.MarshalECPrivateKey(caKey)
	if err != nil {
		return nil, fmt.Errorf("encode the authority's key: %w", err)
	}

	pki := &PKI{Dir: dir, CA: encode("CERTIFICATE", caDER), CAKey: encode("EC PRIVATE KEY", caKeyDER)}
	if err := os.WriteFile(pki.CertFile(), encode("CERTIFICATE", der), 0o600); err != nil {
		return nil, fmt.Errorf("write the serving certificate: %w", err)
	}
	if err := os.WriteFile(pki.KeyFile(), encode("EC PRIVATE KEY", keyDER), 0o600); err != nil {
		return nil, fmt.Errorf("write the serving key: %w", err)
	}
	return pki, nil
}

func template(name string, serial int64) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(serial),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    now.Add(-time.Minute),
		NotAfter:     now.Add(lifetime),
	}
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// TLSConfig trusts the authority.
func (p *PKI) TLSConfig() *tls.Config {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(p.CA)
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}

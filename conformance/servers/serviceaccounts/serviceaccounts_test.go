// Package serviceaccounts asks the API server's own code which tokens of ServiceAccounts it accepts while keys are exchanged.
package serviceaccounts

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gopkg.in/go-jose/go-jose.v2/jwt"
	apiserverserviceaccount "k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/kubernetes/pkg/serviceaccount"
)

const (
	issuer   = "https://kubernetes.default.svc.cluster.local"
	keyBits  = 2048
	audience = "api"
)

// pair is a pair of keys, in PEM.
type pair struct{ public, private []byte }

func newPair(t *testing.T) pair {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	return pair{
		public:  pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}),
		private: pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}),
	}
}

// server is an API server with the files of one step: the first key signs, all of them verify.
type server struct {
	name  string
	token string
	keys  serviceaccount.PublicKeysGetter
}

func start(t *testing.T, name string, pairs ...pair) server {
	t.Helper()
	folder := t.TempDir()
	publicFile, privateFile := filepath.Join(folder, "sa.pub"), filepath.Join(folder, "sa.key")
	var public [][]byte
	for _, one := range pairs {
		public = append(public, one.public)
	}
	for file, text := range map[string][]byte{publicFile: bytes.Join(public, nil), privateFile: pairs[0].private} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, err := keyutil.PublicKeysFromFile(publicFile)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := serviceaccount.StaticPublicKeysGetter(found)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := keyutil.PrivateKeyFromFile(privateFile)
	if err != nil {
		t.Fatal(err)
	}
	generator, err := serviceaccount.JWTTokenGenerator(issuer, signer)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	token, err := generator.GenerateToken(context.Background(), &jwt.Claims{
		Subject: "system:serviceaccount:default:default", Audience: jwt.Audience{audience},
		IssuedAt: jwt.NewNumericDate(now), NotBefore: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(time.Hour)),
	}, struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	return server{name: name, token: token, keys: keys}
}

// anyone accepts all tokens whose signature is right.
type anyone struct{}

func (anyone) Validate(context.Context, string, *jwt.Claims, *struct{}) (*apiserverserviceaccount.ServiceAccountInfo, error) {
	return &apiserverserviceaccount.ServiceAccountInfo{Name: "default", Namespace: "default"}, nil
}

func (s server) accepts(t *testing.T, token string) bool {
	t.Helper()
	authenticator := serviceaccount.JWTTokenAuthenticator[struct{}]([]string{issuer}, s.keys, []string{audience}, anyone{})
	_, isAccepted, err := authenticator.AuthenticateToken(context.Background(), token)
	return isAccepted && err == nil
}

// TestRotation has API servers of neighboring steps beside each other, as in a rollout.
func TestRotation(t *testing.T) {
	before, after := newPair(t), newPair(t)
	steps := []server{
		start(t, "old", before), start(t, "old, new", before, after), start(t, "new, old", after, before), start(t, "new", after),
	}
	for index, one := range steps[1:] {
		for _, pair := range [][2]server{{steps[index], one}, {one, steps[index]}} {
			if !pair[0].accepts(t, pair[1].token) {
				t.Errorf("[%s] refuses a token of [%s]", pair[0].name, pair[1].name)
			}
		}
	}
}

// TestRefusedSteps shows why TC-CHANGE-SERVICE-ACCOUNT-FIRST-KEY and TC-CHANGE-SERVICE-ACCOUNT-REMOVED-KEY refuse their steps.
func TestRefusedSteps(t *testing.T) {
	before, after := newPair(t), newPair(t)
	first := start(t, "old", before)
	for _, step := range []server{start(t, "new, old", after, before), start(t, "new", after)} {
		if first.accepts(t, step.token) {
			t.Errorf("[old] accepts a token of [%s]", step.name)
		}
	}
	if start(t, "new", after).accepts(t, first.token) {
		t.Error("[new] accepts a token of [old]")
	}
}

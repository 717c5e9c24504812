import * as fs from 'node:fs';
import { ARGO_CD, delivering, manifestsOf, outputOf, withEtcd, Written } from './managed';
import { ImageSources } from '../../../src/constructs/images/image-sources';
import { EtcdDataStoreOptions } from '../../../src/constructs/management/etcd-data-store';
import { KamajiDataStore } from '../../../src/constructs/management/kamaji-data-store';
import { KamajiInstallation } from '../../../src/constructs/management/kamaji-installation';
import { ScriptFolder } from '../../support/shell-scripts';

function jobOf(options: EtcdDataStoreOptions = {}, props = {}): Written {
  return manifestsOf(outputOf({ ...withEtcd(options), ...props }), 'etcd-default-guard').find(({ kind }) => kind === 'Job');
}

function secretsOf(job: Written): string[] {
  return job.spec.template.spec.volumes[0].projected.sources.map(({ secret }: Written) => secret.name);
}

function endpointOf(job: Written): string {
  return job.spec.template.spec.containers[0].env.find(({ name }: Written) => name === 'ETCDCTL_ENDPOINTS').value;
}

test('Flux does not install Kamaji before the authentication of its default etcd is enabled', () => {
  const output = outputOf();
  const { spec } = delivering(output, 'HelmRelease')['management-kamaji'];
  const [gate] = manifestsOf(output, 'kamaji-gate');
  const kustomizations = delivering(output, 'Kustomization');

  expect(spec.valuesFrom).toEqual([{ kind: 'ConfigMap', name: 'management-kamaji-gate' }]);
  expect(gate).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'management-kamaji-gate', namespace: 'flux-system' }, data: { 'values.yaml': '{}\n' } });
  expect(kustomizations['management-kamaji-gate'].spec.dependsOn).toEqual([{ name: 'management-etcd-default-data-store' }]);
  expect(kustomizations['management-etcd-default-guard'].spec).toMatchObject({ wait: true, prune: true, dependsOn: [{ name: 'management-kamaji-etcd-issuers' }] });
});

test('no DataStore exists before the authentication of its etcd is enabled', () => {
  const dataStores = [KamajiDataStore.etcd('default'), KamajiDataStore.etcd('bank', { replicas: 1 })];
  const output = outputOf({ kamaji: KamajiInstallation.chart({ dataStores }) });
  const kustomizations = delivering(output, 'Kustomization');
  const secret = (name: string, keyPath: string) => ({ secretReference: { name, namespace: 'kamaji-etcd', keyPath } });

  for (const name of ['default', 'bank']) {
    expect(delivering(output, 'HelmRelease')[`management-etcd-${name}`].spec.values.datastore.enabled).toBe(false);
    expect(kustomizations[`management-etcd-${name}-data-store`].spec.dependsOn).toContainEqual({ name: `management-etcd-${name}-guard` });
    expect(kustomizations[`management-etcd-${name}-guard`].spec.wait).toBe(true);
  }
  expect(manifestsOf(output, 'etcd-bank-data-store')).toEqual([expect.objectContaining({
    kind: 'DataStore',
    metadata: { name: 'bank', annotations: expect.objectContaining({ 'kustomize.toolkit.fluxcd.io/prune': 'disabled', 'helm.sh/resource-policy': 'keep' }) },
    // As the chart writes it.
    spec: {
      driver: 'etcd',
      endpoints: ['etcd-bank-0.etcd-bank.kamaji-etcd.svc.cluster.local:2379'],
      tlsConfig: {
        certificateAuthority: { certificate: secret('etcd-bank-ca', 'tls.crt'), privateKey: secret('etcd-bank-ca', 'tls.key') },
        clientCertificate: { certificate: secret('etcd-bank-client-certs', 'tls.crt'), privateKey: secret('etcd-bank-client-certs', 'tls.key') },
      },
    },
  })]);
});

test('the DataStore follows the values of the chart, which may make it itself', () => {
  const specOf = (values: { [key: string]: object }) => manifestsOf(outputOf(withEtcd({ values })), 'etcd-default-data-store')[0]?.spec;

  expect(specOf({ datastore: { headless: false } }).endpoints).toEqual(['etcd-default-client.kamaji-etcd.svc.cluster.local:2379']);
  expect(specOf({ certManager: { enabled: false }, selfSignedCertificates: { enabled: true } }).tlsConfig).toMatchObject({
    certificateAuthority: { privateKey: { secretReference: { name: 'etcd-default-certs', keyPath: 'ca.key' } } },
    clientCertificate: { certificate: { secretReference: { name: 'etcd-default-root-client-certs', keyPath: 'tls.crt' } } },
  });
  expect(specOf({ datastore: { enabled: true } as object })).toBeUndefined();
});

test('the hooks of the chart do not run, unless they make its certificates: then a failed installation starts over', () => {
  const install = (values?: { [key: string]: object }) => delivering(outputOf(withEtcd({ values })), 'HelmRelease')['management-etcd-default'].spec.install;

  expect(install()).toMatchObject({ disableHooks: true, strategy: { name: 'RetryOnFailure' } });
  const own = install({ certManager: { enabled: false }, selfSignedCertificates: { enabled: true } });
  expect(own).not.toHaveProperty('disableHooks');
  expect(own.strategy).toEqual({ name: 'RemediateOnFailure' });
});

test('Argo CD orders it by waves, without a gate', () => {
  const applications = Object.keys(delivering(outputOf({ delivery: ARGO_CD }), 'Application'));

  expect(applications).toContain('flux-system-management-etcd-default-guard');
  expect(applications.filter((name) => name.includes('gate'))).toEqual([]);
});

test('each etcd has a Job that does not give up, and that may do nothing in the management cluster', () => {
  const output = outputOf({ kamaji: KamajiInstallation.chart({ dataStores: [KamajiDataStore.etcd('default'), KamajiDataStore.etcd('bank', { namespace: 'bank' })] }) });
  const job = manifestsOf(output, 'etcd-bank-guard').find(({ kind }) => kind === 'Job');

  expect(job).toMatchObject({
    metadata: { namespace: 'bank', name: expect.stringMatching(/^etcd-bank-authentication-[0-9a-f]{8}$/) },
    spec: { backoffLimit: 2_147_483_647, template: { spec: { restartPolicy: 'OnFailure', automountServiceAccountToken: false } } },
  });
  expect(job.metadata.annotations).not.toHaveProperty('kustomize.toolkit.fluxcd.io/prune');
  expect(job.spec.template.spec.containers[0].image).toBe('quay.io/coreos/etcd:v3.5.6');
});

test('Secrets and Service are those of the chart, whatever names it is given', () => {
  const job = jobOf({ clusterDomain: 'hall.internal' });
  expect([secretsOf(job), endpointOf(job)]).toEqual([['etcd-default-server-certs', 'etcd-default-client-certs'], 'https://etcd-default-client.kamaji-etcd.svc.hall.internal:2379']);

  const named = jobOf({ values: { fullnameOverride: 'tenants', clientPort: 12379, certManager: { clientCert: { nameOverride: 'root' } } } });
  expect([secretsOf(named), endpointOf(named)]).toEqual([['tenants-server-certs', 'root'], 'https://tenants-client.kamaji-etcd.svc.cluster.local:12379']);

  const own = jobOf({ values: { certManager: { enabled: false }, selfSignedCertificates: { enabled: true } } });
  expect(secretsOf(own)).toEqual(['etcd-default-certs', 'etcd-default-root-client-certs']);

  // 63 characters, as the chart cuts them.
  const long = `e${'x'.repeat(52)}`;
  expect(secretsOf(jobOf({ releaseName: long }))).toEqual([`${long}-server-ce`, `${long}-client-ce`]);
});

test('a change makes another Job, because Jobs cannot be changed', () => {
  expect(jobOf().metadata.name).toBe(jobOf({ chartVersion: '0.17.0' }).metadata.name);
  expect(jobOf().metadata.name).not.toBe(jobOf({ clusterDomain: 'hall.internal' }).metadata.name);
  expect(jobOf().metadata.name).not.toBe(jobOf({}, { images: new ImageSources({ overrides: { 'quay.io/coreos/etcd': 'registry.internal/etcd' } }) }).metadata.name);
});

describe('the script', () => {
  const SCRIPT: string = jobOf().spec.template.spec.containers[0].command[2];
  const folder = new ScriptFolder();

  /** Runs it on an etcd that has a user, a role or authentication if a file of that name exists; `enable` is its `auth enable`. */
  const run = (enable = 'touch auth') => folder.run(SCRIPT, {
    sleep: '',
    etcdctl: `cd ${folder.path()}
case "$*" in
  'endpoint health') [ -e healthy ] || { touch healthy; exit 1; } ;;
  'user get root') [ -e user ] ;;
  'user add root --no-password') [ ! -e user ] && touch user ;;
  'role get root') [ -e role ] ;;
  'role add root') [ ! -e role ] && touch role ;;
  'user grant-role root root') [ -e user ] && [ -e role ] && touch granted ;;
  'auth enable') [ -e granted ] && { ${enable}; } ;;
  'auth status') [ -e auth ] && echo 'Authentication Status: true' || echo 'Authentication Status: false' ;;
  *) exit 9 ;;
esac`,
  });

  test('waits for etcd, and enables authentication', () => {
    const { status, calls } = run();

    expect(status).toBe(0);
    expect(calls.filter((call) => call !== 'sleep 5').map((call) => call.replace('etcdctl ', ''))).toEqual([
      'endpoint health', 'endpoint health', 'user get root', 'user add root --no-password', 'role get root', 'role add root', 'user grant-role root root',
      'auth enable', 'auth status',
    ]);
  });

  test.each([[['user']], [['user', 'role']], [['user', 'role', 'granted', 'auth']]])('goes on where %j are there already', (done) => {
    for (const file of done) folder.put(file, '');

    expect(run().status).toBe(0);
    expect(fs.existsSync(folder.path('auth'))).toBe(true);
  });

  test('fails when etcd does not confirm it, and when etcd refuses', () => {
    expect(run('true')).toMatchObject({ status: 1, calls: expect.arrayContaining(['etcdctl auth status']) });
    expect(run('false').status).not.toBe(0);
  });
});

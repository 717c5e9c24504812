import { checkRules } from '../../../../src/manifests/cel/check-rules';
import { DefinedKind } from '../../../../src/manifests/rules/structure/defined-kind';
import { DefinitionsFile, structureOf } from '../../../../src/manifests/rules/structure/structures';
import { ManifestValidator } from '../../../../src/manifests/validation/validate-manifests';
import { stringAt } from '../../../../src/manifests/values/fields';
import { packageFile, packageFilesIn } from '../../../../src/manifests/values/package-files';

const FOLDER = 'data/definitions';
const PACKAGED = packageFilesIn(FOLDER).flatMap((file) => JSON.parse(packageFile(`${FOLDER}/${file}`)) as DefinitionsFile);

const MACHINES = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
  kind: 'OpenStackMachineTemplate',
  metadata: { name: 'acme', namespace: 'tenant-acme' },
  spec: { template: { spec: { flavor: 'm1.large', image: { filter: { name: 'ubuntu-24.04-kube-v1.35.4' } } } } },
};

function findings(spec: object): string[] {
  const object = { ...MACHINES, spec: { template: { spec } } };
  return new ManifestValidator().validate([[object]], { silences: [], strict: false }).found
    .filter(({ finding }) => finding.rule.id.startsWith('TC-ADMIT-FIELD')).map(({ finding: { rule, path, message } }) => `${rule.id} ${path.join('.')}: ${message}`);
}

test.each(PACKAGED.map(({ definition }) => [stringAt(definition, 'metadata', 'name')!, definition] as const))('a server accepts the definition %s, and its rules are judged here', (_, definition) => {
  const { group, names } = definition.spec as { readonly group: string; readonly names: { readonly kind: string } };
  const kind = structureOf(group, names.kind) as DefinedKind;
  expect(kind.fault).toBeUndefined();
  expect(kind.served.size).toBeGreaterThan(0);
  for (const { schema } of kind.served.values()) expect(checkRules(schema as never)).toEqual([]);
});

test('objects of providers are checked against the definitions of the package, with the release in the text', () => {
  const { image } = MACHINES.spec.template.spec;

  expect(findings({ flavor: 'm1.large', image })).toEqual([]);
  expect(findings({ flavour: 'm1.large', image })).toEqual([
    expect.stringMatching(/^TC-ADMIT-FIELD-UNKNOWN spec\.template\.spec\.flavour: .*\(kubernetes-sigs\/cluster-api-provider-openstack v\d/),
  ]);
  expect(findings({ image })).toEqual([
    expect.stringMatching(/^TC-ADMIT-FIELD-RULE spec\.template\.spec: it breaks a rule of kubernetes-sigs\/cluster-api-provider-openstack v\d.*flavorID/),
  ]);
});

test('what another release of a provider may have is a warning that names the release', () => {
  const release = 'kubernetes-sigs/cluster-api-provider-openstack v\\d[\\d.]+';

  expect(findings({ ...MACHINES.spec.template.spec, confidential: true })).toEqual([
    expect.stringMatching(`^TC-ADMIT-FIELD-RELEASE spec\\.template\\.spec\\.confidential: there is no field "confidential" here \\(${release}\\)$`),
  ]);
  expect(findings({ ...MACHINES.spec.template.spec, identityRef: { name: 'cloud', cloudName: 'acme', type: 'ConfigMap' } })).toEqual([
    expect.stringMatching(/^TC-ADMIT-FIELD-RELEASE spec\.template\.spec\.identityRef\.type: "ConfigMap" is none of the choices/),
  ]);
  expect(findings({ ...MACHINES.spec.template.spec, identityRef: { name: 'cloud', cloudName: 'acme', type: 'Secrte' } })).toEqual([
    expect.stringMatching(/^TC-ADMIT-FIELD-VALUE /),
  ]);
  expect(findings({ ...MACHINES.spec.template.spec, rootVolume: { sizeGiB: 30, configDrive: true } })).toEqual([
    expect.stringMatching(/^TC-ADMIT-FIELD-UNKNOWN spec\.template\.spec\.rootVolume\.configDrive: /),
  ]);
});

test('a version that the known release does not serve is a warning', () => {
  const object = { ...MACHINES, apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha7' };
  const { found } = new ManifestValidator().validate([[object]], { silences: [], strict: false });
  expect(found.map(({ finding: { rule, path } }) => `${rule.id} ${path.join('.')}`)).toEqual(['TC-ADMIT-FIELD-RELEASE apiVersion']);
});

test('a definition among the manifests counts in place of that of the package', () => {
  const { definition } = PACKAGED.find(({ kind }) => kind === MACHINES.kind)!;
  const spec = structuredClone(definition.spec) as { versions: { schema: { openAPIV3Schema: any } }[] };
  for (const { schema } of spec.versions) schema.openAPIV3Schema.properties.spec.properties.template.properties.spec.properties.confidential = { type: 'boolean' };
  const ids = (field: object) => {
    const machines = { ...MACHINES, spec: { template: { spec: { ...MACHINES.spec.template.spec, ...field } } } };
    const { found } = new ManifestValidator().validate([[{ ...definition, spec }, machines]], { silences: [], strict: false });
    return found.map(({ finding: { rule } }) => rule.id);
  };

  expect(ids({ confidential: true })).toEqual([]);
  expect(ids({ unheard: true })).toEqual(['TC-ADMIT-FIELD-UNKNOWN']);
});

describe('kinds of addons', () => {
  const ids = (object: object) => new ManifestValidator().validate([[object]], { silences: [], strict: false }).found
    .filter(({ finding: { rule } }) => rule.id.startsWith('TC-ADMIT-FIELD')).map(({ finding: { rule, path } }) => `${rule.id} ${path.join('.')}`);

  const gateway = (spec: object) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'public', namespace: 'shop' },
    spec: { gatewayClassName: 'envoy', listeners: [{ name: 'http', protocol: 'HTTP', port: 80 }], ...spec },
  });

  test('have misspelled fields', () => {
    expect(ids(gateway({}))).toEqual([]);
    expect(ids(gateway({ listener: [] }))).toEqual(['TC-ADMIT-FIELD-UNKNOWN spec.listener']);
    expect(ids({
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: { name: 'token', namespace: 'shop' },
      spec: { secretStoreRef: { name: 'vault' }, refreshIntervall: '1h', data: [{ secretKey: 'token', remoteRef: { key: 'token' } }] },
    })).toEqual(['TC-ADMIT-FIELD-UNKNOWN spec.refreshIntervall']);
  });

  test('have no alternatives that a variable inside must fit', () => {
    const addresses = (value: string) => ids(gateway({ addresses: [{ type: 'IPAddress', value }] }));

    expect(addresses('none')).toContain('TC-ADMIT-FIELD-VALUE spec.addresses.0');
    expect(addresses('${ADDRESS}')).toEqual([]);
    expect(addresses('192.0.2.1')).toEqual([]);
  });
});

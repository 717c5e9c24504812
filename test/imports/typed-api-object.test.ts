import { ApiObject, App, Chart, IResolver, JsonPatch, Lazy, ResolutionContext, Testing } from 'cdk8s';
import { IntOrString, MachineDeployment, MachineDeploymentProps } from '../../imports/cluster.x-k8s.io';
import { KamajiControlPlane, KamajiControlPlaneProps } from '../../imports/controlplane.cluster.x-k8s.io';
import { DataStore, DataStoreSpecDriver } from '../../imports/kamaji.clastix.io';
import { TypedApiObject } from '../../src/constructs/app/synth/typed-api-object';

const SPEC = { version: '1.35.4' };

/** Network that `KamajiControlPlane` writes for one given in any spelling. */
function networkOf(network: unknown, ...patches: JsonPatch[]): unknown {
  const object = new KamajiControlPlane(Testing.chart(), 'cp', { spec: { ...SPEC, network } } as KamajiControlPlaneProps);
  object.addJsonPatch(...patches);
  return object.toJson().spec.network;
}

function surge(maxSurge: unknown): MachineDeploymentProps {
  return {
    spec: {
      clusterName: 'acme',
      selector: {},
      template: { spec: { clusterName: 'acme' } },
      rollout: { strategy: { rollingUpdate: { maxSurge } } },
    },
  } as unknown as MachineDeploymentProps;
}

function surgeOf(maxSurge: unknown): unknown {
  return new MachineDeployment(Testing.chart(), 'md', surge(maxSurge)).toJson().spec.rollout.strategy.rollingUpdate.maxSurge;
}

describe('fields that the types do not know', () => {
  test('stay when they are in the props, at any depth', () => {
    const object = new KamajiControlPlane(Testing.chart(), 'cp', {
      spec: { ...SPEC, newField: { enabled: false, list: [{ one: 1 }], nothing: null } },
      data: { key: 'value' },
      status: { ready: true },
    } as KamajiControlPlaneProps);

    expect(object.toJson()).toMatchObject({
      spec: { version: '1.35.4', newField: { enabled: false, list: [{ one: 1 }], nothing: null } },
      data: { key: 'value' },
      status: { ready: true },
    });
  });

  test('stay when a patch adds them', () => {
    const object = new KamajiControlPlane(Testing.chart(), 'cp', { spec: SPEC });
    object.addJsonPatch(JsonPatch.add('/spec/newField', { deep: [1, { two: 2 }] }), JsonPatch.add('/status', { ready: true }));

    expect(object.toJson()).toMatchObject({ spec: { newField: { deep: [1, { two: 2 }] } }, status: { ready: true } });
  });

  test('a patch removes and replaces', () => {
    const object = new KamajiControlPlane(Testing.chart(), 'cp', { metadata: { name: 'acme', labels: { a: 'b' } }, spec: { ...SPEC, replicas: 2 } });
    object.addJsonPatch(JsonPatch.replace('/spec/version', '1.35.5'), JsonPatch.remove('/spec/replicas'), JsonPatch.remove('/metadata/labels'));

    expect(object.toJson()).toEqual({
      apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2',
      kind: 'KamajiControlPlane',
      metadata: { name: 'acme' },
      spec: { version: '1.35.5' },
    });
  });
});

describe('patches without effect are errors', () => {
  test.each([
    ['removing what is not there', JsonPatch.remove('/spec/network/serviceTyp'),
      "the patch 'remove /spec/network/serviceTyp' cannot be applied: '/spec/network/serviceTyp' does not exist; '/spec/network' has certSANs, serviceType"],
    ['removing with the name of TypeScript', JsonPatch.remove('/spec/network/certSaNs'), "'/spec/network/certSaNs' does not exist"],
    ['adding below what is not there', JsonPatch.add('/spec/addons/coreDNS/new', 1), "'/spec/addons/coreDNS' does not exist; '/spec' has network, version"],
    ['copying what is not there', JsonPatch.copy('/spec/a', '/spec/b'), "'/spec/a' does not exist"],
    ['adding below a string', JsonPatch.add('/spec/version/new', 1), "'/spec/version' is neither an object nor a list"],
    ['adding to a list by a name', JsonPatch.add('/spec/network/certSANs/x', 'a'), "'/spec/network/certSANs' is a list of 1; 'x' is neither an index in it nor '-'"],
    ['adding behind the end of a list', JsonPatch.add('/spec/network/certSANs/2', 'a'), "is a list of 1; '2' is neither"],
    ['a path without a slash', JsonPatch.add('spec', {}), "'spec' must begin with '/'"],
    ['moving what is not there', JsonPatch.move('/spec/a', '/spec/b'), "'/spec/a' does not exist"],
    ['adding nothing', JsonPatch.add('/spec/a', undefined), 'it has no value'],
    ['a test that fails', JsonPatch.test('/spec/version', '1.30.0'), "the patch 'test /spec/version' cannot be applied: Test operation failed"],
  ])('%s', (_name, patch, message) => {
    expect(() => networkOf({ serviceType: 'LoadBalancer', certSaNs: ['a.example'] }, patch)).toThrow(message);
  });

  test('patches see the effect of earlier ones', () => {
    expect(networkOf({}, JsonPatch.add('/spec/network/serviceAnnotations', {}), JsonPatch.add('/spec/network/serviceAnnotations/a~1b', 'c'),
      JsonPatch.move('/spec/network/serviceAnnotations', '/spec/network/serviceLabels'))).toEqual({ serviceLabels: { 'a/b': 'c' } });
  });
});

describe('fields with another name in the API', () => {
  const written = { certSANs: ['a.example'] };

  test('are written with the name of the API', () => {
    expect(networkOf({ certSaNs: ['a.example'] })).toEqual(written);
  });

  test('may be given with the name of the API', () => {
    expect(networkOf({ certSANs: ['a.example'] })).toEqual(written);
  });

  test('may not be given with both names', () => {
    expect(() => networkOf({ certSaNs: ['a.example'], certSANs: ['b.example'] })).toThrow(
      "fields have other names in the API: '/spec/network/certSaNs' is '/spec/network/certSANs'");
  });

  test('are patched with the name of the API', () => {
    expect(networkOf({}, JsonPatch.add('/spec/network/certSANs', ['a.example']))).toEqual(written);
    expect(networkOf({ certSaNs: ['a.example'] }, JsonPatch.add('/spec/network/certSANs/-', 'b.example'))).toEqual({ certSANs: ['a.example', 'b.example'] });
  });

  test('are not patched with the name of TypeScript', () => {
    expect(() => networkOf({}, JsonPatch.add('/spec/network/certSaNs', ['a.example']))).toThrow(
      "at 'test/cp' cannot be written: fields have other names in the API: '/spec/network/certSaNs' is '/spec/network/certSANs'");
    expect(() => networkOf({}, JsonPatch.add('/spec/network', { certSaNs: [] }))).toThrow("'/spec/network/certSaNs' is '/spec/network/certSANs'");
  });

  test('are found below lists', () => {
    const object = new KamajiControlPlane(Testing.chart(), 'cp', {
      spec: { ...SPEC, deployment: { extraContainers: [{ name: 'x', ports: [{ containerPort: 1, hostIp: '10.0.0.1' }] }] } },
    });
    expect(object.toJson().spec.deployment.extraContainers).toEqual([{ name: 'x', ports: [{ containerPort: 1, hostIP: '10.0.0.1' }] }]);
  });

  test('are written the same by manifest()', () => {
    expect(KamajiControlPlane.manifest({ metadata: { name: 'acme' }, spec: { ...SPEC, network: { certSaNs: [] } } })).toEqual({
      apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2',
      kind: 'KamajiControlPlane',
      metadata: { name: 'acme' },
      spec: { version: '1.35.4', network: { certSANs: [] } },
    });
  });
});

describe('int-or-string fields', () => {
  test.each([
    ['an object with a number', IntOrString.fromNumber(1), 1],
    ['an object with zero', IntOrString.fromNumber(0), 0],
    ['an object with a string', IntOrString.fromString('25%'), '25%'],
    ['a number', 2, 2],
    ['zero', 0, 0],
    ['a string', '50%', '50%'],
    ['a dictionary, which is not unwrapped', { value: 'x' }, { value: 'x' }],
  ])('take %s', (_name, given, expected) => {
    expect(surgeOf(given)).toEqual(expected);
  });

  test('take an object from a patch', () => {
    const object = new MachineDeployment(Testing.chart(), 'md', surge(1));
    object.addJsonPatch(JsonPatch.replace('/spec/rollout/strategy/rollingUpdate', { maxSurge: IntOrString.fromString('10%') }));
    expect(object.toJson().spec.rollout.strategy.rollingUpdate).toEqual({ maxSurge: '10%' });
  });

  test('take an object in manifest()', () => {
    expect(MachineDeployment.manifest(surge(IntOrString.fromNumber(3))).spec.rollout.strategy.rollingUpdate.maxSurge).toBe(3);
  });
});

describe('tokens', () => {
  const lazy = (value: unknown) => Lazy.any({ produce: () => value });

  test('are resolved anywhere, and what they produce is written for the API', () => {
    expect(networkOf(lazy({ certSaNs: lazy([lazy('a.example')]) }))).toEqual({ certSANs: ['a.example'] });
    expect(networkOf({ certSaNs: { resolve: () => ['a.example'] } })).toEqual({ certSANs: ['a.example'] });
    expect(surgeOf(lazy(IntOrString.fromNumber(1)))).toBe(1);
    expect(surgeOf({ resolve: () => lazy(IntOrString.fromString('1%')) })).toBe('1%');
  });

  test('can stand for the whole spec', () => {
    const object = new KamajiControlPlane(Testing.chart(), 'cp', { spec: lazy({ ...SPEC, network: { certSaNs: [] } }) } as unknown as KamajiControlPlaneProps);
    expect(object.toJson().spec).toEqual({ version: '1.35.4', network: { certSANs: [] } });
  });

  test('that produce nothing leave no field', () => {
    expect(networkOf({ certSaNs: lazy(undefined) })).toEqual({});
  });

  test('stay tokens in manifest() until an object contains it', () => {
    const chart = Testing.chart();
    let san = 'early.example';
    const manifest = KamajiControlPlane.manifest({ spec: { ...SPEC, network: { certSaNs: lazy([lazy('x')]) } } } as unknown as KamajiControlPlaneProps);
    const later = KamajiControlPlane.manifest({
      spec: { ...SPEC, network: Lazy.any({ produce: () => ({ certSaNs: [san] }) }) },
    } as unknown as KamajiControlPlaneProps);
    new ApiObject(chart, 'template', { apiVersion: 'v1', kind: 'Template', objects: [manifest, later] });
    san = 'late.example';

    const [{ objects }] = Testing.synth(chart);
    expect(objects.map((object: { spec: unknown }) => object.spec)).toEqual([
      { version: '1.35.4', network: { certSANs: ['x'] } },
      { version: '1.35.4', network: { certSANs: ['late.example'] } },
    ]);
  });

  test('resolvers of the app come first, see the names of the API and run once', () => {
    class Marker implements IResolver {
      public readonly paths: string[] = [];

      public resolve(context: ResolutionContext): void {
        this.paths.push(context.key.join('/'));
        if (typeof context.value === 'string' && context.key[0] === 'spec') {
          if (!context.value.startsWith('<')) { context.replaceValue(`<${context.value}`); }
        }
      }
    }
    const resolver = new Marker();
    const chart = new Chart(new App({ resolvers: [resolver] }), 'chart');
    const object = new KamajiControlPlane(chart, 'cp', { spec: { ...SPEC, network: { certSaNs: ['a'] } } });

    expect(object.toJson().spec).toEqual({ version: '<1.35.4', network: { certSANs: ['<a'] } });
    expect(resolver.paths).toContain('spec/network/certSANs/0');
  });
});

describe('cluster-scoped kinds', () => {
  const props = { spec: { driver: DataStoreSpecDriver.ETCD, endpoints: ['a:2379'] } };
  const chart = () => new Chart(new App(), 'chart', { namespace: 'tenant-acme', labels: { team: 'a' } });

  test('have no namespace in a chart that has one', () => {
    const object = new DataStore(chart(), 'store', { metadata: { name: 'default' }, ...props });
    expect(object.toJson().metadata).toEqual({ name: 'default', labels: { team: 'a' } });
  });

  test('refuse a namespace', () => {
    expect(() => new DataStore(chart(), 'store', { metadata: { namespace: 'x' }, ...props })).toThrow("DataStore objects belong to no namespace, but metadata.namespace is 'x'");
    expect(() => DataStore.manifest({ metadata: { namespace: 'x' }, ...props })).toThrow('belong to no namespace');
  });

  test('other kinds get the namespace of the chart', () => {
    expect(new KamajiControlPlane(chart(), 'cp', { spec: SPEC }).toJson().metadata.namespace).toBe('tenant-acme');
  });

  test('can be built-in kinds', () => {
    const object = new TypedApiObject(chart(), 'namespace', { apiVersion: 'v1', kind: 'Namespace', clusterScoped: true }, { metadata: { name: 'team-a' } });
    expect(object.toJson()).toEqual({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a', labels: { team: 'a' } } });
  });
});

describe('manifests', () => {
  test('are the same each time', () => {
    const object = new KamajiControlPlane(Testing.chart(), 'cp', { spec: { ...SPEC, network: { certSaNs: ['a'] } } });
    object.addJsonPatch(JsonPatch.add('/spec/network/certSANs/-', 'b'), JsonPatch.add('/spec/addons', {}));
    const first = JSON.stringify(object.toJson());
    expect(JSON.stringify(object.toJson())).toBe(first);
  });

  test('have their keys in order, whatever the order of props and patches', () => {
    const object = new KamajiControlPlane(Testing.chart(), 'cp', { spec: { version: '1', replicas: 1 }, metadata: { name: 'x' } });
    object.addJsonPatch(JsonPatch.add('/spec/addons', { kubeProxy: {}, coreDNS: {} }));
    expect(JSON.stringify(object.toJson())).toBe(
      '{"apiVersion":"controlplane.cluster.x-k8s.io/v1alpha2","kind":"KamajiControlPlane","metadata":{"name":"x"},'
      + '"spec":{"addons":{"coreDNS":{},"kubeProxy":{}},"replicas":1,"version":"1"}}');
  });

  test('carry what was added to the metadata later', () => {
    const object = new KamajiControlPlane(Testing.chart(), 'cp', { metadata: { name: 'x', custom: 'kept' }, spec: SPEC });
    object.metadata.addLabel('a', 'b');
    object.metadata.add('another', 'kept');
    expect(object.toJson().metadata).toEqual({ name: 'x', labels: { a: 'b' }, custom: 'kept', another: 'kept' });
  });

  test('refuse what has no place in them', () => {
    expect(() => networkOf({ certSaNs: [new Date(0)] })).toThrow("/spec/network/certSANs/0 is an object of class 'Date'");
    expect(() => networkOf({ certSaNs: NaN })).toThrow('/spec/network/certSANs is the number NaN');
    expect(() => networkOf({ certSaNs: () => 'x' })).toThrow('/spec/network/certSANs is the function');
  });

  test('take plain objects of another realm', () => {
    expect(networkOf(structuredClone({ serviceLabels: { a: 'b' } }))).toEqual({ serviceLabels: { a: 'b' } });
  });

  test('keep a field with any name', () => {
    const given = JSON.parse('{ "serviceLabels": { "__proto__": "kept", "constructor": "kept", "*": "kept" } }');
    expect(JSON.stringify(networkOf(given))).toBe('{"serviceLabels":{"*":"kept","__proto__":"kept","constructor":"kept"}}');
  });

  test('refuse props of another kind', () => {
    expect(() => new KamajiControlPlane(Testing.chart(), 'cp', { kind: 'Cluster', spec: SPEC } as KamajiControlPlaneProps)).toThrow('use the class of that kind');
  });
});

test('instanceof tells kinds apart', () => {
  const object = new KamajiControlPlane(Testing.chart(), 'cp', { spec: SPEC });
  expect(object instanceof KamajiControlPlane).toBe(true);
  expect(object instanceof ApiObject).toBe(true);
  expect((object as object) instanceof DataStore).toBe(false);
});

test('what the user does to his values afterwards changes nothing', () => {
  const certSaNs = ['a.example.com'];
  const object = new KamajiControlPlane(Testing.chart(), 'cp', { spec: { ...SPEC, network: { certSaNs } } } as KamajiControlPlaneProps);
  certSaNs.push('b.example.com');

  expect(object.toJson().spec.network.certSANs).toEqual(['a.example.com']);
});

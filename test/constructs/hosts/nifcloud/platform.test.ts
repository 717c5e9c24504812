import * as fs from 'node:fs';
import * as path from 'node:path';
import { ApiObject, Chart, Testing } from 'cdk8s';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { Calico } from '../../../../src/constructs/addons/cni/calico';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { KubeadmNode } from '../../../../src/constructs/hosts/kubeadm-node';
import { NifcloudNetworkInterfaces } from '../../../../src/constructs/hosts/nifcloud/guest-tools';
import { NifcloudCloudControllerManager } from '../../../../src/constructs/hosts/nifcloud/nifcloud-cloud-controller-manager';
import { NifcloudCsiDriver } from '../../../../src/constructs/hosts/nifcloud/nifcloud-csi-driver';
import { NifcloudPlatform, NifcloudPlatformProps } from '../../../../src/constructs/hosts/nifcloud/nifcloud-platform';
import {
  NifcloudDiskAccountingType, NifcloudDiskType, NifcloudFileSystem, NifcloudStorageClass,
} from '../../../../src/constructs/hosts/nifcloud/nifcloud-storage-class';
import { VolumeReclaimPolicy } from '../../../../src/manifests/values/storage-class';
import { SchemaValidator } from '../../../manifests/schema/validate';
import { Manifest } from '../../../support/clusters';
import { clusterContext } from '../../../support/contexts';
import { ReportedProblem } from '../../../support/problems';
import { amount } from '../../../support/sample';
import { ScriptFolder } from '../../../support/shell-scripts';
import { rulesOfTopic } from '../../../support/topic-rules';
import { chartsOf, problemsOf } from '../../addons/bound';
import { unknownKeys } from '../../addons/chart-keys';
import { problems as clusterProblems, documents, filesOf, MASTERS } from '../clusters';

const ZONES = ['east-11', 'east-12'];
const API = { region: 'jp-east-1', credentials: { secretName: 'nifcloud-api' } };
const PROPS: NifcloudPlatformProps = { ...API, zones: ZONES };
const CONTEXT = clusterContext({
  infrastructure: { clusterKind: 'KubeadmCluster', externalCloudProvider: true }, controlPlane: { apiServerPort: 6443, machineCount: 3 },
});
const TOLERATIONS = [
  { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' },
  { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoSchedule' },
];
const CLASS: NifcloudStorageClass = { name: 'disk' };

const NODES = {
  controlPlaneNodes: MASTERS.map((node, index) => ({ ...node, zone: ZONES[index % 2] })),
  workers: [1, 2, 3, 4].map((number): KubeadmNode => ({ name: `worker0${number}`, address: `192.168.10.3${number}`, zone: ZONES[number % 2] })),
};

function objectsOf(driver: NifcloudCsiDriver): Manifest[] {
  const chart = new Chart(Testing.app(), 'tenant', { namespace: 'elsewhere' });
  driver.bind(chart, CONTEXT);
  return Testing.synth(chart);
}

function classOf(given: NifcloudStorageClass): Manifest {
  return objectsOf(new NifcloudCsiDriver({ ...API, storageClasses: [given] }))[0];
}

function problems(props: Partial<NifcloudPlatformProps> = {}, nodes: Partial<typeof NODES> = {}): ReportedProblem[] {
  return clusterProblems({ ...NODES, ...nodes, cni: new Calico(), platform: new NifcloudPlatform({ ...PROPS, ...props }) });
}

const validator = SchemaValidator.load();

describe('the cloud controller manager', () => {
  test('reaches the API with the keys of a Secret', () => {
    const [chart] = chartsOf(new NifcloudCloudControllerManager({ ...API, credentials: { secretName: 'api', accessKeyIdKey: 'id', secretAccessKeyKey: 'key' } }), CONTEXT);

    expect(chart).toMatchObject({ chart: 'nifcloud-cloud-controller-manager', chartVersion: '1.2.0', namespace: 'kube-system', releaseName: 'nifcloud-cloud-controller-manager' });
    expect(chart.values).toEqual({
      nifcloud: { region: 'jp-east-1', accessKeyId: { secretName: 'api', key: 'id' }, secretAccessKey: { secretName: 'api', key: 'key' } },
      tolerations: TOLERATIONS,
    });
    expect(unknownKeys(chart)).toEqual([]);
  });

  test('runs on all nodes where the control plane has none', () => {
    const [chart] = chartsOf(new NifcloudCloudControllerManager(API), { ...CONTEXT, controlPlane: { apiServerPort: 6443 } });

    expect(chart.values!.nodeSelector).toEqual({ 'node-role.kubernetes.io/control-plane': null });
    expect(unknownKeys(chart)).toEqual([]);
  });

  test('keeps the tolerations of the chart where there are others', () => {
    const [chart] = chartsOf(new NifcloudCloudControllerManager({ ...API, tolerations: [{ key: 'example.com/x' }] }), CONTEXT);

    expect(chart.values!.tolerations).toEqual([...TOLERATIONS, { key: 'example.com/x' }]);
    expect(unknownKeys(chart)).toEqual([]);
  });

  test('TC-NIFCLOUD-CLOUD-PROVIDER: kubelets that do not wait for it', () => {
    expect(problemsOf(new NifcloudCloudControllerManager(API), { infrastructure: { clusterKind: 'Other' } }).map(({ id, text }) => `${id} ${text}`)).toEqual([
      expect.stringContaining('TC-NIFCLOUD-CLOUD-PROVIDER nifcloud-cloud-controller-manager.region: the kubelets of the cluster register without'),
    ]);
  });

  test('a KubeadmCluster that has no platform says so once', () => {
    const found = clusterProblems({ cni: new Calico() }, (cluster) => cluster.addAddon(new NifcloudCloudControllerManager(API)));

    expect(found.map(({ id }) => id)).toEqual(['TC-KUBEADM-CLUSTER-CLOUD-PROVIDER']);
  });

  test('TC-NIFCLOUD-NAME-OVERRIDE: objects that the pods do not find', () => {
    const refused = (nameOverride: unknown) => problemsOf(new NifcloudCloudControllerManager({ ...API, values: { nameOverride } }), CONTEXT);

    expect(refused('ccm').map(({ id, text }) => `${id} ${text}`)).toEqual([
      expect.stringContaining('TC-NIFCLOUD-NAME-OVERRIDE nifcloud-cloud-controller-manager.values.nameOverride: the name of the ServiceAccount would be "ccm"'),
    ]);
    for (const name of ['', null, 'nifcloud-cloud-controller-manager']) expect(refused(name)).toEqual([]);
  });
});

describe('the CSI driver', () => {
  test('reaches the API with the keys of a Secret', () => {
    const driver = new NifcloudCsiDriver({ ...API, tolerations: [{ key: 'example.com/x' }] });
    const [chart] = chartsOf(driver, CONTEXT);

    expect(chart).toMatchObject({ chart: 'nifcloud-additional-storage-csi-driver', chartVersion: '1.1.0', namespace: 'kube-system' });
    expect(chart.values).toMatchObject({ nifcloud: { region: 'jp-east-1', accessKeyId: { secretName: 'nifcloud-api', key: 'access_key_id' } } });
    expect((chart.values as Manifest).node.tolerations).toEqual([{ effect: 'NoExecute', operator: 'Exists', tolerationSeconds: 300 }, { key: 'example.com/x' }]);
    expect(unknownKeys(chart)).toEqual([]);
    expect(driver.provides).toEqual([]);
  });

  test('a default class makes volumes for whoever names none', () => {
    expect(new NifcloudCsiDriver({ ...API, storageClasses: [{ name: 'a', isDefault: true }] }).provides).toEqual(['persistent-volumes']);
  });

  test('a class that says nothing has the defaults of the driver, and is of no namespace', () => {
    const object = classOf(CLASS);

    expect(object).toEqual({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'disk' },
      provisioner: 'additional-storage.csi.nifcloud.com',
      parameters: { 'csi.storage.k8s.io/fstype': 'ext4', 'type': 'standard-flash-a', 'accountingType': 'hourly' },
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
    });
    expect(validator.validate(object)).toEqual([]);
  });

  test('whatever is said of a class, it is bound where its pod is', () => {
    const classes = fc.record({
      name: fc.constant('disk'),
      type: fc.constantFrom(undefined, ...Object.values(NifcloudDiskType)),
      accountingType: fc.constantFrom(undefined, ...Object.values(NifcloudDiskAccountingType)),
      fsType: fc.constantFrom(undefined, ...Object.values(NifcloudFileSystem)),
      isDefault: fc.boolean(),
      reclaimPolicy: fc.constantFrom(undefined, ...Object.values(VolumeReclaimPolicy)),
      allowVolumeExpansion: fc.boolean(),
      labels: fc.constantFrom(undefined, { a: 'b' }),
      annotations: fc.constantFrom(undefined, { c: 'd' }),
    });
    fc.assert(fc.property(classes, (given) => {
      const object = classOf(given);
      expect(validator.validate(object)).toEqual([]);
      expect(object.volumeBindingMode).toBe('WaitForFirstConsumer');
      expect(object.metadata.namespace).toBeUndefined();
      expect(Object.keys(object.parameters).sort()).toEqual(['accountingType', 'csi.storage.k8s.io/fstype', 'type']);
      expect(object.parameters).toMatchObject({ type: given.type ?? 'standard-flash-a', accountingType: given.accountingType ?? 'hourly' });
      expect(object.metadata.annotations?.['storageclass.kubernetes.io/is-default-class']).toBe(given.isDefault ? 'true' : undefined);
    }), { numRuns: amount(60, 15) });
  });
});

describe('the platform', () => {
  const files = (props: Partial<NifcloudPlatformProps> = {}) => (
    filesOf({ ...NODES, cni: new Calico(), platform: new NifcloudPlatform({ ...PROPS, ...props }) }));

  test('lets kubelets wait for the cloud, under the instance ids of their machines', () => {
    const written = files();
    const registrations = [...MASTERS, ...NODES.workers].map(({ name }) => {
      const file = written[`${name}/files/etc/kubernetes/kubeadm/init.yaml`] ?? written[`${name}/files/etc/kubernetes/kubeadm/join.yaml`];
      return documents(file)[0].nodeRegistration;
    });

    expect(registrations.map(({ name }) => name)).toEqual([...MASTERS, ...NODES.workers].map(({ name }) => name));
    for (const { kubeletExtraArgs } of registrations) expect(kubeletExtraArgs).toEqual([{ name: 'cloud-provider', value: 'external' }]);
    const [, cluster] = documents(written['master01/files/etc/kubernetes/kubeadm/init.yaml']);
    expect(JSON.stringify(cluster)).not.toContain('cloud-provider');
  });

  describe('the guest tools', () => {
    const SCRIPT = '/usr/local/sbin/cdk8s-cluster-api-guest-tools';
    const [OWN, HIDDEN] = ['primary-nics=eth0,eth1', 'exclude-nics=weave?,cali*'];
    const networkInterfaces = { own: ['eth0', 'eth1'], hidden: ['weave?', 'cali*'] };
    const folder = new ScriptFolder();

    /** Runs the script of a node where the image has a file, or none, twice, and returns the file afterwards. */
    function configured(given?: string): string {
      const config = 'etc/vmware-tools/tools.conf';
      const file = folder.path(config);
      if (given !== undefined) folder.put(config, given, 0o600);
      const script = files({ networkInterfaces })[`worker01/files${SCRIPT}`].text.replaceAll('/etc/', `${folder.path('etc')}/`);
      const once = () => {
        expect(folder.run(script)).toMatchObject({ status: 0, stderr: '', stdout: '' });
        return fs.readFileSync(file, 'utf8');
      };
      const first = once();
      const { ino, mtimeMs } = fs.statSync(file);
      expect(once()).toBe(first);
      expect(fs.statSync(file)).toMatchObject({ ino, mtimeMs });
      expect(fs.readdirSync(path.dirname(file))).toEqual(['tools.conf']);
      if (given !== undefined) expect(folder.mode(config)).toBe('600');
      return first;
    }

    test('are configured on every node, by the script and by cloud-init', () => {
      const written = files();
      const nodes = [...MASTERS, ...NODES.workers].map(({ name }) => name);

      expect(Object.keys(written).filter((file) => file.endsWith(SCRIPT)).map((file) => file.split('/')[0])).toEqual(nodes);
      for (const node of nodes) {
        expect(written[`${node}/files${SCRIPT}`].mode).toBe('755');
        expect(written[`${node}/install.sh`].text.trim().split('\n')).toContain(SCRIPT);
        expect(parse(written[`${node}/cloud-config.yaml`].text).runcmd).toContain(SCRIPT);
      }
      expect(written[`worker01/files${SCRIPT}`].text).toContain(
        "awk -v primary='ens160,ens192' -v exclude='antrea-*,cali*,cilium*,cni*,docker*,flannel*,kube-*,lxc*,nodelocaldns*,tunl*,veth*,virbr*,vxlan*' ");
    });

    test.each<[what: string, given: string | undefined, expected: string[]]>([
      ['no file', undefined, ['[guestinfo]', OWN, HIDDEN]],
      ['an empty file', '', ['[guestinfo]', OWN, HIDDEN]],
      ['other sections', '[logging]\nlog = true', ['[logging]', 'log = true', '[guestinfo]', OWN, HIDDEN]],
      ['other keys of the section', '# ours\n[guestinfo]\npoll-interval=30\n\n[logging]\nlog=true\n', ['# ours', '[guestinfo]', OWN, HIDDEN, 'poll-interval=30', '', '[logging]', 'log=true']],
      ['other interfaces', '[guestinfo]\nprimary-nics=a\n exclude-nics = b\nlow-priority-nics=c\n#exclude-nics=d\n', ['[guestinfo]', OWN, HIDDEN, 'low-priority-nics=c', '#exclude-nics=d']],
      ['the section twice', '[guestinfo]\na=1\n[x]\nprimary-nics=x\n[guestinfo]\nexclude-nics=b\n', ['[guestinfo]', OWN, HIDDEN, 'a=1', '[x]', 'primary-nics=x', '[guestinfo]']],
    ])('keep what the image has, with %s', (_what, given, expected) => {
      expect(configured(given)).toBe(`${expected.join('\n')}\n`);
    });
  });

  test('brings the cloud controller manager, and the driver where there are classes', () => {
    const releases = (props: Partial<NifcloudPlatformProps>) => files(props)['addons/install.sh'].text.split('\n').flatMap((line) => /^helm upgrade --install (nif\S+)/.exec(line)?.[1] ?? []);

    expect(releases({})).toEqual(['nifcloud-cloud-controller-manager']);
    expect(releases({ storageClasses: [CLASS] })).toEqual(['nifcloud-cloud-controller-manager', 'nifcloud-additional-storage-csi-driver']);
    expect(releases({ cloudControllerManager: { name: 'nifcloud-ccm', chartVersion: '1.1.0' } })).toEqual(['nifcloud-ccm']);
  });

  test('asks for one Secret in each namespace that needs it', () => {
    const secrets = (props: Partial<NifcloudPlatformProps>) => new NifcloudPlatform({ ...PROPS, ...props }).config().secrets;

    expect(secrets({ storageClasses: [CLASS] })).toEqual([{ namespace: 'kube-system', name: 'nifcloud-api', keys: ['access_key_id', 'secret_access_key'] }]);
    expect(secrets({ storageClasses: [CLASS], csiDriver: { namespace: 'storage' } })!.map(({ namespace }) => namespace)).toEqual(['kube-system', 'storage']);
    expect(secrets({ csiDriver: { namespace: 'storage' } })!.map(({ namespace }) => namespace)).toEqual(['kube-system']);
  });

  test('can be given to several clusters', () => {
    const platform = new NifcloudPlatform({ ...PROPS, storageClasses: [CLASS] });
    const write = () => filesOf({ ...NODES, cni: new Calico(), platform });

    expect(write()).toEqual(write());
  });

  test('good options are accepted', () => {
    expect(problems({ storageClasses: [CLASS] })).toEqual([]);
    expect(problems({}, { workers: NODES.workers.slice(0, 1) })).toEqual([]);
  });

  const warned = (props: Partial<NifcloudPlatformProps>, workers: typeof NODES.workers, nodes: Partial<typeof NODES> = {}) => {
    const emit = jest.spyOn(WARNINGS, 'emit').mockImplementation();
    expect(problems(props, { workers, ...nodes })).toEqual([]);
    const calls = emit.mock.calls.map(([text, options]) => [String(text), options]);
    emit.mockRestore();
    return calls;
  };

  test('a region that is not known is warned of', () => {
    const moved = (nodes: readonly KubeadmNode[]) => nodes.map((node) => ({ ...node, zone: 'north-91' }));
    const controlPlaneNodes = moved(NODES.controlPlaneNodes) as typeof NODES.controlPlaneNodes;
    const workers = moved(NODES.workers) as typeof NODES.workers;
    expect(warned({ region: 'jp-north-9', zones: ['north-91'] }, workers, { controlPlaneNodes })).toEqual([
      [expect.stringContaining('platform.region: "jp-north-9" is not a known region. Accepted: jp-east-1, '), { code: 'TC-NIFCLOUD-REGION-UNKNOWN' }],
    ]);
    expect(warned({}, NODES.workers)).toEqual([]);
  });

  describe('zones with one worker', () => {

    test('are warned of where there are disks', () => {
      expect(warned({ storageClasses: [CLASS] }, NODES.workers.slice(0, 3))).toEqual([
        [expect.stringContaining('workers: east-11 has one worker, and a pod with a disk there cannot start in another zone'), { code: 'TC-NIFCLOUD-ZONE-WORKERS' }],
      ]);
    });

    test('are nothing without disks, and a zone may be the control plane\'s alone', () => {
      expect(warned({}, NODES.workers.slice(0, 3))).toEqual([]);
      expect(warned({ storageClasses: [CLASS] }, NODES.workers.filter(({ zone }) => zone === ZONES[0]))).toEqual([]);
    });
  });
});

const CASES: [id: string, props: Partial<NifcloudPlatformProps>, nodes: Partial<typeof NODES>, texts: string[]][] = [
  ['TC-NIFCLOUD-REGION', { region: '' }, {}, ['nifcloud-cloud-controller-manager.region: ""']],
  ['TC-NIFCLOUD-REGION', { region: 'Tokyo' }, {}, ['"Tokyo"', 'jp-east-1']],
  ['TC-NIFCLOUD-REGION', { region: 'east-11' }, {}, ['"east-11" is not the name of a region', 'not a zone']],
  ['TC-NIFCLOUD-CREDENTIALS', { credentials: { secretName: '' } }, {}, ['credentials.secretName']],
  // An access key pasted in place of a name.
  ['TC-NIFCLOUD-CREDENTIALS', { credentials: { secretName: 'AKIAIOSFODNN7EXAMPLE' } }, {}, ['credentials.secretName: it looks like an access key']],
  ['TC-NIFCLOUD-CREDENTIALS', { credentials: { secretName: 'api', secretAccessKeyKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' } }, {}, ['credentials.secretAccessKeyKey: it looks like']],
  ['TC-NIFCLOUD-CREDENTIALS', { credentials: { secretName: 'api', accessKeyIdKey: '..' } }, {}, ['credentials.accessKeyIdKey: ".."']],
  ['TC-NIFCLOUD-CREDENTIALS', { credentials: { secretName: 'api', accessKeyIdKey: 'a b' } }, {}, ['credentials.accessKeyIdKey: "a b"']],
  ['TC-ADMIT-FIELD-METADATA', { storageClasses: [{ name: 'My Disk' }] }, {}, ['storageClasses[0].name']],
  ['TC-NIFCLOUD-CLASS-NAME', { storageClasses: [CLASS, CLASS] }, {}, ['storageClasses[1].name: the storage class "disk" is already defined']],
  ['TC-NIFCLOUD-CLASS-DEFAULT', { storageClasses: [{ name: 'a', isDefault: true }, { name: 'b', isDefault: true }] }, {}, ['storageClasses[1].isDefault']],
  ['TC-NIFCLOUD-CLASS-VALUES', { storageClasses: [CLASS], csiDriver: { values: { storageClasses: [{ name: 'own' }] } } }, {}, [
    'nifcloud-additional-storage-csi-driver.values.storageClasses: the chart would create', 'set them in storageClasses',
  ]],
  ['TC-ADMIT-FIELD-METADATA', { storageClasses: [{ ...CLASS, labels: { 'a b': 'c' } }] }, {}, ['storageClasses[0].labels["a b"]']],
  ['TC-NIFCLOUD-CLASS-LABEL', { storageClasses: [{ ...CLASS, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }] }, {}, ['isDefault']],
  ['TC-NIFCLOUD-ZONE', { zones: [] }, {}, ['platform.zones: the list is empty']],
  ['TC-NIFCLOUD-ZONE', { zones: [...ZONES, 'East 13'] }, {}, ['platform.zones[2]: "East 13"']],
  ['TC-NIFCLOUD-ZONE', { zones: [...ZONES, 'jp-east-1'] }, {}, ['platform.zones[2]: "jp-east-1" is not the name of a zone']],
  ['TC-NIFCLOUD-ZONE', { zones: [...ZONES, 'east-11'] }, {}, ['platform.zones[2]: "east-11" is there twice']],
  ['TC-NIFCLOUD-ZONE', {}, { workers: [{ ...NODES.workers[0], zone: undefined }, ...NODES.workers.slice(1)] }, ['workers[0].zone: the zone of the node is not set', 'east-11, east-12']],
  ['TC-NIFCLOUD-ZONE', {}, { controlPlaneNodes: [{ ...NODES.controlPlaneNodes[0], zone: 'east-14' }] }, ['controlPlaneNodes[0].zone: "east-14" is not a zone of the platform']],
  ['TC-NIFCLOUD-ZONE', { zones: [...ZONES, 'west-11'] }, {}, ['platform.zones[2]: "west-11" is a zone of jp-west-1, but the machines are in jp-east-1']],
  ['TC-NIFCLOUD-ZONE', { zones: [...ZONES, 'jp-east-41'] }, {}, ['platform.zones[2]: "jp-east-41" is a zone of jp-east-4']],
  ['TC-NIFCLOUD-ZONE', { zones: [...ZONES, 'us-east-11'] }, {}, ['platform.zones[2]: "us-east-11" is a zone of us-east-1']],
  ['TC-NIFCLOUD-NICS', { networkInterfaces: { own: [] } }, {}, ['platform.networkInterfaces.own']],
  ['TC-NIFCLOUD-NICS', { networkInterfaces: { own: ['ens160,ens192'] } }, {}, ['own[0]: "ens160,ens192"']],
  ['TC-NIFCLOUD-NICS', { networkInterfaces: { own: ['veth0'] } }, {}, ['own[0]: "veth0" matches the hidden pattern "veth*"']],
  ['TC-NIFCLOUD-NICS', { networkInterfaces: { hidden: ['veth*\nx=y'] } }, {}, ['hidden[0]']],
];

test.each(CASES)('%s: %j %j', (id, props, nodes, texts) => {
  const found = problems(props, nodes);

  expect(found.map((problem) => [problem.path, problem.id])).toEqual([[id.startsWith('TC-ADMIT') ? '' : 'ha', id]]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

test('what looks like an access key is repeated nowhere, and usual keys do not look like one', () => {
  for (const secret of ['AKIAIOSFODNN7EXAMPLE', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'ABCDEFGHIJ0123456789abcd==']) {
    for (const field of ['secretName', 'accessKeyIdKey', 'secretAccessKeyKey']) {
      const found = problems({ credentials: { secretName: 'api', [field]: secret } });

      expect(found).toHaveLength(1);
      expect(found[0].text).not.toContain(secret);
    }
  }
  expect(problems({ credentials: { secretName: 'api', accessKeyIdKey: 'NIFCLOUD_ACCESS_KEY_ID', secretAccessKeyKey: 'nifcloudSecretAccessKey' } })).toEqual([]);
});

test('an interface is hidden by a pattern exactly if the guest tools would match it', () => {
  const names = fc.string({ unit: fc.constantFrom('a', 'b', '.', '0'), minLength: 1, maxLength: 5 }).filter((name) => name !== '.' && name !== '..');
  const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '.', '0', '*', '?'), minLength: 1, maxLength: 5 });
  /** Wildcards by definition, without regular expressions. */
  const matches = (pattern: string, name: string): boolean => {
    if (pattern === '') return name === '';
    if (pattern[0] === '*') return matches(pattern.slice(1), name) || (name !== '' && matches(pattern, name.slice(1)));
    return name !== '' && (pattern[0] === '?' || pattern[0] === name[0]) && matches(pattern.slice(1), name.slice(1));
  };
  const refused = (networkInterfaces: NifcloudNetworkInterfaces) => new NifcloudPlatform({ ...PROPS, networkInterfaces }).check(NODES).length > 0;

  fc.assert(fc.property(names, patterns, (name, pattern) => {
    expect(refused({ own: [name], hidden: [pattern] })).toBe(matches(pattern, name));
  }));
});

describe('a claim', () => {
  const claims = (specs: readonly object[], kind = 'PersistentVolumeClaim') => clusterProblems(
    { ...NODES, cni: new Calico(), platform: new NifcloudPlatform({ ...PROPS, storageClasses: [CLASS, { name: 'default', isDefault: true }] }) },
    ({ workloads }) => specs.forEach((spec, index) => new ApiObject(workloads, `${index}`, {
      apiVersion: kind === 'StatefulSet' ? 'apps/v1' : 'v1', kind, metadata: { name: `data-${index}`, namespace: 'default' }, spec,
    })),
  );
  const spec = (storage: string, rest: object = {}) => ({ accessModes: ['ReadWriteOnce'], storageClassName: 'disk', resources: { requests: { storage } }, ...rest });

  test.each<[what: string, id: string, given: object, texts: string[]]>([
    ['of 10 GiB', 'TC-STORAGE-CLAIM-SIZE', spec('10Gi'), ['10Gi', 'in multiples of 100Gi']],
    ['of 150 GiB', 'TC-STORAGE-CLAIM-SIZE', spec('150Gi'), ['150Gi', 'in multiples of 100Gi']],
    ['of 200 GB', 'TC-STORAGE-CLAIM-SIZE', spec('200G'), ['200G']],
    ['of the default class', 'TC-STORAGE-CLAIM-SIZE', spec('10Gi', { storageClassName: undefined }), ['"default"']],
    ['for several nodes', 'TC-STORAGE-CLAIM-ACCESS-MODE', spec('100Gi', { accessModes: ['ReadWriteMany'] }), ['ReadWriteMany', 'ReadWriteOnce, ReadWriteOncePod']],
    ['of a snapshot', 'TC-STORAGE-CLAIM-SOURCE', spec('100Gi', { dataSource: { kind: 'VolumeSnapshot', name: 'a' } }), ['VolumeSnapshot']],
    ['of another claim', 'TC-STORAGE-CLAIM-SOURCE', spec('100Gi', { dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'a' } }), ['PersistentVolumeClaim']],
  ])('%s is refused', (_what, id, given, texts) => {
    const found = claims([given]);

    expect(found.map((problem) => [problem.path, problem.id])).toEqual([['ha', id]]);
    for (const text of texts) expect(found[0].text).toContain(text);
  });

  test('of any multiple of 100 GiB is accepted, and no other size', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 40 }), fc.constantFrom(1, 50, 100), (count, step) => {
      expect(claims([spec(`${count * step}Gi`)]).length).toBe((count * step) % 100 === 0 ? 0 : 1);
    }), { numRuns: amount(30, 8) });
    expect(claims([spec('200Gi', { accessModes: ['ReadWriteOncePod'] }), spec('100Gi', { volumeMode: 'Block' })])).toEqual([]);
  });

  test('that a StatefulSet makes is held to the same', () => {
    const found = claims([{ volumeClaimTemplates: [{ spec: spec('100Gi') }, { spec: spec('10Gi') }] }], 'StatefulSet');

    expect(found.map(({ id }) => id)).toEqual(['TC-STORAGE-CLAIM-SIZE']);
    expect(found[0].text).toContain('spec.volumeClaimTemplates[1].spec.resources.requests.storage');
  });
});

test('every rule has a negative test', () => {
  const tested = new Set(CASES.map(([id]) => id)).add('TC-NIFCLOUD-CLOUD-PROVIDER').add('TC-NIFCLOUD-ZONE-WORKERS').add('TC-NIFCLOUD-REGION-UNKNOWN').add('TC-NIFCLOUD-NAME-OVERRIDE');

  expect(rulesOfTopic('Nifcloud').filter((id) => !tested.has(id))).toEqual([]);
});

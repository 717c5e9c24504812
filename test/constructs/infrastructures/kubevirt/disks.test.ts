import { Size } from 'cdk8s';
import { ImagePullPolicy, PersistentVolumeAccessMode, PersistentVolumeMode } from 'cdk8s-plus-28';
import { DIGEST, machineProblems, SMALL, virtualMachineOf } from './bind';
import { ExtraDisk } from '../../../../src/constructs/infrastructures/kubevirt/extra-disk';
import { RegistryPullMethod, RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { parseImageReference } from '../../../../src/manifests/values/image-reference';

const SIZE = Size.gibibytes(40);
const storage = { resources: { requests: { storage: '40Gi' } } };

function rootOf(rootDisk: RootDisk): { disk: any; volume: any; dataVolume: any } {
  const { spec } = virtualMachineOf({ rootDisk });
  const { domain, volumes } = spec.template.spec;
  return { disk: domain.devices.disks[0], volume: volumes[0], dataVolume: spec.dataVolumeTemplates?.[0] };
}

test('a container disk has no volume of its own', () => {
  const image = `registry.example.com/os/ubuntu:24.04@${DIGEST}`;
  expect(rootOf(RootDisk.containerDisk({ image, imagePullSecret: 'pull', imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT }))).toEqual({
    disk: { name: 'root', disk: { bus: 'virtio' } },
    volume: { name: 'root', containerDisk: { image, imagePullSecret: 'pull', imagePullPolicy: 'IfNotPresent' } },
    dataVolume: undefined,
  });
});

test('a disk from a registry', () => {
  const url = `docker://registry.example.com/os/ubuntu@${DIGEST}`;
  const rootDisk = RootDisk.registry({ url, size: SIZE, storageClass: 'fast', pullMethod: RegistryPullMethod.NODE });
  expect(rootOf(rootDisk)).toEqual({
    disk: { name: 'root', disk: { bus: 'virtio' } },
    volume: { name: 'root', dataVolume: { name: 'root' } },
    dataVolume: { metadata: { name: 'root' }, spec: { source: { registry: { url, pullMethod: 'node' } }, storage: { ...storage, storageClassName: 'fast' } } },
  });
});

test('a disk from a web server', () => {
  const url = 'https://images.example.com/ubuntu-24.04.qcow2';
  expect(rootOf(RootDisk.http({ url, size: SIZE, secretRef: 'login', certConfigMap: 'ca' })).dataVolume.spec)
    .toEqual({ source: { http: { url, secretRef: 'login', certConfigMap: 'ca' } }, storage });
});

test('a copy of a claim, of its size, from the namespace of the cluster', () => {
  expect(rootOf(RootDisk.clonePvc({ claimName: 'golden' })).dataVolume.spec)
    .toEqual({ source: { pvc: { name: 'golden', namespace: 'tenant-acme' } }, storage: {} });
  expect(rootOf(RootDisk.clonePvc({ claimName: 'golden', namespace: 'images', size: SIZE })).dataVolume.spec)
    .toEqual({ source: { pvc: { name: 'golden', namespace: 'images' } }, storage });
});

test('a snapshot', () => {
  expect(rootOf(RootDisk.snapshot({ snapshotName: 'golden', namespace: 'images', size: SIZE })).dataVolume.spec)
    .toEqual({ source: { snapshot: { name: 'golden', namespace: 'images' } }, storage });
});

test('a DataVolume in its own terms is passed on as it is', () => {
  const dataVolumeSpec = { sourceRef: { kind: 'DataSource', name: 'ubuntu', namespace: 'images' }, storage: { resources: { requests: { storage: '40Gi' } } } };
  expect(rootOf(RootDisk.of({ dataVolumeSpec })).dataVolume).toEqual({ metadata: { name: 'root' }, spec: dataVolumeSpec });
});

test('modes and populators are left to the importer unless given', () => {
  const { dataVolume } = rootOf(RootDisk.clonePvc({
    claimName: 'golden',
    accessMode: PersistentVolumeAccessMode.READ_WRITE_MANY,
    volumeMode: PersistentVolumeMode.BLOCK,
    usePopulator: false,
  }));
  expect(dataVolume.spec.storage).toEqual({ accessModes: ['ReadWriteMany'], volumeMode: 'Block' });
  expect(dataVolume.metadata.annotations).toEqual({ 'cdi.kubevirt.io/storage.usePopulator': 'false' });
});

test('a disk can show other block sizes', () => {
  const blockSize = { logical: 512, physical: 4096 };
  expect(rootOf(RootDisk.clonePvc({ claimName: 'golden', blockSize })).disk.blockSize).toEqual({ custom: blockSize });
});

test('further disks are found in the guest by their names', () => {
  const { spec } = virtualMachineOf({
    extraDisks: [
      ExtraDisk.blank({ name: 'data', size: SIZE }),
      ExtraDisk.ephemeral({ name: 'scratch', size: Size.gibibytes(5) }),
      ExtraDisk.clonePvc({ name: 'models', claimName: 'weights' }),
      ExtraDisk.snapshot({ name: 'seed', snapshotName: 'seed', size: SIZE }),
      ExtraDisk.of({ name: 'own', dataVolumeSpec: { source: { blank: {} }, pvc: {} } }),
    ],
  });
  const { domain, volumes } = spec.template.spec;
  expect(domain.devices.disks.slice(1)).toEqual(['data', 'scratch', 'models', 'seed', 'own'].map((name) => ({ name, disk: { bus: 'virtio' }, serial: name })));
  expect(volumes[2]).toEqual({ name: 'scratch', emptyDisk: { capacity: '5Gi' } });
  expect(spec.dataVolumeTemplates.map(({ metadata, spec: { source } }: any) => [metadata.name, Object.keys(source)[0]])).toEqual([
    ['root', 'registry'], ['data', 'blank'], ['models', 'pvc'], ['seed', 'snapshot'], ['own', 'blank'],
  ]);
});

test.each([
  ['quay.io/capk/ubuntu-2404-container-disk:v1.34.1', { name: 'quay.io/capk/ubuntu-2404-container-disk', tag: 'v1.34.1' }],
  ['localhost:5000/a:1', { name: 'localhost:5000/a', tag: '1' }],
  ['[fd00::1]:5000/a/b:1', { name: '[fd00::1]:5000/a/b', tag: '1' }],
  [`ubuntu@${DIGEST}`, { name: 'ubuntu', digest: DIGEST }],
  [`a.example/b__c/d-e:1@${DIGEST}`, { name: 'a.example/b__c/d-e', tag: '1', digest: DIGEST }],
])('%s names an image', (text, parts) => {
  expect(parseImageReference(text)).toEqual({ tag: undefined, digest: undefined, ...parts });
});

test.each(['', 'a b', 'a/B', 'a//b', 'a/', ':v1', 'a:', 'a@', 'a@md5:0', `a@${DIGEST.toUpperCase()}`, `${'a'.repeat(256)}:v1`])('"%s" names no image', (text) => {
  expect(parseImageReference(text)).toBeUndefined();
});

test('a pinned image is accepted', () => {
  for (const image of ['quay.io/a/b:v1', `quay.io/a/b@${DIGEST}`, `quay.io/a/b:latest@${DIGEST}`]) {
    expect(machineProblems({ ...SMALL, rootDisk: RootDisk.containerDisk({ image }) })).toEqual([]);
  }
});

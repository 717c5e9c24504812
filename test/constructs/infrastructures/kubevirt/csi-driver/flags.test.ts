import { bound, containersOf, EDGE, SNAPSHOTS } from './bound';
import { checkArguments, ComponentArgument, parseArgument } from '../../../../../src/manifests/values/component-arguments';
import { Component, flagFact, knownReleases } from '../../../../../src/manifests/values/component-facts';
import { releaseOf } from '../../../../../src/manifests/values/image-reference';
import { Manifest } from '../../../../support/clusters';

const PROGRAMS: Readonly<Record<string, Component>> = {
  'csi-driver': 'kubevirt-csi-driver',
  'csi-provisioner': 'csi-provisioner',
  'csi-attacher': 'csi-attacher',
  'csi-resizer': 'csi-resizer',
  'csi-snapshotter': 'csi-snapshotter',
  'liveness-probe': 'livenessprobe',
  'node-driver-registrar': 'csi-node-driver-registrar',
};

function workloads(): Manifest[] {
  const { management, tenant } = bound([SNAPSHOTS], { infraNamespace: 'vms' }, EDGE);
  return [...management, ...tenant].filter(({ kind }) => ['Deployment', 'DaemonSet'].includes(kind));
}

const CONTAINERS = workloads().flatMap((workload) => Object.entries(containersOf(workload)).map(([name, container]) => [`${workload.kind} ${name}`, name, container] as const));

test.each(CONTAINERS)('%s is given flags that its program has in that release', (_, name, { image, args }) => {
  const component = PROGRAMS[name];
  // The driver has no releases: its flags are those of one commit.
  const release = name === 'csi-driver' ? knownReleases(component)[0] : releaseOf(image)!;
  const flags: ComponentArgument[] = args.map((text: string) => parseArgument(text)!);

  expect(knownReleases(component)).toContain(release);
  expect(checkArguments(component, release, flags)).toEqual([]);
  expect(flags.filter((flag) => flagFact(component, flag.name, release)?.deprecated)).toEqual([]);
  expect(new Set(flags.map((flag) => flag.name)).size).toBe(flags.length);
});

test('every program is looked at', () => {
  expect(new Set(CONTAINERS.map(([, name]) => name))).toEqual(new Set(Object.keys(PROGRAMS)));
});

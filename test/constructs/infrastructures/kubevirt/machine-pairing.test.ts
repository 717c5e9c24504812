import { Size } from 'cdk8s';
import * as fc from 'fast-check';
import { machineProblems, SMALL, templateOf } from './bind';
import { ExtraDisk } from '../../../../src/constructs/infrastructures/kubevirt/extra-disk';
import { KubevirtMachineProps } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { AdditionalNetwork, NetworkBinding, PrimaryNetwork } from '../../../../src/constructs/infrastructures/kubevirt/network';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { amount } from '../../../support/sample';

const size = fc.integer({ min: 1, max: 5000 }).map((count) => Size.mebibytes(count));
const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}[a-z0-9]$/).filter((name) => !['root', 'default'].includes(name));
const labels = fc.uniqueArray(label, { maxLength: 5 });

const rootDisk = fc.oneof(
  size.map((it) => RootDisk.http({ url: 'https://images.example.com/a.raw', size: it })),
  fc.constant(RootDisk.containerDisk({ image: 'quay.io/a/b:v1' })),
  fc.constant(RootDisk.clonePvc({ claimName: 'golden' })),
);

const extraDisk = (name: string): fc.Arbitrary<ExtraDisk> => fc.oneof(
  size.map((it) => ExtraDisk.blank({ name, size: it })),
  size.map((it) => ExtraDisk.ephemeral({ name, size: it })),
  fc.constant(ExtraDisk.clonePvc({ name, claimName: 'seed' })),
);

const network = fc.oneof(
  fc.constantFrom(undefined, PrimaryNetwork.bridge(), PrimaryNetwork.passt()),
  fc.boolean().map((replacesPodNetwork) => PrimaryNetwork.multus({ networkName: 'infra/vlan', replacesPodNetwork })),
);

const additionalNetwork = (name: string): fc.Arbitrary<AdditionalNetwork> => (
  fc.constantFrom(NetworkBinding.BRIDGE, NetworkBinding.SRIOV, undefined).map((binding) => ({ name, networkName: `infra/${name}`, binding }))
);

const machine: fc.Arbitrary<KubevirtMachineProps> = fc.record({
  rootDisk,
  network,
  extraDisks: labels.chain((names) => fc.tuple(...names.map(extraDisk))),
  additionalNetworks: labels.chain((names) => fc.tuple(...names.map(additionalNetwork))),
}).map((props) => ({ ...SMALL, ...props }));

const namesOf = (items: { name: string }[] = []): string[] => items.map(({ name }) => name);

test('disks and volumes, interfaces and networks come in pairs, and every DataVolume has its volume', () => {
  fc.assert(fc.property(machine, (props) => {
    expect(machineProblems(props)).toEqual([]);
    const { dataVolumeTemplates = [], template } = templateOf(props).spec.template.spec.virtualMachineTemplate.spec;
    const { domain: { devices }, networks, volumes } = template.spec;

    const disks = namesOf(devices.disks);
    expect(new Set(disks).size).toBe(disks.length);
    expect(namesOf(volumes)).toEqual(disks);
    expect(disks).toHaveLength(1 + props.extraDisks!.length);

    const claimed = volumes.flatMap((volume: any) => volume.dataVolume?.name ?? []);
    expect(dataVolumeTemplates.map(({ metadata }: any) => metadata.name)).toEqual(claimed);

    const interfaces = namesOf(devices.interfaces);
    expect(new Set(interfaces).size).toBe(interfaces.length);
    expect(namesOf(networks)).toEqual(interfaces);
    expect(interfaces[0]).toBe('default');

    for (const { name: _, ...connection } of [...devices.interfaces, ...networks, ...volumes]) expect(Object.keys(connection)).toHaveLength(1);
  }), { numRuns: amount(200, 50) });
});
